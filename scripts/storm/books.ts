import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** A payment as the ledger's tables have it, read past the server. */
export type BookRow = {
  readonly id: string
  readonly state: string
  readonly amount: string
  /** Whether an answer lies there whose bytes fit their hash. */
  readonly isWhole: boolean
  readonly result: string | undefined
  readonly reason: string | null
  readonly nextProbeAt: number | null
}

export type LogLine = {
  readonly id: string
  readonly at: number
  readonly from: string | null
  readonly to: string
  readonly reason: string | null
}

/** The ledger as somebody sees it who opens its database beside the server. */
export type Books = {
  readonly rowOf: (id: string) => Promise<BookRow | undefined>
  readonly rows: () => Promise<readonly BookRow[]>
  readonly counts: () => Promise<Readonly<Record<string, number>>>
  readonly log: () => Promise<readonly LogLine[]>
  readonly close: () => Promise<void>
}

const fields = 'id, state, amount, reason, result, result_hash, next_probe_at'
const logFields = 'id, at, from_state, to_state, reason'
const countQuery = 'select state, count(*) as n from payments group by state'

/** @param path of the ledger's file. It is opened for each look, because whoever keeps it open spares the server its recovery. */
export function booksOfSqlite(path: string): Books {
  const all = async (query: string, ...values: string[]): Promise<Record<string, unknown>[]> => {
    if (!existsSync(path)) return []
    const db = new DatabaseSync(path, { readOnly: true, timeout: 2_000 })
    try {
      return db.prepare(query).all(...values)
    } finally {
      db.close()
    }
  }
  return booksOf(all, 'payments left join payment_results using (seq)', '?', async () => {})
}

export async function booksOfPostgres(url: string): Promise<Books> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  const all = async (query: string, ...values: string[]): Promise<Record<string, unknown>[]> =>
    (await pool.query<Record<string, unknown>>(query, values)).rows
  return booksOf(all, 'payments', '$1', () => pool.end())
}

function booksOf(
  all: (query: string, ...values: string[]) => Promise<Record<string, unknown>[]>,
  table: string,
  first: string,
  close: () => Promise<void>,
): Books {
  return {
    rowOf: async (id) => (await all(`select ${fields} from ${table} where id = ${first}`, id)).map(rowOf)[0],
    rows: async () => (await all(`select ${fields} from ${table}`)).map(rowOf),
    counts: async () =>
      Object.fromEntries((await all(countQuery)).map((row) => [String(row['state']), Number(row['n'])])),
    log: async () =>
      (await all(`select ${logFields} from payment_log`)).map((row) => ({
        id: String(row['id']),
        at: Number(row['at']),
        from: textOf(row['from_state']),
        to: String(row['to_state']),
        reason: textOf(row['reason']),
      })),
    close,
  }
}

function rowOf(row: Record<string, unknown>): BookRow {
  const result = row['result']
  const bytes = result instanceof Uint8Array ? result : undefined
  return {
    id: String(row['id']),
    state: String(row['state']),
    amount: String(row['amount']),
    isWhole: bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === row['result_hash'],
    result: bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8'),
    reason: textOf(row['reason']),
    nextProbeAt: row['next_probe_at'] === null ? null : Number(row['next_probe_at']),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
