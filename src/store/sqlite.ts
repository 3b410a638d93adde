import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

import { type Database, type OpenDatabase, sqlite, type Statement } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { type Lock, takeLock } from './lock.ts'
import { changeable, columnOf, columns, isRecord, readRow } from './rows.ts'
import type { Claim, ClaimLimits, ClaimResult, Move, PaymentRow, Store } from './store.ts'

/**
 * A payment is one narrow row, because every move rewrites its row: what is large and never changes (the body of the
 * facilitator calls, the answer) lies beside it, under the row's number. For the same reason an index holds only the rows
 * that somebody looks for by it, and the log is only appended to. No triggers and no "insert … select": with either, SQLite
 * makes a temporary table for each statement, which costs more than the write.
 */
const schema = `
create table if not exists payments (
  seq integer primary key,
  id text not null unique,
  state text not null,
  network text not null,
  asset text not null,
  payer text not null,
  nonce text not null,
  amount text not null,
  pay_to text not null,
  valid_before integer not null,
  proof_hash text not null,
  op_hash text not null,
  key_hash text,
  tool text not null,
  owner text not null,
  lease_until integer not null,
  attempts integer not null,
  result_hash text,
  receipt text,
  tx text,
  block integer,
  reason text,
  probes integer not null,
  next_probe_at integer,
  created_at integer not null,
  updated_at integer not null
) strict;
create table if not exists payment_settlements (
  seq integer primary key,
  settlement text not null
) strict;
create table if not exists payment_results (
  seq integer primary key,
  result blob not null
) strict;
create unique index if not exists payments_key on payments (payer, key_hash)
  where key_hash is not null and state <> 'FAILED' and state <> 'LOST';
create index if not exists payments_open on payments (payer)
  where state in ('CLAIMED', 'SETTLING', 'UNKNOWN', 'FAILED');
create index if not exists payments_lease on payments (lease_until) where state in ('CLAIMED', 'SETTLING');
create index if not exists payments_probe on payments (next_probe_at) where next_probe_at is not null;
create table if not exists payment_log (
  id text not null,
  at integer not null,
  from_state text,
  to_state text not null,
  reason text
) strict;
create table if not exists counters (
  key text not null,
  window text not null,
  used integer not null,
  primary key (key, window)
) strict, without rowid;
create table if not exists marks (
  key text primary key,
  expires_at integer not null
) strict, without rowid;
`

/** The schema's version; a file of a newer version is refused rather than misread. */
const version = 2

/** Until version 1 a payment was one wide row without a number of its own. */
const fromVersion1 = {
  before: `
drop index payments_key;
drop index payments_payer;
drop index payments_lease;
drop index payments_probe;
drop index payment_log_id;
alter table payments rename to payments_1;
`,
  after: `
insert into payments (id, state, network, asset, payer, nonce, amount, pay_to, valid_before, proof_hash, op_hash, key_hash,
    tool, owner, lease_until, attempts, result_hash, receipt, tx, block, reason, probes, next_probe_at, created_at, updated_at)
  select id, state, network, asset, payer, nonce, amount, pay_to, valid_before, proof_hash, op_hash, key_hash,
    tool, owner, lease_until, attempts, result_hash, receipt, tx, block, reason, probes, next_probe_at, created_at, updated_at
  from payments_1 order by created_at;
insert into payment_settlements (seq, settlement)
  select payments.seq, payments_1.settlement from payments join payments_1 using (id);
insert into payment_results (seq, result)
  select payments.seq, payments_1.result from payments join payments_1 using (id) where payments_1.result is not null;
drop table payments_1;
`,
} as const

const whole = 'payments left join payment_settlements using (seq) left join payment_results using (seq)'

/**
 * The embedded store: one SQLite file, one process. WAL, so readers never wait; a commit is flushed to the disk only
 * where a move says `durable`, because every other one only has to survive the death of the process.
 * @param path a file, or `:memory:`.
 */
export async function openSqliteStore(path: string, open?: OpenDatabase): Promise<Store> {
  const openDatabase = open ?? (await sqlite())
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const lock = path === ':memory:' ? undefined : takeLock(openDatabase, path)
  try {
    return createStore(openLedger(openDatabase(path), path), path, lock)
  } catch (error) {
    lock?.release()
    throw error
  }
}

function openLedger(db: Database, path: string): Database {
  db.exec('pragma journal_mode=WAL')
  db.exec('pragma busy_timeout=5000')
  db.exec('pragma synchronous=NORMAL')
  // A page that was written twenty times is copied into the file once, if that is not done every 4 MB.
  db.exec('pragma wal_autocheckpoint=4096')
  db.exec('pragma cache_size=-32768')
  const found = readVersion(db)
  if (found > version) {
    db.close()
    throw new Error(`The ledger ${path} was written by a newer Tollgate (schema ${found}, this one knows ${version}).`)
  }
  db.exec('begin immediate')
  try {
    if (found === 1) db.exec(`${fromVersion1.before}${schema}${fromVersion1.after}`)
    db.exec(schema)
    db.exec(`pragma user_version=${version}`)
    db.exec('commit')
  } catch (error) {
    db.exec('rollback')
    throw error
  }
  // One process owns this file, so whatever is still leased belongs to a process that is gone: take it up at once.
  db.exec('update payments set lease_until = 0')
  return db
}

function readVersion(db: Database): number {
  const row: unknown = db.prepare('pragma user_version').get()
  return typeof row === 'object' && row !== null && 'user_version' in row ? Number(row.user_version) : 0
}

/** The answer lies in a table of its own. */
const movable = changeable.filter((name) => name !== 'result')

function createStore(db: Database, path: string, lock: Lock | undefined): Store {
  const getRow = db.prepare(`select ${columns} from ${whole} where id = ?`)
  const byKey = db.prepare(`select ${columns} from ${whole}
    where payer = ? and key_hash = ? and state <> 'FAILED' and state <> 'LOST'`)
  const insert =
    db.prepare(`insert into payments (id, state, network, asset, payer, nonce, amount, pay_to, valid_before,
    proof_hash, op_hash, key_hash, tool, owner, lease_until, attempts, probes, created_at, updated_at)
    values (?, 'CLAIMED', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, ?, ?)`)
  const again = db.prepare(`update payments set state = 'CLAIMED', proof_hash = ?, key_hash = ?, owner = ?,
    pay_to = ?, valid_before = ?, lease_until = ?, attempts = attempts + 1, reason = null, updated_at = ?
    where id = ? and state = 'ABORTED' and op_hash = ? and attempts < ?`)
  const putSettlement = db.prepare(`insert into payment_settlements (seq, settlement)
    values ((select seq from payments where id = ?1), ?2) on conflict (seq) do update set settlement = excluded.settlement`)
  const putResult = db.prepare(`insert into payment_results (seq, result)
    values ((select seq from payments where id = ?1), ?2) on conflict (seq) do update set result = excluded.result`)
  const dropResult = db.prepare('delete from payment_results where seq = (select seq from payments where id = ?)')
  // Reads only what its index holds: a payer's settled calls are many and do not matter here.
  const load = db.prepare(`select
      exists (select 1 from payments where id = ?1) as known,
      count(*) filter (where state <> 'FAILED') as open,
      count(*) filter (where state = 'FAILED' and updated_at >= ?3) as failed
    from payments indexed by payments_open
    where payer = ?2 and state in ('CLAIMED', 'SETTLING', 'UNKNOWN', 'FAILED')`)
  const dropSettlement = db.prepare(
    `delete from payment_settlements where seq = (select seq from payments where id = ? and owner = ? and state = 'CLAIMED')`,
  )
  const remove = db.prepare(`delete from payments where id = ? and owner = ? and state = 'CLAIMED'`)
  const log = db.prepare('insert into payment_log (id, at, from_state, to_state, reason) values (?, ?, ?, ?, ?)')
  // Each half walks its own index from the oldest on and stops: sorting all that is due would cost more the more there is.
  // Every payment without a known outcome has a next look, and those are indexed.
  const unknown = db.prepare(`select count(*) as n from payments where next_probe_at is not null and state = 'UNKNOWN'`)
  const due = db.prepare(`select ${columns} from ${whole} where id in (
      select * from (select id from payments
        where state in ('CLAIMED', 'SETTLING') and lease_until <= ?1 order by lease_until limit ?2)
      union select * from (select id from payments
        where next_probe_at is not null and next_probe_at <= ?1 and lease_until <= ?1 order by next_probe_at limit ?2)
    ) order by updated_at limit ?2`)
  const lease = db.prepare(
    'update payments set owner = ?, lease_until = ? where id = ? and owner = ? and lease_until = ?',
  )
  const take = db.prepare(`insert into counters (key, window, used) values (?, ?, 1)
    on conflict (key, window) do update set used = used + 1 where used < ? returning used`)
  const used = db.prepare('select used from counters where key = ? and window = ?')
  const giveBack = db.prepare('update counters set used = used - 1 where key = ? and window = ? and used > 0')
  const dropMark = db.prepare('delete from marks where key = ? and expires_at <= ?')
  const mark = db.prepare('insert into marks (key, expires_at) values (?, ?) on conflict (key) do nothing')
  const moves = new Map<string, Statement>()

  const { write, flush } = createGroupCommit(db)

  const insertClaim = (claim: Claim): void => {
    insert.run(
      claim.id,
      claim.network,
      claim.asset,
      claim.payer,
      claim.nonce,
      claim.amount,
      claim.payTo,
      claim.validBefore,
      claim.proofHash,
      claim.opHash,
      claim.keyHash,
      claim.tool,
      claim.owner,
      claim.leaseUntil,
      claim.now,
      claim.now,
    )
    putSettlement.run(claim.id, claim.settlement)
    log.run(claim.id, claim.now, null, 'CLAIMED', null)
  }

  const tryClaim = (claim: Claim, limits: ClaimLimits): ClaimResult => {
    const counts = readLoad(load.get(claim.id, claim.payer, limits.failuresSince))
    const known = counts.known ? readRow(getRow.get(claim.id)) : undefined
    if (known !== undefined) return { kind: 'known', row: known }
    if (claim.keyHash !== null) {
      const holder = readRow(byKey.get(claim.payer, claim.keyHash))
      if (holder !== undefined) return { kind: 'key-taken', row: holder }
    }
    if (counts.open >= limits.inFlight) return { kind: 'too-many', reason: 'in-flight' }
    if (counts.failed >= limits.failures) return { kind: 'too-many', reason: 'failures' }
    insertClaim(claim)
    return { kind: 'claimed' }
  }

  const moveStatement = (names: readonly (typeof movable)[number][], fromCount: number, owned: boolean) => {
    const key = `${names.join()}|${fromCount}|${owned}`
    const ready = moves.get(key)
    if (ready !== undefined) return ready
    const sets = names.map((name) => `, ${columnOf[name]} = ?`).join('')
    const from = Array.from({ length: fromCount }, () => '?').join()
    const statement = db.prepare(
      `update payments set state = ?, updated_at = ?${sets} where id = ? and state in (${from})${owned ? ' and owner = ?' : ''}`,
    )
    moves.set(key, statement)
    return statement
  }

  const applyMove = (move: Move): boolean => {
    const { result, ...changes } = move.changes ?? {}
    const names = movable.filter((name) => changes[name] !== undefined)
    const statement = moveStatement(names, move.from.length, move.owner !== undefined)
    const done = statement.run(
      move.to,
      move.now,
      ...names.map((name) => changes[name] ?? null),
      move.id,
      ...move.from,
      ...(move.owner === undefined ? [] : [move.owner]),
    )
    if (done.changes === 0) return false
    if (result === null) dropResult.run(move.id)
    else if (result !== undefined) putResult.run(move.id, result)
    log.run(move.id, move.now, move.from.join('|'), move.to, changes.reason ?? null)
    return true
  }

  return {
    payments: {
      claim: (claim, limits) => write(() => tryClaim(claim, limits)),
      reclaim: (claim, limits) =>
        write(() => {
          if (claim.keyHash !== null) {
            const holder = readRow(byKey.get(claim.payer, claim.keyHash))
            if (holder !== undefined && holder.id !== claim.id) return 'key-taken'
          }
          if (readLoad(load.get(claim.id, claim.payer, claim.now)).open >= limits.inFlight) return 'too-many'
          const done = again.run(
            claim.proofHash,
            claim.keyHash,
            claim.owner,
            claim.payTo,
            claim.validBefore,
            claim.leaseUntil,
            claim.now,
            claim.id,
            claim.opHash,
            limits.attempts,
          )
          if (done.changes === 0) return 'not-free'
          putSettlement.run(claim.id, claim.settlement)
          log.run(claim.id, claim.now, 'ABORTED', 'CLAIMED', 'again')
          return 'claimed'
        }),
      move: (move) => write(() => applyMove(move), move.durable),
      release: (id, owner, reason, now) =>
        write(() => {
          dropSettlement.run(id, owner)
          if (remove.run(id, owner).changes === 0) return false
          log.run(id, now, 'CLAIMED', 'RELEASED', reason)
          return true
        }),
      get: async (id) => readRow(getRow.get(id)),
      holderOf: async (payer, keyHash) => readRow(byKey.get(payer, keyHash))?.id,
      takeDue: (owner, now, leaseUntil, limit) =>
        write(() => {
          const taken: PaymentRow[] = []
          for (const raw of due.all(now, limit)) {
            const row = readRow(raw)
            if (row === undefined) continue
            if (lease.run(owner, leaseUntil, row.id, row.owner, row.leaseUntil).changes === 1) {
              taken.push({ ...row, owner, leaseUntil })
            }
          }
          return taken
        }),
      unknown: async () => {
        const row: unknown = unknown.get()
        return isRecord(row) ? Number(row['n']) : 0
      },
      totals: async () => {
        const counts: Record<string, number> = {}
        let settledAtomic = 0n
        for (const row of db.prepare('select state, count(*) as n from payments group by state').all()) {
          if (isRecord(row)) counts[String(row['state'])] = Number(row['n'])
        }
        const paid = db.prepare(
          `select amount, count(*) as n from payments where state in ('SETTLED', 'CONFIRMED') group by amount`,
        )
        for (const row of paid.all()) {
          if (isRecord(row)) settledAtomic += BigInt(String(row['amount'])) * BigInt(Number(row['n']))
        }
        return { counts, settledAtomic }
      },
      dropResults: (before) =>
        write(
          () =>
            db
              .prepare(
                `delete from payment_results where seq in (select seq from payment_results join payments using (seq)
                  where updated_at < ? and state in ('SETTLED', 'CONFIRMED', 'FAILED', 'LOST'))`,
              )
              .run(before).changes,
        ),
    },
    counters: {
      take: (key, window, limit) =>
        write(() => {
          const row: unknown = limit > 0 ? take.get(key, window, limit) : undefined
          if (isRecord(row)) return { taken: true, used: Number(row['used']) }
          const now: unknown = used.get(key, window)
          return { taken: false, used: isRecord(now) ? Number(now['used']) : 0 }
        }),
      giveBack: async (key, window) => {
        giveBack.run(key, window)
      },
      claimOnce: (key, expiresAt, now) =>
        write(() => {
          dropMark.run(key, now)
          return mark.run(key, expiresAt).changes === 1
        }),
      sweep: async (window, now) => {
        db.prepare('delete from counters where window < ?').run(window)
        db.prepare('delete from marks where expires_at <= ?').run(now)
      },
    },
    check: async () => {
      const probe = `check:${process.pid}`
      await write(() => mark.run(probe, 0), true)
      db.prepare('delete from marks where key = ?').run(probe)
    },
    close: async () => {
      flush()
      if (path !== ':memory:') db.exec('pragma wal_checkpoint(TRUNCATE)')
      db.close()
      lock?.release()
    },
  }
}

function readLoad(row: unknown): { known: boolean; open: number; failed: number } {
  if (!isRecord(row)) return { known: false, open: 0, failed: 0 }
  return { known: Number(row['known']) === 1, open: Number(row['open']), failed: Number(row['failed']) }
}
