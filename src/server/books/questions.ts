import { type CallHistory, statusDays } from '../../describe/call-history.ts'
import { CallError } from '../../errors.ts'
import type { Config } from '../../platform/config.ts'
import type { Books } from '../../store/books.ts'
import { creditLinesOf } from './credits.ts'
import { faultOfLedger, openBooks } from './open.ts'
import { paymentLinesOf, statesOf } from './payments.ts'
import { openOf, revenueOf, unspentOf } from './revenue.ts'
import { callHistoryOf } from './status.ts'
import { usageOf } from './usage.ts'

/** What a running server asks of the ledger beside all payments: for its pages, and whether the file is whole. */
export type BooksQuestion =
  /** `since` is milliseconds since 1970. */
  | { readonly kind: 'overview'; readonly since: number }
  /** How the calls of thirty days ended. */
  | { readonly kind: 'history'; readonly now: number }
  | { readonly kind: 'fault' }

/** What a thread that reads the ledger is told. */
export type BooksThreadData = { readonly config: Config; readonly question: BooksQuestion }

const mostRows = 100
const dayMs = 86_400_000

/** The answer as JSON; of a ledger that is not there yet, `null`. */
export async function answerFromBooks(config: Config, question: BooksQuestion): Promise<string> {
  if (question.kind === 'fault') return JSON.stringify((await faultOfLedger(config)) ?? null)
  const books = await openBooks(config)
  if (books === undefined) return 'null'
  try {
    return JSON.stringify(
      question.kind === 'overview' ? await overviewOf(books, question.since) : await historyOf(books, question.now),
    )
  } finally {
    await books.close()
  }
}

async function historyOf(books: Books, now: number): Promise<CallHistory> {
  return callHistoryOf(await books.outcomes(now - statusDays * dayMs), now)
}

/** All that the operator's page shows of the ledger. */
async function overviewOf(books: Books, since: number): Promise<Readonly<Record<string, unknown>>> {
  const newest = { since: 0, limit: mostRows }
  return {
    states: statesOf(await books.counts()),
    open: { ...(await openOf(books)), unspentUsd: await unspentOf(books) },
    attention: [
      ...(await paymentLinesOf(books, 'unknown', newest)),
      ...(await paymentLinesOf(books, 'lost', newest)),
      ...(await paymentLinesOf(books, 'refundable', newest)),
    ],
    payments: await paymentLinesOf(books, 'all', newest),
    revenue: {
      tool: await revenueOf(books, 'tool', since),
      day: await revenueOf(books, 'day', since),
      entry: await revenueOf(books, 'entry', since),
      payer: await revenueOf(books, 'payer', since),
    },
    usage: await usageOf(books, 'tool', since),
    credits: await creditLinesOf(books, mostRows),
    faults: await books.accountFaults(),
  }
}

/** Asks the ledger for what pages show; the answer is JSON, `null` where there is no ledger yet. @throws CallError */
export type AskBooks = (question: BooksQuestion) => Promise<string>

export function unreadable(cause: unknown): CallError {
  return new CallError('unavailable', 'The books cannot be read at the moment.', {
    nextStep: 'Ask again in a minute, or run tollgate revenue and tollgate payments beside the server.',
    cause,
  })
}
