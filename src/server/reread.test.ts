import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { silentLog } from '../platform/log.ts'
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
