import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

import { accountFaultsOf } from '../../src/store/account-books.ts'

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

/** A payer's own money, as the tables have it. Atomic units. */
export type PurseRow = {
  readonly payer: string
  readonly free: Readonly<Record<'prepaid' | 'credit', bigint>>
  readonly reserved: Readonly<Record<'prepaid' | 'credit', bigint>>
}

export type DrawnRow = {
  readonly id: string
  readonly payer: string
  readonly state: string
  /** Hash of the tool and the payer's key; null for a call without one. */
  readonly keyHash: string | null
  readonly purse: string
  readonly amount: bigint
  readonly isWhole: boolean
  readonly result: string | undefined
}

/** The ledger as somebody sees it who opens its database beside the server. */
export type Books = {
  readonly rowOf: (id: string) => Promise<BookRow | undefined>
  readonly rows: () => Promise<readonly BookRow[]>
  readonly counts: () => Promise<Readonly<Record<string, number>>>
  readonly log: () => Promise<readonly LogLine[]>
  readonly purses: () => Promise<readonly PurseRow[]>
  readonly draws: () => Promise<readonly DrawnRow[]>
  /** What the operator granted to each wallet. */
  readonly granted: () => Promise<ReadonlyMap<string, bigint>>
  /** What does not add up within the accounts, a sentence each. */
  readonly accountFaults: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

const fields = 'id, state, amount, reason, result, result_hash, next_probe_at'
const logFields = 'id, at, from_state, to_state, reason'
const countQuery = 'select state, count(*) as n from payments group by state'

/**
 * @param path of the ledger's file. It is opened for each look, because whoever keeps it open spares the server its
 * recovery.
 */
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
  const tables = {
    payments: 'payments left join payment_results using (seq)',
    draws: 'draws left join draw_results using (seq)',
  }
  return booksOf(all, tables, '?', async () => {})
}

export async function booksOfPostgres(url: string): Promise<Books> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  const all = async (query: string, ...values: string[]): Promise<Record<string, unknown>[]> =>
    (await pool.query<Record<string, unknown>>(query, values)).rows
  return booksOf(all, { payments: 'payments', draws: 'draws' }, '$1', () => pool.end())
}

function booksOf(
  all: (query: string, ...values: string[]) => Promise<Record<string, unknown>[]>,
  tables: Readonly<Record<'payments' | 'draws', string>>,
  first: string,
  close: () => Promise<void>,
): Books {
  const table = tables.payments
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
    purses: async () =>
      (await all(`select payer, prepaid_free, prepaid_reserved, credit_free, credit_reserved from accounts`)).map(
        (row) => ({
          payer: String(row['payer']),
          free: { prepaid: wholeOf(row['prepaid_free']), credit: wholeOf(row['credit_free']) },
          reserved: { prepaid: wholeOf(row['prepaid_reserved']), credit: wholeOf(row['credit_reserved']) },
        }),
      ),
    draws: async () =>
      (
        await all(`select id, payer, state, key_hash, purse, amount, result, result_hash from ${tables.draws}
          join accounts on accounts.account = draws.account`)
      ).map((row) => ({
        id: String(row['id']),
        payer: String(row['payer']),
        state: String(row['state']),
        keyHash: typeof row['key_hash'] === 'string' ? row['key_hash'] : null,
        purse: String(row['purse']),
        amount: wholeOf(row['amount']),
        ...resultOf(row),
      })),
    granted: async () => {
      const rows = await all(`select payer, sum(change) as granted from account_entries
        join accounts on accounts.account = account_entries.account where id like 'operator:%' group by payer`)
      return new Map(rows.map((row) => [String(row['payer']), wholeOf(row['granted'])]))
    },
    accountFaults: () => accountFaultsOf((query) => all(query)),
    close,
  }
}

function wholeOf(value: unknown): bigint {
  return BigInt(String(value))
}

/** The stored answer, and whether its bytes fit their hash. */
function resultOf(row: Record<string, unknown>): Pick<BookRow, 'isWhole' | 'result'> {
  const result = row['result']
  if (!(result instanceof Uint8Array)) return { isWhole: false, result: undefined }
  return {
    isWhole: createHash('sha256').update(result).digest('hex') === row['result_hash'],
    result: Buffer.from(result).toString('utf8'),
  }
}

function rowOf(row: Record<string, unknown>): BookRow {
  return {
    id: String(row['id']),
    state: String(row['state']),
    amount: String(row['amount']),
    ...resultOf(row),
    reason: textOf(row['reason']),
    nextProbeAt: row['next_probe_at'] === null ? null : Number(row['next_probe_at']),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
