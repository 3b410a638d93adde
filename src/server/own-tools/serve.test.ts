import { expect, it } from 'vitest'
import { z } from 'zod'

import { testTool } from '../../../test/harness/test-tool.ts'
import { ConfigError } from '../../platform/config-error.ts'
import { parseConfig } from '../../platform/config.ts'
import { defineTool } from '../../tool/tool.ts'
import { toolsOf } from './serve.ts'

const called = (slug: string) =>
  defineTool({
    ...testTool,
    slug,
    name: 'Mine',
    family: 'agentic',
    category: 'tests',
    input: z.strictObject({}),
    output: z.strictObject({}),
    examples: [],
    run: () => ({}),
  })
const mine = called('mine')
const builtIn = called('built')
const problemsOf = async (env: Readonly<Record<string, string>>, gated = [mine]): Promise<readonly string[]> => {
  const error: unknown = await toolsOf(parseConfig(env), [builtIn], { gated }).catch((one: unknown) => one)
  return error instanceof ConfigError ? error.problems : []
}

it('names two tools of one name', async () => {
  expect(await problemsOf({}, [mine, mine])).toEqual([expect.stringMatching(/two of your tools are called "mine"/)])
  expect(await problemsOf({}, [builtIn])).toEqual([expect.stringMatching(/is a tool of this package: rename yours/)])
})

it('names each tool that a setting speaks of and that is not there', async () => {
  const env = {
    TOLLGATE_PRICES: 'a=1',
    TOLLGATE_FREE_CALLS: 'b=1',
    TOLLGATE_TEXTS: '{"c":{}}',
    TOLLGATE_DISABLED_TOOLS: 'd',
  }
  const problems = (await problemsOf(env)).toSorted()
  expect(problems.map((one) => one.replace(/: there is no tool|\(.*\)/g, '').trimEnd())).toEqual([
    'TOLLGATE_DISABLED_TOOLS "d"',
    'TOLLGATE_FREE_CALLS "b"',
    'TOLLGATE_PRICES "a"',
    'TOLLGATE_TEXTS "c"',
  ])
})

it('gives a tool the operator’s price, free calls and words', async () => {
  const env = { TOLLGATE_PRICES: 'mine=0.5', TOLLGATE_FREE_CALLS: 'mine=3', TOLLGATE_TEXTS: '{"mine":{"name":"Ours"}}' }
  const tools = await toolsOf(parseConfig(env), [], { gated: [mine] })
  expect(tools).toMatchObject([{ name: 'Ours', access: { usd: '0.5', freePerDay: 3 } }])
})
