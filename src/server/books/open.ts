import { join } from 'node:path'

import type { Config } from '../../platform/config.ts'
import type { Books } from '../../store/books.ts'

/** Opens the configured ledger for reading, beside the server that writes it. Undefined where there is none yet. */
export async function openBooks({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Books | undefined> {
  const { openPostgresBooks, openSqliteBooks } = await import('../../store/open-books.ts')
  return databaseUrl === undefined ? openSqliteBooks(join(dataDir, 'ledger.db')) : openPostgresBooks(databaseUrl)
}

/** What is wrong with the ledger's file; undefined where nothing is, and where it is no file. */
export async function faultOfLedger({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<string | undefined> {
  if (databaseUrl !== undefined) return undefined
  const { faultOfSqlite } = await import('../../store/open-books.ts')
  return faultOfSqlite(join(dataDir, 'ledger.db'))
}
