import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

import { testTool } from '../../test/harness/test-tool.ts'
import { ConfigError } from '../platform/config-error.ts'
import { silentLog } from '../platform/log.ts'
import { defineTool } from '../tool/tool.ts'
import { watchConfiguration } from './reread.ts'
import { readSettings } from './settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-reread-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('takes a configuration file that is made after the start', async () => {
  const modules = { library: new URL(import.meta.url), hooks: new URL(import.meta.url) }
  const read = () => readSettings({ env: {}, folder, modules })
  const { files } = await read()
  const prices: (string | undefined)[] = []
  const watch = watchConfiguration({
    rereading: {
      files,
      read: async () => {
        prices.push((await read()).env['TOLLGATE_PRICES'])
        return { tools: [], waiting: [] }
      },
      settings: () => Promise.reject(new Error('Nothing is started anew here.')),
    },
    tools: [],
    reoffer: async () => {},
    log: silentLog,
  })
  try {
    // Written again and again, because a file that is made before the first look is no change.
    for (let round = 0; round < 120 && prices.length === 0; round += 1) {
      await writeFile(join(folder, 'tollgate.config.json'), `{"prices":{"probe":"0.02"}}${' '.repeat(round)}`)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    expect(prices[0]).toBe('probe=0.02')
  } finally {
    await watch.stop()
  }
})

it('says in a sentence what costs something else now, and what of a wrong file is not taken', async () => {
  const file = join(folder, 'told.json')
  const at = (usd: string) =>
    defineTool({
      ...testTool,
      access: { mode: 'paid', usd },
      slug: 'probe',
      name: 'Probe',
      family: 'agentic',
      category: 'tests',
      input: z.strictObject({}),
      output: z.strictObject({}),
      examples: [],
      run: () => ({}),
    })
  const told: string[] = []
  let isWrong = false
  const watch = watchConfiguration({
    rereading: {
      files: [file],
      read: () =>
        isWrong
          ? Promise.reject(new ConfigError(['told.json: prices.probe: must be dollars']))
          : Promise.resolve({ tools: [at('0.02')], waiting: ['TOLLGATE_SERVER_NAME'] }),
      settings: () => Promise.reject(new Error('Nothing is started anew here.')),
    },
    tools: [at('0.01')],
    reoffer: async () => {},
    log: silentLog,
    tell: (sentence) => told.push(sentence),
  })
  const writeUntil = async (isTold: () => boolean): Promise<void> => {
    for (let round = 0; round < 120 && !isTold(); round += 1) {
      await writeFile(file, `${String(isWrong)}${' '.repeat(round)}`)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  try {
    await writeUntil(() => told.length >= 2)
    expect(told.slice(0, 2)).toEqual([
      'The configuration was read again. probe: $0.01 is now $0.02.',
      'Taken at the next start: TOLLGATE_SERVER_NAME.',
    ])
    isWrong = true
    await writeUntil(() => told.some((one) => one.includes('not taken')))
    expect(told.at(-1)).toBe(
      'The changed configuration is not taken, everything stays as it was. told.json: prices.probe: must be dollars.',
    )
  } finally {
    await watch.stop()
  }
})
