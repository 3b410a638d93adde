import { expect, it } from 'vitest'
import { z } from 'zod'

import { readOwnTool } from '../../src/tool/read-own-tool.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { welcome } from './sandbox-welcome.ts'

const ready = {
  baseUrl: 'http://127.0.0.1:8402',
  mcpUrl: 'http://127.0.0.1:8402/api/agentic/mcp',
  dataDir: '/tmp/sandbox',
  chain: { rpcUrl: 'http://127.0.0.1:9', chainId: 8453 },
  wallets: {},
  magicWallets: {},
}

function tool(slug: string, price: string): Tool {
  const read = readOwnTool(
    {
      name: slug,
      description: 'Says again what it is told, and nothing else.',
      price,
      input: z.strictObject({ text: z.string() }),
      output: z.strictObject({ text: z.string() }),
      examples: [{ input: { text: "it's" }, output: { text: "it's" } }],
      run: (input: unknown) => input,
    },
    slug,
  )
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  return read.tool
}

/** As the tools behind a gate are, whose server gives no examples. */
const withoutExamples = (one: Tool): Tool => ({ ...one, examples: [] })

const triesOf = (...tools: readonly Tool[]): readonly string[] =>
  welcome(ready, tools, 2_000, 'tollgate')
    .split('\n')
    .filter((line) => line.includes('curl'))

it.each([
  ['only tools that cost something', [tool('paid', '0.01')], ['tools/paid -i']],
  ['only free ones', [tool('open', 'free')], ["tools/open -H 'content-type"]],
  ['a free one without an example', [withoutExamples(tool('open', 'free'))], []],
  [
    'both, as a gate offers them',
    [withoutExamples(tool('paid', '0.01')), withoutExamples(tool('open', 'free'))],
    ['tools/paid -i'],
  ],
  ['both', [tool('open', 'free'), tool('paid', '0.01')], ['tools/paid -i', "tools/open -H 'content-type"]],
])('names a call to try where there are %s', (_, tools, calls) => {
  expect(triesOf(...tools)).toEqual(calls.map((call) => expect.stringContaining(call)))
})

it('writes the input of a free call as a shell takes it', () => {
  expect(triesOf(tool('open', 'free'))[0]).toContain(String.raw`-d '{"text":"it'\''s"}'`)
})

it('counts one tool as one', () => {
  expect(welcome(ready, [tool('paid', '0.01')], 2_000, 'tollgate')).toContain('sandbox: 1 tool at')
})
