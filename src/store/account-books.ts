import { type AccountName, type EntryRow, readEntry, topUpSlug, type TokenName } from './accounts.ts'

/** Money that a payer has here, as the operator looks at it. Atomic units. */
export type Holding = AccountName & {
  readonly prepaid: bigint
  readonly credit: bigint
  readonly taken: bigint
}

/** Calls that were paid from money that was here already, by the key of a sum and by purse. */
export type DrawnSum = TokenName & {
  readonly key: string
  readonly purse: string
  readonly draws: number
  readonly atomic: bigint
}

/** What the books ask of payers' own money. SQLite and Postgres read these questions alike. */
type Ask = (sql: string) => Promise<readonly unknown[]>

/** Both purses of every account as rows of their own, beside what their entries and their draws add up to. */
const heldSql = `with entered as (
    select account, purse, sum(change) as entered from account_entries group by account, purse),
  drawn as (
    select account, purse, sum(case when state = 'RESERVED' then amount else 0 end) as reserved,
      sum(case when state = 'TAKEN' then amount else 0 end) as taken from draws group by account, purse),
  held as (
    select account, 'prepaid' as purse, prepaid_free as free, prepaid_reserved as reserved, prepaid_taken as taken from accounts
    union all
    select account, 'credit' as purse, credit_free as free, credit_reserved as reserved, credit_taken as taken from accounts)`

const faultQuestions: Readonly<Record<string, string>> = {
  'holds another sum than was entered': `${heldSql}
    select held.account || ' ' || held.purse as what from held
      left join entered on entered.account = held.account and entered.purse = held.purse
      where free + reserved + taken <> coalesce(entered, 0)`,
  'has set aside or taken another sum than its draws': `${heldSql}
    select held.account || ' ' || held.purse as what from held
      left join drawn on drawn.account = held.account and drawn.purse = held.purse
      where held.reserved <> coalesce(drawn.reserved, 0) or held.taken <> coalesce(drawn.taken, 0)`,
  'is an entry or a draw of no account': `select id as what from account_entries
      where not exists (select 1 from accounts where accounts.account = account_entries.account)
    union all select id as what from draws
      where not exists (select 1 from accounts where accounts.account = draws.account)`,
  'was paid to top up a balance, and no entry stands for it': `select id as what from payments
      where tool = '${topUpSlug}' and state in ('SETTLED', 'CONFIRMED') and not exists (
        select 1 from account_entries where id = 'topUp:' || payments.id and change = cast(amount as bigint))`,
  'is a top-up whose payment did not arrive': `select id as what from account_entries as entry
      where kind = 'topUp' and not exists (
        select 1 from payments where payments.id = entry.payment_id and tool = '${topUpSlug}' and (
          state in ('SETTLED', 'CONFIRMED') or exists (
            select 1 from account_entries where account_entries.id = 'revoke:' || entry.payment_id)))`,
}

type Row = Readonly<Record<string, unknown>>

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null
}

/** What does not add up, a sentence each; nothing where all is well. */
export async function accountFaultsOf(ask: Ask): Promise<readonly string[]> {
  const found: string[] = []
  for (const [fault, sql] of Object.entries(faultQuestions)) {
    for (const row of await ask(sql)) if (isRow(row)) found.push(`${String(row['what'])} ${fault}.`)
  }
  return found
}

/** Whoever has money here, the largest sum first. */
export async function holdingsOf(ask: Ask): Promise<readonly Holding[]> {
  const rows = await ask(`select payer, network, asset, prepaid_free + prepaid_reserved as prepaid,
      credit_free + credit_reserved as credit, prepaid_taken + credit_taken as taken
    from accounts order by prepaid_free + prepaid_reserved + credit_free + credit_reserved desc, payer`)
  return rows.filter(isRow).map((row) => ({
    payer: String(row['payer']),
    network: String(row['network']),
    asset: String(row['asset']),
    prepaid: BigInt(String(row['prepaid'])),
    credit: BigInt(String(row['credit'])),
    taken: BigInt(String(row['taken'])),
  }))
}

/** Entries of credits, newest first. @param limit a whole number. */
export async function creditsOf(ask: Ask, limit: number): Promise<readonly EntryRow[]> {
  const rows = await ask(`select id, account, kind, change, reason, payment_id, at from account_entries
    where purse = 'credit' order by at desc, id limit ${limit}`)
  return rows.map(readEntry).filter((row) => row !== undefined)
}

/** @param groupSql what to sum by, an expression of this room. */
export async function drawnOf(ask: Ask, groupSql: string, since: number): Promise<readonly DrawnSum[]> {
  const rows = await ask(`select ${groupSql} as "key", network, asset, purse, count(*) as n, sum(amount) as atomic
    from (select tool, amount, purse, draws.created_at, payer, network, asset from draws
      join accounts on accounts.account = draws.account where state = 'TAKEN') as drawn
    where created_at >= ${since} group by 1, 2, 3, 4 order by 1`)
  return rows.filter(isRow).map((row) => ({
    key: String(row['key']),
    network: String(row['network']),
    asset: String(row['asset']),
    purse: String(row['purse']),
    draws: Number(row['n']),
    atomic: BigInt(String(row['atomic'])),
  }))
}
