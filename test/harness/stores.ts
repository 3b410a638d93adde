import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openPostgresStore } from '../../src/store/postgres.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import type { Store } from '../../src/store/store.ts'
import { freshDatabase } from './fresh-database.ts'

type Cleanups = (() => Promise<unknown>)[]

/** A kind of store; `opener` makes an empty ledger and returns what opens it, once or repeatedly. */
type Kind = { readonly name: string; readonly opener: () => Promise<() => Promise<Store>> }

/** The kinds of stores that are at hand. What they leave behind is added to `cleanups`. */
export function storeKinds(cleanups: Cleanups): readonly Kind[] {
  return [
    {
      name: 'SQLite',
      opener: async () => {
        const folder = await mkdtemp(join(tmpdir(), 'tollgate-ledger-'))
        cleanups.push(() => rm(folder, { recursive: true, force: true }))
        return () => openSqliteStore(join(folder, 'ledger.db'))
      },
    },
    ...wherePostgres(cleanups, (fresh) => ({
      name: 'Postgres',
      opener: async () => {
        const url = await fresh()
        return () => openPostgresStore(url)
      },
    })),
  ]
}

/**
 * One row where TOLLGATE_TEST_DATABASE_URL names a Postgres, else none; each call of `fresh` makes an empty database.
 */
export function wherePostgres<T>(cleanups: Cleanups, rowOf: (fresh: () => Promise<string>) => T): readonly T[] {
  const server = process.env['TOLLGATE_TEST_DATABASE_URL']
  if (server === undefined) return []
  const fresh = async (): Promise<string> => {
    const { url, drop } = await freshDatabase(server)
    cleanups.push(drop)
    return url
  }
  return [rowOf(fresh)]
}
