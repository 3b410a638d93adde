import { existsSync } from 'node:fs'

import { type Books, booksOver } from './books.ts'
import { sqlite } from './database.ts'
import { openPool } from './postgres-pool.ts'
import { isRecord } from './rows.ts'

/** Reads the ledger's file while a server may be writing it. Undefined where there is none yet. */
export async function openSqliteBooks(path: string): Promise<Books | undefined> {
  if (!existsSync(path)) return undefined
  const open = await sqlite()
  const db = open(path)
  // A reader in WAL mode neither waits for the server nor holds it up.
  db.exec('pragma query_only=on')
  db.exec('pragma busy_timeout=5000')
  return booksOver(
    async (sql) => db.prepare(sql).all(),
    async () => db.close(),
    db.prepare("select 1 as found from sqlite_master where name = 'accounts'").get() !== undefined,
  )
}

/** Reads the ledger that several nodes share. */
export async function openPostgresBooks(url: string): Promise<Books> {
  const pool = await openPool(url, {
    max: 2,
    statement_timeout: 60_000,
    application_name: 'tollgate books',
    options: '-c default_transaction_read_only=on',
  })
  const ask = async (sql: string): Promise<readonly unknown[]> => (await pool.query(sql)).rows
  const found: unknown = (await ask("select to_regclass('accounts') is not null as found"))[0]
  return booksOver(ask, () => pool.end(), isRecord(found) && found['found'] === true)
}
