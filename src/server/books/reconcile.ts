import pLimit from 'p-limit'

import type { ChainReader } from '../../payments/chain-reader.ts'
import type { BookedPayment, Books } from '../../store/books.ts'
import type { PaymentState } from '../../store/transitions.ts'

/** A payment of which the ledger and the chain say different things. */
export type Difference = {
  readonly id: string
  readonly state: PaymentState
  readonly chain: 'paid' | 'not paid'
  readonly usdAtomic: string
  readonly transaction: string | null
}

export type Reconciled = {
  /** Payments of which both say the same. */
  readonly same: number
  readonly differences: readonly Difference[]
  /** Payments that no node could be asked about: nothing is known of them. */
  readonly unread: number
  /** What the chain shows as arrived, of the payments that were looked at. Atomic units. */
  readonly arrivedAtomic: bigint
}

/** States that say something final; the others are looked up by the server itself. */
const final: readonly PaymentState[] = ['SETTLED', 'CONFIRMED', 'FAILED', 'LOST']
const atOnce = 4

/** Asks the chain about every payment that the ledger calls settled, failed or lost, the newest first. */
export async function reconcile(
  books: Books,
  chain: Pick<ChainReader, 'outcomeOf'>,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<Reconciled> {
  const payments = await books.payments({ states: final, since, limit })
  const turn = pLimit(atOnce)
  const looks = await Promise.all(payments.map((payment) => turn(() => look(payment, chain))))
  const differences = looks.flatMap((one) => (one.kind === 'differs' ? [one.difference] : []))
  return {
    same: looks.filter(({ kind }) => kind === 'same').length,
    differences,
    unread: looks.filter(({ kind }) => kind === 'unread').length,
    arrivedAtomic: looks.reduce((sum, { arrived }) => sum + arrived, 0n),
  }
}

type Look = { readonly arrived: bigint } & (
  | { readonly kind: 'same' | 'unread' }
  | { readonly kind: 'differs'; readonly difference: Difference }
)

async function look(payment: BookedPayment, chain: Pick<ChainReader, 'outcomeOf'>): Promise<Look> {
  const outcome = await chain.outcomeOf(payment, payment.transaction)
  // What is not used yet may still be, and a row that was settled a moment ago is read back by the server.
  const isOpen = outcome.kind === 'unused' && !outcome.dead
  if (outcome.kind === 'unreadable' || isOpen) return { kind: 'unread', arrived: 0n }
  const isPaid = outcome.kind === 'paid'
  const isBooked = payment.state === 'SETTLED' || payment.state === 'CONFIRMED'
  const arrived = isPaid ? BigInt(payment.amount) : 0n
  if (isPaid === isBooked) return { kind: 'same', arrived }
  const { id, state, amount, transaction } = payment
  return {
    kind: 'differs',
    arrived,
    difference: { id, state, chain: isPaid ? 'paid' : 'not paid', usdAtomic: amount, transaction },
  }
}
