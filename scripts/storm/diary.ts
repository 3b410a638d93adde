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

export type Violation = { readonly rule: string; readonly what: string; readonly payment: PaymentDiary | undefined }
