import { isBusy, type OpenDatabase } from './database.ts'

/** Held for as long as the process lives. */
export type Lock = { readonly release: () => void }

/** A server that is being replaced may take this long to let go. */
const patienceMs = 2_000

/**
 * Takes the ledger for this process alone. Two processes on one file would each take up the other's payments as left over
 * by a crash. The lock is SQLite's own exclusive lock on a file of its own beside the ledger: the system drops it when the
 * process dies, however it dies, so none is ever left behind; and the ledger itself can still be read and copied by others.
 * @throws Error where another process holds it.
 */
export function takeLock(open: OpenDatabase, ledger: string): Lock {
  const db = open(`${ledger}.lock`)
  try {
    db.exec(`pragma busy_timeout=${patienceMs}`)
    db.exec('begin exclusive')
  } catch (cause) {
    db.close()
    if (isBusy(cause)) {
      throw new Error(
        `The ledger ${ledger} is in use by another Tollgate. Stop that one, set another TOLLGATE_DATA_DIR, or use Postgres (DATABASE_URL) for several.`,
        { cause },
      )
    }
    throw cause
  }
  return {
    release: () => {
      // Closing alone keeps the lock until the connection is collected.
      db.exec('rollback')
      db.close()
    },
  }
}
