import type { Database } from './database.ts'
import type { Write } from './group-commit.ts'
import { createCleaner } from './sqlite-cleaning.ts'
import { isRecord } from '../platform/record.ts'
import { readPayer } from './rows.ts'
import type { CounterStore, NoteStore, PayerStore } from './store.ts'

/** Counters and single-use marks in SQLite. */
export function createSqliteCounters(db: Database, write: Write): CounterStore {
  const take = db.prepare(`insert into counters (key, window, used) values (?, ?, 1)
    on conflict (key, window) do update set used = used + 1 where used < ? returning used`)
  const used = db.prepare('select used from counters where key = ? and window = ?')
  const giveBack = db.prepare('update counters set used = used - 1 where key = ? and window = ? and used > 0')
  const dropMark = db.prepare('delete from marks where key = ? and expires_at <= ?')
  const mark = db.prepare('insert into marks (key, expires_at) values (?, ?) on conflict (key) do nothing')
  const dropCounters = createCleaner(db, write, { table: 'counters', key: 'key', due: 'window < ?1' })
  const dropMarks = createCleaner(db, write, { table: 'marks', key: 'key', due: 'expires_at <= ?1' })
  return {
    take: (key, window, limit) =>
      write(() => {
        const row: unknown = limit > 0 ? take.get(key, window, limit) : undefined
        if (isRecord(row)) return { taken: true, used: Number(row['used']) }
        const now: unknown = used.get(key, window)
        return { taken: false, used: isRecord(now) ? Number(now['used']) : 0 }
      }),
    giveBack: (key, window) => write(() => void giveBack.run(key, window)),
    claimOnce: (key, expiresAt, now, durable = false) =>
      write(() => {
        dropMark.run(key, now)
        return mark.run(key, expiresAt).changes === 1
      }, durable),
    sweep: async (window, now) => {
      await dropCounters(window)
      await dropMarks(now)
    },
  }
}

/** Notes in SQLite. */
export function createSqliteNotes(db: Database, write: Write): NoteStore {
  const read = db.prepare('select value from notes where name = ?')
  const put = db.prepare(
    'insert into notes (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  const add = db.prepare('insert into notes (name, value) values (?, ?) on conflict (name) do nothing')
  const change = db.prepare('update notes set value = ? where name = ? and value = ?')
  return {
    get: async (name) => {
      const row: unknown = read.get(name)
      return isRecord(row) ? String(row['value']) : undefined
    },
    set: (name, value) => write(() => void put.run(name, value), true),
    replace: (name, before, value) =>
      write(() => (before === undefined ? add.run(name, value) : change.run(value, name, before)).changes === 1, true),
  }
}

/** Payers in SQLite. */
export function createSqlitePayers(db: Database, write: Write): PayerStore {
  const read = db.prepare('select paid_at, strikes, strikes_until from payers where payer = ?')
  const paid = db.prepare(`insert into payers (payer, paid_at, strikes, strikes_until) values (?, ?, 0, 0)
    on conflict (payer) do update set paid_at = excluded.paid_at`)
  const strike = db.prepare(`insert into payers (payer, strikes, strikes_until) values (?1, ?2, ?3)
    on conflict (payer) do update set
      strikes = case when strikes_until <= ?4 then ?2 else strikes + ?2 end,
      strikes_until = case when strikes_until <= ?4 then ?3 else strikes_until end
    returning paid_at, strikes, strikes_until`)
  const drop = (now: number): ((paidBefore: number) => Promise<number>) =>
    createCleaner(db, write, {
      table: 'payers',
      key: 'payer',
      due: `strikes_until <= ${now} and (paid_at is null or paid_at < ?1)`,
    })
  return {
    get: async (payer) => readPayer(read.get(payer)),
    notePaid: (payer, now) => write(() => void paid.run(payer, now)),
    strike: (payer, { weight, until, now }) =>
      write(() => readPayer(strike.get(payer, weight, until, now)) ?? { hasPaid: false, strikes: 0, strikesUntil: 0 }),
    sweep: (paidBefore, now) => drop(Math.floor(now))(paidBefore),
  }
}
