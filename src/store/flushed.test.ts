import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { claimOf, hex } from '../../test/harness/claim.ts'
import { type AccountName, type Draw, type Entry, topUpSlug } from './accounts.ts'
import { isRecord } from '../platform/record.ts'
import { type Database, sqlite } from './database.ts'
import { openSqliteStore } from './sqlite.ts'
import type { Claim, Store } from './store.ts'
import type { MoveName } from './transitions.ts'

const now = 1_800_000_000_000
const limits = { inFlight: 100, failures: 100, failuresSince: 0 }

let folder: string
let store: Store
/** Whether each commit so far was flushed, as SQLite says at the moment of the commit. */
let commits: boolean[]

function watched(db: Database): Database {
  const level = db.prepare('pragma synchronous')
  const note = (): void => {
    const row: unknown = level.get()
    commits.push(isRecord(row) && row['synchronous'] === 2)
  }
  return {
    ...db,
    exec: (sql) => {
      if (sql === 'commit') note()
      db.exec(sql)
    },
    prepare: (sql) => {
      const statement = db.prepare(sql)
      if (sql !== 'commit') return statement
      return {
        ...statement,
        run: (...values) => {
          note()
          return statement.run(...values)
        },
      }
    },
  }
}

beforeEach(async () => {
  commits = []
  folder = await mkdtemp(join(tmpdir(), 'tollgate-flushed-'))
  const open = await sqlite()
  store = await openSqliteStore(join(folder, 'ledger.db'), (path) => watched(open(path)))
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** Whether what was committed by this work was flushed. */
async function isFlushed(work: () => Promise<unknown>): Promise<boolean> {
  const before = commits.length
  await work()
  expect(commits.length).toBe(before + 1)
  return commits.at(-1) === true
}

async function claimed(changes: Partial<Claim> = {}): Promise<Claim> {
  const claim = claimOf(now, changes)
  expect(await store.payments.claim(claim, limits)).toEqual({ kind: 'claimed' })
  return claim
}

const move = (as: MoveName, { id }: Pick<Claim, 'id'>, entry?: Entry): Promise<boolean> =>
  store.payments.move({ as, id, now, ...(entry === undefined ? {} : { entry }) })

function entryOf({ id, network, asset, payer }: Claim, kind: Entry['kind']): Entry {
  const account = { network, asset, payer }
  return { id: `${kind}:${id}`, account, kind, amount: 10_000n, reason: '', paymentId: id, now }
}

describe('what is on the disk before anybody is told', () => {
  it('is that a payment failed or was lost, whose payer is then asked to sign again', async () => {
    const failed = await claimed()
    expect(await isFlushed(() => move('intend', failed))).toBe(true)
    expect(await isFlushed(() => move('fail', failed))).toBe(true)
    const lost = await claimed()
    await move('intend', lost)
    await move('settle', lost)
    expect(await isFlushed(() => move('writeOff', lost))).toBe(true)
  })

  it('is that a payment was refused, or is tried once more of three times', async () => {
    const refused = claimOf(now)
    expect(await isFlushed(() => store.payments.refuse({ ...refused, until: now + 1 }))).toBe(true)
    const again = await claimed()
    await move('abort', again)
    expect(await isFlushed(() => store.payments.reclaim(again, { inFlight: 9, attempts: 3 }))).toBe(true)
  })

  it('is whatever changes the sum of a purse: a top-up that landed, a credit, what is taken back', async () => {
    const topUp = await claimed({ tool: topUpSlug })
    await move('intend', topUp)
    expect(await isFlushed(() => move('land', topUp, entryOf(topUp, 'topUp')))).toBe(true)
    expect(await isFlushed(() => store.accounts.enter(entryOf(topUp, 'grant')))).toBe(true)
    expect(await isFlushed(() => store.accounts.enter(entryOf(topUp, 'forfeit')))).toBe(true)
  })

  it('is that an answer was repaired, that a sign-in that spends was used up, and what is noted beyond the life of a process', async () => {
    const sold = await claimed()
    await move('intend', sold)
    await move('settle', sold)
    expect(await isFlushed(() => move('repair', sold))).toBe(true)
    expect(await isFlushed(() => store.notes.set('a', 'b'))).toBe(true)
    expect(await isFlushed(() => store.counters.claimOnce('siwe|a|b', now + 1, now, true))).toBe(true)
  })
})

describe('what need not be on the disk', () => {
  it('is what a plain paid call goes through but for the intent to settle, which looking again brings back', async () => {
    const claim = claimOf(now)
    expect(await isFlushed(() => store.payments.claim(claim, limits))).toBe(false)
    await move('intend', claim)
    expect(await isFlushed(() => move('settle', claim))).toBe(false)
    expect(await isFlushed(() => move('recheck', claim))).toBe(false)
    expect(await isFlushed(() => move('confirm', claim))).toBe(false)
  })

  it('is a draw, which is then taken from nobody', async () => {
    const account: AccountName = { network: 'eip155:8453', asset: '0xa', payer: '0xb' }
    await store.accounts.enter({ ...entryOf(claimOf(now), 'grant'), account })
    const draw: Draw = {
      id: hex(32),
      account,
      tool: 'probe',
      opHash: hex(32),
      keyHash: null,
      purse: 'credit',
      amount: 1n,
      owner: 'me',
      leaseUntil: now,
      payloadHash: null,
      now,
    }
    expect(await isFlushed(() => store.accounts.reserve(draw))).toBe(false)
    const taking = { ...draw, result: new Uint8Array(), resultHash: '' }
    expect(await isFlushed(() => store.accounts.take(taking))).toBe(false)
  })
})

describe('a ledger that is opened', () => {
  it('is flushed as it was found, whatever the process before had flushed', () => {
    expect(commits[0]).toBe(true)
  })

  it('holds no idempotency key for a claim whose process is gone', async () => {
    const keyHash = hex(32)
    const left = await claimed({ keyHash })
    const handedOn = await claimed()
    await move('intend', handedOn)
    await store.close()
    store = await openSqliteStore(join(folder, 'ledger.db'))
    const row = await store.payments.get(left.id)
    expect(row).toMatchObject({ state: 'ABORTED', reason: 'interrupted', keyHash: null, settlement: '' })
    expect((await store.payments.get(handedOn.id))?.state).toBe('SETTLING')
    await claimed({ payer: left.payer, keyHash })
    expect(await store.payments.reclaim({ ...left, keyHash: null }, { inFlight: 9, attempts: 3 })).toBe('claimed')
  })
})
