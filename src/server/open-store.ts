import { join } from 'node:path'

import type { Config } from '../platform/config.ts'
import type { Store } from '../store/store.ts'

/** Where the ledger is: Postgres when several nodes share it, else one file. */
export async function openStore(config: Config): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await import('../store/postgres.ts')
    try {
      return await openPostgresStore(config.databaseUrl)
    } catch (cause) {
      throw new Error('The ledger cannot be opened at the DATABASE_URL.', { cause })
    }
  }
  const { openSqliteStore } = await import('../store/sqlite.ts')
  return openSqliteStore(join(config.dataDir, 'ledger.db'))
}
