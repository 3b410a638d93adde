import { statSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, expect, it } from 'vitest'

import { sqlite } from '../../src/store/database.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { callMcp, callTool, richWallet, rowsOf } from '../money/test-server.ts'
import { serversOfTests } from '../money/servers-of-tests.ts'
import { pay } from '../money/payer.ts'

const startServer = serversOfTests()
const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function freshLedger(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-storage-'))
  folders.push(folder)
  return join(folder, 'data', 'ledger.db')
}

it('a payment object of a megabyte is refused before it is stored or handed on', async () => {
  const server = await startServer()
  const payment = await pay(richWallet(server), await server.acceptsOf('probe'))
  const fat = { ...payment.v2, extensions: { filler: 'x'.repeat(200_000) } }
  const answer = await callMcp(server.url, 'probe', { text: 'x' }, { 'x402/payment': fat })
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'invalid_payment', charged: false } })
  expect(await rowsOf(server.store)).toBe(0)
  expect(server.facilitator.calls()).toHaveLength(0)
})

it('a payment that ended keeps no body of its facilitator calls', async () => {
  const server = await startServer()
  const payment = await pay(richWallet(server), await server.acceptsOf('probe'))
  const v2 = { ...payment.v2, extensions: { filler: 'x'.repeat(8_000) } }
  await callMcp(server.url, 'probe', { text: 'broken' }, { 'x402/payment': v2 })
  expect(await server.store.payments.get(payment.id)).toMatchObject({ state: 'ABORTED', settlement: '' })
})

it('one wallet cannot make runs for nothing without end', async () => {
  const server = await startServer()
  const wallet = richWallet(server)
  const accepts = await server.acceptsOf('probe')
  const statuses = []
  for (let index = 0; index < 14; index += 1) {
    const payment = await pay(wallet, accepts)
    const answer = await callTool(server.url, 'probe', { text: 'missing' }, { 'payment-signature': payment.header })
    statuses.push(answer.status)
  }
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 400))
  expect(statuses.slice(10)).toEqual([429, 429, 429, 429])
  expect(server.probes.runs()).toBe(10)
})

it('the ledger is readable for its owner only', async () => {
  const path = await freshLedger()
  const store = await openSqliteStore(path)
  await store.check()
  for (const end of ['', '-wal', '-shm', '.lock'])
    expect((statSync(`${path}${end}`).mode & 0o777).toString(8)).toBe('600')
  expect((statSync(join(path, '..')).mode & 0o777).toString(8)).toBe('700')
  await store.close()
})

// Each lock by itself: the test of one must not pass because of the other.

it('a second process does not get in by a symbolic link, by the lock on a file alone', async () => {
  const path = await freshLedger()
  await (await openSqliteStore(path)).close()
  const link = join(path, '..', 'other.db')
  symlinkSync(path, link)
  const holder = (await sqlite())(`${path}.lock`)
  holder.exec('begin exclusive')
  await expect(openSqliteStore(link)).rejects.toThrow('in use')
  holder.exec('rollback')
  holder.close()
  await (await openSqliteStore(link)).close()
})

it.runIf(process.platform === 'linux')('nor after the lock file was deleted, by the lock on a name alone', async () => {
  const path = await freshLedger()
  const store = await openSqliteStore(path)
  await rm(`${path}.lock`)
  await expect(openSqliteStore(path)).rejects.toThrow('in use')
  await store.close()
  await (await openSqliteStore(path)).close()
})
