import { CallError } from '../../src/errors.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { isPaymentView, paymentLinesOf, paymentViews } from '../../src/server/books/payments.ts'
import { limitOf, sinceOf, withBooks } from './books.ts'
import type { RunCommand } from './command.ts'
import { csvOf, tableOf } from './rows.ts'

/** The payments of the ledger, newest first, with what to do about each. */
export const run: RunCommand = (context) =>
  withBooks(context, async (books) => {
    const { args, out, note } = context
    const state = args.valueOf('state') ?? 'all'
    if (!isPaymentView(state)) {
      throw new CallError('invalid_input', `--state takes one of ${Object.keys(paymentViews).join(', ')}.`, {
        nextStep: '',
      })
    }
    // What a program or the bookkeeping reads has to be whole.
    const isForPrograms = args.has('json') || args.has('csv')
    const limit = limitOf(args.valueOf('limit'), isForPrograms ? 100_000 : 100)
    const since = sinceOf(args.valueOf('since'), systemClock.now())
    const rows = await paymentLinesOf(books, state, { since, limit })
    if (args.has('json')) out(JSON.stringify(rows))
    else if (args.has('csv')) out(csvOf(rows, columns))
    else if (rows.length === 0) note(state === 'all' ? 'No payments yet.' : `No payments that are ${state}.`)
    else {
      out(tableOf(rows, ['time', 'state', 'tool', 'usd', 'payer', 'transaction']).join('\n'))
      for (const advice of new Set(rows.map((row) => row.advice))) note(advice)
    }
    if (rows.length === limit) note(`These are the newest ${limit}; --limit shows more.`)
    return 0
  })

const columns = [
  'time',
  'state',
  'tool',
  'usd',
  'atomic',
  'decimals',
  'asset',
  'network',
  'payer',
  'payTo',
  'transaction',
  'block',
  'settled',
  'facilitator',
  'reason',
  'nextLook',
  'changed',
  'nonce',
  'operation',
  'id',
  'advice',
]
