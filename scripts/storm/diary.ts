import type { Wallet } from '../../sandbox/wallets.ts'
import type { Accepts, SignedPayment } from '../../test/money/payer.ts'

/** How a payer goes about a purchase. */
export type Manner = 'steady' | 'hasty' | 'twins' | 'again' | 'gone' | 'canceller' | 'poor' | 'clumsy'

/** What the chain knows of a payment. */
export type OnChain = { readonly moved: number; readonly waiting: number; readonly settles: number }

/** One request with a payment, and what came of it; status 0 where nothing came. */
export type Answer = {
  readonly kind: 'call' | 'tampered' | 'look'
  readonly node: string
  readonly sentAt: number
  readonly at: number
  readonly before: OnChain
  readonly after: OnChain
  readonly status: number
  /** Whether the clock of the server was wrong at some moment of it. */
  readonly isClockWrong: boolean
  readonly code: string | undefined
  readonly charged: unknown
  /** What the receipt says it was paid with, where that is money that was here already. */
  readonly paidWith?: string | undefined
  /** The token that a top-up came with. */
  readonly session?: string | undefined
  readonly text: string
}

/** A signed payment and all that its payer has seen of it. */
export type PaymentDiary = {
  readonly payment: SignedPayment
  readonly accepts: Accepts
  readonly wallet: Wallet
  readonly tool: string
  readonly key: string | undefined
  readonly manner: Manner
  /** What it was signed for. Several payments of one purchase mean that the payer was asked to sign again. */
  readonly purchase: number
  readonly answers: Answer[]
}

/** What came of a call that was to be drawn; status 0 where nothing came. */
export type DrawAnswer = {
  readonly at: number
  readonly status: number
  readonly code: string | undefined
  readonly charged: unknown
  readonly drawId: string | undefined
  readonly text: string
}

/** One call that was to be drawn from a balance, sent once or, with a key, as often as it took. */
export type Draw = {
  readonly purse: PurseDiary
  readonly key: string | undefined
  readonly price: bigint
  readonly token: string
  readonly answers: DrawAnswer[]
}

/** What a payer knows of the money that lies here for him. Atomic units. */
export type PurseDiary = {
  readonly wallet: Wallet
  /** By top-ups that were answered. */
  paidIn: bigint
  /** What the operator granted. */
  readonly granted: bigint
  readonly draws: Draw[]
}

export type Violation = { readonly rule: string; readonly what: string; readonly payment: PaymentDiary | undefined }

/** A payment that settles flushes all before it, and in a storm there is one every moment. */
const flushedWithinMs = 15_000

/** Whether a loss of power may have taken what was written at a moment and not flushed. */
export function mayBeForgotten(at: number, powerCuts: readonly number[]): boolean {
  return powerCuts.some((cut) => cut >= at && cut - at < flushedWithinMs)
}
