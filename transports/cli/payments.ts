import { CallError } from '../../src/errors.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { BookedPayment, BookFilter } from '../../src/store/books.ts'
import type { PaymentState } from '../../src/store/transitions.ts'
import { sinceOf, unitsOf, withBooks } from './books.ts'
import type { RunCommand } from './command.ts'
import { csvOf, type Row, tableOf } from './rows.ts'

/** What an operator asks for, and the rows of the ledger that it means. */
const views: Readonly<Record<string, Pick<BookFilter, 'states' | 'withoutAnswer'>>> = {
  all: {},
  running: { states: ['CLAIMED'] },
  unknown: { states: ['SETTLING', 'UNKNOWN'] },
  failed: { states: ['FAILED'] },
  lost: { states: ['LOST'] },
  refundable: { states: ['SETTLED', 'CONFIRMED'], withoutAnswer: true },
  settled: { states: ['SETTLED', 'CONFIRMED'] },
}

const whatToDo: Readonly<Record<PaymentState, string>> = {
  CLAIMED: 'It is being answered, or was given up a moment ago; it ends by itself.',
  SETTLING: 'It is with the facilitator; the answer is written down within seconds.',
  UNKNOWN: 'Refund nothing yet: the chain is asked again by itself until it says what happened.',
  SETTLED: 'Nothing: it was paid, and is read back from the chain once it is deep enough.',
  CONFIRMED: 'Nothing: it was paid, and the chain has confirmed it.',
  FAILED: 'Nothing: the payer was not charged and was told so.',
  ABORTED: 'Nothing: it was never handed on.',
  LOST: 'Ask the facilitator: the answer was given, and the money never arrived. The payer owes nothing by the ledger.',
}
const oweBack = 'It was paid and no answer was stored: send the amount back to the payer, and keep the transaction.'

/** The payments of the ledger, newest first, with what to do about each. */
export const run: RunCommand = (context) =>
  withBooks(context, async (books) => {
    const { args, out, note } = context
    const state = args.valueOf('state') ?? 'all'
    const view = Object.hasOwn(views, state) ? views[state] : undefined
    if (view === undefined) {
      throw new CallError('invalid_input', `--state takes one of ${Object.keys(views).join(', ')}.`, { nextStep: '' })
    }
    const limit = limitOf(args.valueOf('limit'))
    const since = sinceOf(args.valueOf('since'), systemClock.now())
    const payments = await books.payments({ ...view, since, limit })
    const rows = payments.map(rowOf)
    if (args.has('json')) out(JSON.stringify(rows))
    else if (args.has('csv')) out(csvOf(rows, columns))
    else if (rows.length === 0) note(state === 'all' ? 'No payments yet.' : `No payments that are ${state}.`)
    else {
      out(tableOf(rows, ['time', 'state', 'tool', 'usd', 'payer', 'transaction']).join('\n'))
      for (const advice of new Set(payments.map(adviceOf))) note(advice)
      if (rows.length === limit) note(`These are the newest ${limit}; --limit shows more.`)
    }
    return 0
  })

const columns = [
  'time',
  'state',
  'tool',
  'usd',
  'atomic',
  'asset',
  'network',
  'payer',
  'payTo',
  'transaction',
  'facilitator',
  'reason',
  'nextLook',
  'changed',
  'nonce',
  'id',
  'advice',
]

function rowOf(payment: BookedPayment): Row {
  const { createdAt, updatedAt, nextProbeAt, amount, transaction, facilitator, reason } = payment
  const { state, tool, asset, network, payer, payTo, nonce, id } = payment
  return {
    time: timeOf(createdAt),
    state,
    tool,
    usd: unitsOf(BigInt(amount)),
    atomic: amount,
    asset,
    network,
    payer,
    payTo,
    transaction: transaction ?? '',
    facilitator: facilitator ?? '',
    reason: reason ?? '',
    nextLook: nextProbeAt === null ? '' : timeOf(nextProbeAt),
    changed: timeOf(updatedAt),
    nonce,
    id,
    advice: adviceOf(payment),
  }
}

function adviceOf({ state, hadAnswer }: BookedPayment): string {
  const isPaid = state === 'SETTLED' || state === 'CONFIRMED'
  return `${state}: ${isPaid && !hadAnswer ? oweBack : whatToDo[state]}`
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

function limitOf(text = '100'): number {
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw new CallError('invalid_input', '--limit takes a whole number from 1.', { nextStep: '' })
  return limit
}
