import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { parseConfig } from '../../platform/config.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import { createAskBooks } from './ask.ts'

const thread = new URL('../../../transports/books-thread.ts', import.meta.url)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-ask-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const call = { answered: 3, failed: 0, firstFailedAt: null, lastFailedAt: null }

const configOf = (dataDir: string) => parseConfig({ TOLLGATE_DATA_DIR: dataDir })

it('reads the ledger in a thread that ends, beside the process that writes it, and says the same as here', async () => {
  const store = await openSqliteStore(join(folder, 'ledger.db'))
  const hour = Math.floor(Date.now() / 3_600_000)
  await store.tallies.add([{ hour, kind: 'call', tool: 'gas', label: 'payment', count: 3 }])
  const config = configOf(folder)
  await store.outcomes.add([{ ...call, hour, kind: 'tool', name: 'gas' }])
  for (const question of [{ kind: 'overview', since: 0 } as const, { kind: 'history', now: Date.now() } as const]) {
    const read = await createAskBooks(config, thread)(question)
    expect(read).toBe(await createAskBooks(config, undefined)(question))
    expect(read).toContain('gas')
  }
  // The ledger may be closed and moved at once: the thread holds nothing of it any more.
  await store.close()
})

it('finds a damaged page that the head of the file does not show', async () => {
  const path = join(folder, 'ledger.db')
  const store = await openSqliteStore(path)
  for (let hour = 0; hour < 400; hour += 1) {
    await store.tallies.add([{ hour, kind: 'call', tool: `tool-${hour}`, label: 'payment', count: 1 }])
  }
  const ask = createAskBooks(configOf(folder), thread)
  expect(await ask({ kind: 'fault' })).toBe('null')
  await store.close()
  const bytes = readFileSync(path)
  bytes.fill(0xff, bytes.length - 8_192)
  writeFileSync(path, bytes)
  expect(JSON.parse(await ask({ kind: 'fault' }))).toMatch(/./)
})

it('says that there is no ledger yet, and that one cannot be read', async () => {
  const ask = createAskBooks(configOf(folder), thread)
  expect(await ask({ kind: 'overview', since: 0 })).toBe('null')
  writeFileSync(join(folder, 'ledger.db'), 'no database at all')
  await expect(ask({ kind: 'overview', since: 0 })).rejects.toMatchObject({ code: 'unavailable', charged: false })
  await expect(
    createAskBooks(configOf(folder), new URL('nowhere.ts', thread))({ kind: 'history', now: Date.now() }),
  ).rejects.toMatchObject({
    code: 'unavailable',
  })
})
