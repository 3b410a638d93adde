import type { Pool } from 'pg'

import { one } from './postgres-connection.ts'
import { isRecord } from '../platform/record.ts'
import { readPayer } from './rows.ts'
import type { CounterStore, NoteStore, PayerStore } from './store.ts'

/** Counters and single-use marks in Postgres. */
export function createPostgresCounters(pool: Pool): CounterStore {
  return {
    take: async (key, window, limit) => {
      const row =
        limit > 0
          ? await one(
              pool,
              `insert into counters (key, "window", used) values ($1, $2, 1)
               on conflict (key, "window") do update set used = counters.used + 1 where counters.used < $3 returning used`,
              [key, window, limit],
            )
          : undefined
      if (isRecord(row)) return { taken: true, used: Number(row['used']) }
      const now = await one(pool, 'select used from counters where key = $1 and "window" = $2', [key, window])
      return { taken: false, used: isRecord(now) ? Number(now['used']) : 0 }
    },
    giveBack: async (key, window) => {
      await pool.query('update counters set used = used - 1 where key = $1 and "window" = $2 and used > 0', [
        key,
        window,
      ])
    },
    claimOnce: async (key, expiresAt, now) => {
      const done = await pool.query(
        `insert into marks (key, expires_at) values ($1, $2)
         on conflict (key) do update set expires_at = excluded.expires_at where marks.expires_at <= $3`,
        [key, expiresAt, now],
      )
      return done.rowCount === 1
    },
    sweep: async (window, now) => {
      await pool.query('delete from counters where "window" < $1', [window])
      await pool.query('delete from marks where expires_at <= $1', [now])
    },
  }
}

/** Notes in Postgres. */
export function createPostgresNotes(pool: Pool): NoteStore {
  return {
    get: async (name) => {
      const row = await one(pool, 'select value from notes where name = $1', [name])
      return isRecord(row) ? String(row['value']) : undefined
    },
    set: async (name, value) => {
      await pool.query(
        'insert into notes (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
        [name, value],
      )
    },
    replace: async (name, before, value) => {
      const done = await (before === undefined
        ? pool.query('insert into notes (name, value) values ($1, $2) on conflict (name) do nothing', [name, value])
        : pool.query('update notes set value = $1 where name = $2 and value = $3', [value, name, before]))
      return done.rowCount === 1
    },
  }
}

/** Payers in Postgres. */
export function createPostgresPayers(pool: Pool): PayerStore {
  return {
    get: async (payer) =>
      readPayer(await one(pool, 'select paid_at, strikes, strikes_until from payers where payer = $1', [payer])),
    notePaid: async (payer, now) => {
      await pool.query(
        `insert into payers (payer, paid_at, strikes, strikes_until) values ($1, $2, 0, 0)
         on conflict (payer) do update set paid_at = excluded.paid_at`,
        [payer, now],
      )
    },
    strike: async (payer, { weight, until, now }) => {
      const row = await one(
        pool,
        `insert into payers (payer, strikes, strikes_until) values ($1, $2, $3)
         on conflict (payer) do update set
           strikes = case when payers.strikes_until <= $4 then $2 else payers.strikes + $2 end,
           strikes_until = case when payers.strikes_until <= $4 then $3 else payers.strikes_until end
         returning paid_at, strikes, strikes_until`,
        [payer, weight, until, now],
      )
      return readPayer(row) ?? { hasPaid: false, strikes: 0, strikesUntil: 0 }
    },
    sweep: async (paidBefore, now) => {
      const done = await pool.query(
        'delete from payers where strikes_until <= $1 and (paid_at is null or paid_at < $2)',
        [now, paidBefore],
      )
      return done.rowCount ?? 0
    },
  }
}
