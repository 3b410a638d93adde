import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

import { type Database, type OpenDatabase, sqlite } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { type Lock, takeLock } from './lock.ts'
import { createSqliteCounters, createSqliteNotes } from './sqlite-counters.ts'
import { createSqlitePayments } from './sqlite-payments.ts'
import { openLedger } from './sqlite-schema.ts'
import type { Store } from './store.ts'

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

function createStore(db: Database, path: string, lock: Lock | undefined): Store {
  const { write, flush } = createGroupCommit(db)
  return {
    payments: createSqlitePayments(db, write),
    counters: createSqliteCounters(db, write),
    notes: createSqliteNotes(db, write),
    check: async () => {
      const probe = `check:${process.pid}`
      await write(
        () => db.prepare('insert into marks (key, expires_at) values (?, 0) on conflict (key) do nothing').run(probe),
        true,
      )
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
