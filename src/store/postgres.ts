import { randomUUID } from 'node:crypto'

import type { Pool, PoolClient } from 'pg'

import { changeable, columnOf, columns, isRecord, readRow } from './rows.ts'
import type { Claim, ClaimLimits, ClaimResult, Move, PaymentRow, Store } from './store.ts'

const schema = `
create table if not exists payments (
  id text primary key,
  state text not null,
  network text not null,
  asset text not null,
  payer text not null,
  nonce text not null,
  amount text not null,
  pay_to text not null,
  valid_before bigint not null,
  proof_hash text not null,
  op_hash text not null,
  key_hash text,
  tool text not null,
  settlement text not null,
  owner text not null,
  lease_until bigint not null,
  attempts integer not null,
  result bytea,
  result_hash text,
  receipt text,
  tx text,
  block bigint,
  reason text,
  probes integer not null,
  next_probe_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index if not exists payments_key on payments (payer, key_hash)
  where key_hash is not null and state <> 'FAILED' and state <> 'LOST';
create index if not exists payments_payer on payments (payer, state);
create index if not exists payments_lease on payments (lease_until) where state in ('CLAIMED', 'SETTLING');
create index if not exists payments_probe on payments (next_probe_at) where next_probe_at is not null;
create table if not exists payment_log (
  id text not null,
  at bigint not null,
  from_state text,
  to_state text not null,
  reason text
);
create index if not exists payment_log_id on payment_log (id);
create table if not exists counters (
  key text not null,
  "window" text not null,
  used integer not null,
  primary key (key, "window")
);
create table if not exists marks (
  key text primary key,
  expires_at bigint not null
);
create table if not exists tollgate_schema (version integer not null);
`

const version = 1
/** Any number, the same for every node: only one of them makes the tables. */
const schemaLock = 8_402_001

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

async function makeTables(pool: Pool): Promise<void> {
  await within(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [schemaLock])
    await client.query(schema)
    const found: unknown = (await client.query('select version from tollgate_schema')).rows[0]
    if (!isRecord(found)) await client.query('insert into tollgate_schema (version) values ($1)', [version])
    else if (Number(found['version']) > version) {
      throw new Error(
        `The ledger was written by a newer Tollgate (schema ${String(found['version'])}, this one knows ${version}).`,
      )
    }
  })
}

async function within<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const value = await work(client)
    await client.query('commit')
    return value
  } catch (error) {
    broken = error instanceof Error ? error : new Error('The database failed.')
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    // A connection on which something failed is thrown away: its state is not known.
    client.release(broken)
  }
}

function createStore(pool: Pool): Store {
  const one = async (client: Pool | PoolClient, text: string, values: readonly unknown[]): Promise<unknown> =>
    (await client.query(text, [...values])).rows[0]

  const log = (client: PoolClient, id: string, at: number, from: string | null, to: string, reason: string | null) =>
    client.query('insert into payment_log (id, at, from_state, to_state, reason) values ($1, $2, $3, $4, $5)', [
      id,
      at,
      from,
      to,
      reason,
    ])

  const rowOf = async (client: Pool | PoolClient, id: string): Promise<PaymentRow | undefined> =>
    readRow(await one(client, `select ${columns} from payments where id = $1`, [id]))

  const keyHolder = async (
    client: Pool | PoolClient,
    payer: string,
    keyHash: string,
  ): Promise<PaymentRow | undefined> =>
    readRow(
      await one(
        client,
        `select ${columns} from payments
         where payer = $1 and key_hash = $2 and state <> 'FAILED' and state <> 'LOST'`,
        [payer, keyHash],
      ),
    )

  const holderOf = async (client: PoolClient, claim: Claim): Promise<PaymentRow | undefined> =>
    claim.keyHash === null ? undefined : keyHolder(client, claim.payer, claim.keyHash)

  const loadOf = async (client: PoolClient, payer: string, failuresSince: number) => {
    const load = await one(
      client,
      `select count(*) filter (where state in ('CLAIMED', 'SETTLING', 'UNKNOWN')) as open,
              count(*) filter (where state = 'FAILED' and updated_at >= $1) as failed
       from payments where payer = $2`,
      [failuresSince, payer],
    )
    const count = (name: string): number => (isRecord(load) ? Number(load[name]) : 0)
    return { open: count('open'), failed: count('failed') }
  }

  const tryClaim = async (client: PoolClient, claim: Claim, limits: ClaimLimits): Promise<ClaimResult> => {
    // One payer's claims stand in line, so that the limits hold; different payers do not meet.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [claim.payer])
    const known = await rowOf(client, claim.id)
    if (known !== undefined) return { kind: 'known', row: known }
    const holder = await holderOf(client, claim)
    if (holder !== undefined) return { kind: 'key-taken', row: holder }
    const { open, failed } = await loadOf(client, claim.payer, limits.failuresSince)
    if (open >= limits.inFlight) return { kind: 'too-many', reason: 'in-flight' }
    if (failed >= limits.failures) return { kind: 'too-many', reason: 'failures' }
    await client.query(
      `insert into payments (id, state, network, asset, payer, nonce, amount, pay_to, valid_before, proof_hash, op_hash,
         key_hash, tool, settlement, owner, lease_until, attempts, probes, created_at, updated_at)
       values ($1, 'CLAIMED', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 1, 0, $16, $16)`,
      [
        claim.id,
        claim.network,
        claim.asset,
        claim.payer,
        claim.nonce,
        claim.amount,
        claim.payTo,
        claim.validBefore,
        claim.proofHash,
        claim.opHash,
        claim.keyHash,
        claim.tool,
        claim.settlement,
        claim.owner,
        claim.leaseUntil,
        claim.now,
      ],
    )
    await log(client, claim.id, claim.now, null, 'CLAIMED', null)
    return { kind: 'claimed' }
  }

  const applyMove = async (client: PoolClient, move: Move): Promise<boolean> => {
    const changes = move.changes ?? {}
    const names = changeable.filter((name) => changes[name] !== undefined)
    const values: unknown[] = [move.to, move.now]
    const bind = (value: unknown): string => `$${values.push(value instanceof Uint8Array ? Buffer.from(value) : value)}`
    const sets = names.map((name) => `, ${columnOf[name]} = ${bind(changes[name])}`).join('')
    const where = `id = ${bind(move.id)} and state = any(${bind([...move.from])}::text[])`
    const owned = move.owner === undefined ? '' : ` and owner = ${bind(move.owner)}`
    const done = await client.query(
      `update payments set state = $1, updated_at = $2${sets} where ${where}${owned}`,
      values,
    )
    if (done.rowCount === 0) return false
    await log(client, move.id, move.now, move.from.join('|'), move.to, changes.reason ?? null)
    return true
  }

  return {
    payments: {
      claim: (claim, limits) => within(pool, (client) => tryClaim(client, claim, limits)),
      reclaim: (claim, limits) =>
        within(pool, async (client) => {
          await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [claim.payer])
          const holder = await holderOf(client, claim)
          if (holder !== undefined && holder.id !== claim.id) return 'key-taken'
          const { open } = await loadOf(client, claim.payer, claim.now)
          if (open >= limits.inFlight) return 'too-many'
          const done = await client.query(
            `update payments set state = 'CLAIMED', proof_hash = $1, key_hash = $2, settlement = $3, owner = $4, lease_until = $5,
               attempts = attempts + 1, reason = null, updated_at = $6, pay_to = $10, valid_before = $11
             where id = $7 and state = 'ABORTED' and op_hash = $8 and attempts < $9`,
            [
              claim.proofHash,
              claim.keyHash,
              claim.settlement,
              claim.owner,
              claim.leaseUntil,
              claim.now,
              claim.id,
              claim.opHash,
              limits.attempts,
              claim.payTo,
              claim.validBefore,
            ],
          )
          if (done.rowCount === 0) return 'not-free'
          await log(client, claim.id, claim.now, 'ABORTED', 'CLAIMED', 'again')
          return 'claimed'
        }),
      move: (move) => within(pool, (client) => applyMove(client, move)),
      release: (id, owner, reason, now) =>
        within(pool, async (client) => {
          const done = await client.query(`delete from payments where id = $1 and owner = $2 and state = 'CLAIMED'`, [
            id,
            owner,
          ])
          if (done.rowCount === 0) return false
          await log(client, id, now, 'CLAIMED', 'RELEASED', reason)
          return true
        }),
      get: (id) => rowOf(pool, id),
      holderOf: async (payer, keyHash) => (await keyHolder(pool, payer, keyHash))?.id,
      takeDue: async (owner, now, leaseUntil, limit) => {
        // Rows that another node is taking at this moment are passed over.
        const { rows } = await pool.query(
          `update payments set owner = $1, lease_until = $2 where id in (
             select id from payments
             where (state in ('CLAIMED', 'SETTLING') and lease_until <= $3)
                or (next_probe_at is not null and next_probe_at <= $3 and lease_until <= $3)
             order by updated_at limit $4 for update skip locked)
           returning ${columns}`,
          [owner, leaseUntil, now, limit],
        )
        return rows.map(readRow).filter((row) => row !== undefined)
      },
      unknown: async () => {
        const row = await one(
          pool,
          `select count(*) as n from payments where next_probe_at is not null and state = 'UNKNOWN'`,
          [],
        )
        return isRecord(row) ? Number(row['n']) : 0
      },
      totals: async () => {
        const counts: Record<string, number> = {}
        for (const row of (await pool.query('select state, count(*) as n from payments group by state')).rows) {
          if (isRecord(row)) counts[String(row['state'])] = Number(row['n'])
        }
        const sum = await one(
          pool,
          `select coalesce(sum(amount::numeric), 0)::text as sum from payments where state in ('SETTLED', 'CONFIRMED')`,
          [],
        )
        return { counts, settledAtomic: BigInt(isRecord(sum) ? String(sum['sum']) : '0') }
      },
      dropResults: async (before) => {
        const done = await pool.query(
          `update payments set result = null where result is not null and updated_at < $1
             and state in ('SETTLED', 'CONFIRMED', 'FAILED', 'LOST')`,
          [before],
        )
        return done.rowCount ?? 0
      },
    },
    counters: {
      take: async (key, window, limit) => {
        const row =
          limit > 0
            ? await one(
                pool,
                `insert into counters (key, "window", used) values ($1, $2, 1)
                 on conflict (key, "window") do update set used = counters.used + 1 where counters.used < $3 returning used`,
                [key, window, limit],
              )
            : undefined
        if (isRecord(row)) return { taken: true, used: Number(row['used']) }
        const now = await one(pool, 'select used from counters where key = $1 and "window" = $2', [key, window])
        return { taken: false, used: isRecord(now) ? Number(now['used']) : 0 }
      },
      giveBack: async (key, window) => {
        await pool.query('update counters set used = used - 1 where key = $1 and "window" = $2 and used > 0', [
          key,
          window,
        ])
      },
      claimOnce: async (key, expiresAt, now) => {
        const done = await pool.query(
          `insert into marks (key, expires_at) values ($1, $2)
           on conflict (key) do update set expires_at = excluded.expires_at where marks.expires_at <= $3`,
          [key, expiresAt, now],
        )
        return done.rowCount === 1
      },
      sweep: async (window, now) => {
        await pool.query('delete from counters where "window" < $1', [window])
        await pool.query('delete from marks where expires_at <= $1', [now])
      },
    },
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
