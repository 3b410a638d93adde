import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { openSqliteStore } from '../../src/store/sqlite.ts'
import { claimOf } from '../../test/harness/claim.ts'
import { runMain } from '../../test/harness/sandbox-process.ts'

const many = 101
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'payments-'))
  const store = await openSqliteStore(join(dataDir, 'ledger.db'))
  const limits = { inFlight: many, failures: many, failuresSince: 0 }
  for (let index = 0; index < many; index += 1) await store.payments.claim(claimOf(Date.now()), limits)
  await store.close()
})
afterAll(() => rm(dataDir, { recursive: true }))

async function payments(...args: readonly string[]): Promise<{ readonly lines: number; readonly said: string }> {
  const child = runMain(['payments', ...args], { TOLLGATE_DATA_DIR: dataDir })
  if (child.stdout === null || child.stderr === null) throw new Error('The program has no output.')
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { lines: out.trim().split('\n').length, said }
}

it('are all there where a program reads them, so that no sum is wrong', async () => {
  expect(await payments('--csv')).toEqual({ lines: 1 + many, said: '' })
})

it.each([
  ['a person', [], 100],
  ['a program that wants few', ['--csv', '--limit', '2'], 2],
])('are the newest for %s, and it is said that there are more', async (_name, args, shown) => {
  const { lines, said } = await payments(...args)
  expect(lines).toBe(1 + shown)
  expect(said).toContain(`These are the newest ${shown}; --limit shows more.`)
})
