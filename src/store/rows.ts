import { isRecord } from '../platform/record.ts'
import type { OpenPayments, PayerRecord, PaymentRow } from './store.ts'
import type { PaymentState } from './transitions.ts'

/** The columns of a payment by the names the code uses; both databases call them alike. */
const columnsWith = (
  result: string,
): string => `id, state, network, asset, payer, nonce, amount, pay_to as "payTo", valid_before as "validBefore",
  proof_hash as "payloadHash", op_hash as "opHash", key_hash as "keyHash", tool, settlement, owner, lease_until as "leaseUntil",
  attempts, ${result}, result_hash as "resultHash", facilitator, receipt, tx as "transaction", block, reason,
  refused_at as "refusedAt", probes, next_probe_at as "nextProbeAt", created_at as "createdAt", updated_at as "updatedAt",
  settled_at as "settledAt"`
export const columns = columnsWith('result')
/** Without the answer, which may be megabytes. */
export const columnsWithoutAnswer = columnsWith('null as result')

/** The columns that a move may change. */
export const columnOf = {
  owner: 'owner',
  leaseUntil: 'lease_until',
  result: 'result',
  resultHash: 'result_hash',
  facilitator: 'facilitator',
  receipt: 'receipt',
  transaction: 'tx',
  block: 'block',
  reason: 'reason',
  refusedAt: 'refused_at',
  probes: 'probes',
  nextProbeAt: 'next_probe_at',
  keyHash: 'key_hash',
} as const

export const changeable = [
  'owner',
  'leaseUntil',
  'result',
  'resultHash',
  'facilitator',
  'receipt',
  'transaction',
  'block',
  'reason',
  'refusedAt',
  'probes',
  'nextProbeAt',
  'keyHash',
] as const satisfies readonly (keyof typeof columnOf)[]

/** Every state that this version knows. */
export const states: readonly PaymentState[] = [
  'CLAIMED',
  'SETTLING',
  'UNKNOWN',
  'SETTLED',
  'CONFIRMED',
  'FAILED',
  'ABORTED',
  'LOST',
]

/** The condition of an index, word for word: without it SQLite reads the whole table. */
const leased = `state in ('CLAIMED', 'SETTLING')`

/** The payments that somebody may have to look at; each part reads an index that holds few rows. */
export const openPaymentsSql = `select
  (select count(*) from payments where ${leased} and state = 'CLAIMED') as claimed,
  (select count(*) from payments where ${leased} and state = 'SETTLING') as settling,
  (select count(*) from payments where next_probe_at is not null and state = 'UNKNOWN') as unknown,
  (select count(*) from payments where state = 'LOST') as lost,
  (select min(created_at) from payments where next_probe_at is not null and state = 'UNKNOWN') as oldest`

export function readOpenPayments(row: unknown): OpenPayments {
  if (!isRecord(row)) throw new Error('The ledger gave no row.')
  const { claimed, settling, unknown, lost, oldest } = row
  return {
    claimed: Number(claimed),
    settling: Number(settling),
    unknown: Number(unknown),
    lost: Number(lost),
    oldestUnknownAt: oldest === null || oldest === undefined ? null : Number(oldest),
  }
}

/** The states in which a payment may still be handed to a facilitator. */
const open: readonly PaymentState[] = ['CLAIMED', 'SETTLING', 'UNKNOWN']

function settlementOf(value: unknown, state: PaymentState): string {
  if (typeof value === 'string') return value
  if (open.includes(state)) throw new Error("The ledger's column settlement is damaged.")
  return ''
}

/** A payer as the database gave it; undefined where it gave none. */
export function readPayer(row: unknown): PayerRecord | undefined {
  if (!isRecord(row)) return undefined
  return {
    hasPaid: row['paid_at'] !== null,
    strikes: Number(row['strikes']),
    strikesUntil: Number(row['strikes_until']),
  }
}

/**
 * A row as the database gave it.
 * @throws Error where it holds what this version does not know: it must not be guessed.
 */
export function readRow(row: unknown): PaymentRow | undefined {
  if (!isRecord(row)) return undefined
  const state = states.find((one) => one === row['state'])
  if (state === undefined) throw new Error('The ledger holds a state that this version does not know.')
  const text = (name: string): string => {
    const value = row[name]
    if (typeof value !== 'string') throw new Error(`The ledger's column ${name} is damaged.`)
    return value
  }
  const textOrNull = (name: string): string | null => {
    const value = row[name]
    return typeof value === 'string' ? value : null
  }
  // Postgres gives 64-bit numbers as text; all of ours are far below the limit of a number.
  const number = (name: string): number => Number(row[name])
  const numberOrNull = (name: string): number | null => {
    const value = row[name]
    return value === null || value === undefined ? null : Number(value)
  }
  const result = row['result']
  return {
    id: text('id'),
    state,
    network: text('network'),
    asset: text('asset'),
    payer: text('payer'),
    nonce: text('nonce'),
    amount: text('amount'),
    payTo: text('payTo'),
    validBefore: number('validBefore'),
    payloadHash: text('payloadHash'),
    opHash: text('opHash'),
    keyHash: textOrNull('keyHash'),
    tool: text('tool'),
    settlement: settlementOf(row['settlement'], state),
    owner: text('owner'),
    leaseUntil: number('leaseUntil'),
    attempts: number('attempts'),
    result: result instanceof Uint8Array ? result : null,
    resultHash: textOrNull('resultHash'),
    facilitator: textOrNull('facilitator'),
    receipt: textOrNull('receipt'),
    transaction: textOrNull('transaction'),
    block: numberOrNull('block'),
    reason: textOrNull('reason'),
    refusedAt: numberOrNull('refusedAt'),
    probes: number('probes'),
    nextProbeAt: numberOrNull('nextProbeAt'),
    createdAt: number('createdAt'),
    updatedAt: number('updatedAt'),
    settledAt: numberOrNull('settledAt'),
  }
}
