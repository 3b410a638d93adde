import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

import { one } from './postgres-connection.ts'
import { createPostgresCounters, createPostgresNotes, createPostgresPayers } from './postgres-counters.ts'
import { createPostgresPayments } from './postgres-payments.ts'
import { makeTables } from './postgres-schema.ts'
import { isRecord } from './rows.ts'
import type { Store } from './store.ts'

/**
 * The store for several nodes. Every commit is flushed (`synchronous_commit` is on), rows are leased to the node that
 * looks after them, and no node needs to know of another.
 * @param url `postgres://…`
 */
export async function openPostgresStore(url: string): Promise<Store> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 3_000,
    idle_in_transaction_session_timeout: 5_000,
    application_name: 'tollgate',
  })
  // A connection that dies while it is idle is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  // One that dies while it is in use fails the query at hand as well; that one is heard of.
  pool.on('connect', (client) => {
    client.on('error', () => {})
  })
  try {
    await makeTables(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  return createStore(pool)
}

function createStore(pool: Pool): Store {
  return {
    payments: createPostgresPayments(pool),
    counters: createPostgresCounters(pool),
    notes: createPostgresNotes(pool),
    payers: createPostgresPayers(pool),
    check: async () => {
      const row = await one(pool, `select current_setting('synchronous_commit') as flush`, [])
      if (isRecord(row) && row['flush'] === 'off') {
        throw new Error(
          'The database does not flush its commits (synchronous_commit is off): a payment could be forgotten.',
        )
      }
      const probe = `check:${randomUUID()}`
      await pool.query('insert into marks (key, expires_at) values ($1, 0)', [probe])
      await pool.query('delete from marks where key = $1', [probe])
    },
    close: () => pool.end(),
  }
}
