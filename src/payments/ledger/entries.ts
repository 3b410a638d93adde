import { type AccountName, type Entry, topUpSlug } from '../../store/accounts.ts'
import type { Claim } from '../../store/store.ts'
import type { PaymentState } from '../../store/transitions.ts'
import type { LedgerParts } from './parts.ts'

type Payment = Pick<Claim, 'id' | 'network' | 'asset' | 'payer' | 'amount' | 'tool'>

/** Whose money a payment is. */
export function accountOf({ network, asset, payer }: Pick<Payment, 'network' | 'asset' | 'payer'>): AccountName {
  return { network, asset: asset.toLowerCase(), payer: payer.toLowerCase() }
}

/** Name of the entry of the credit that a payment may become, of which there is one at most. */
export function creditIdOf(paymentId: string): string {
  return `credit:${paymentId}`
}

/** Name of the entry that takes such a credit back. */
export function forfeitIdOf(paymentId: string): string {
  return `forfeit:${paymentId}`
}

type Kind = Exclude<Entry['kind'], 'payOut'>

const idOf: Readonly<Record<Kind, (paymentId: string) => string>> = {
  topUp: (id) => `topUp:${id}`,
  revoke: (id) => `revoke:${id}`,
  grant: creditIdOf,
  forfeit: forfeitIdOf,
}

/** What a payment enters into its payer's account, for its whole amount. */
export function entryFor(payment: Payment, kind: Kind, reason: string, now: number): Entry {
  const { id } = payment
  return {
    id: idOf[kind](id),
    account: accountOf(payment),
    kind,
    amount: BigInt(payment.amount),
    reason,
    paymentId: id,
    now,
  }
}

/**
 * What the payer's own money gets when a payment lands: its amount where it tops up the balance, and a credit where the
 * payer was told before that it had failed, and has probably paid again.
 * @param from the state that it lands from, where that is known.
 */
export function entryOfLanding(payment: Payment, from: PaymentState | undefined, now: number): Entry | undefined {
  if (payment.tool === topUpSlug) return entryFor(payment, 'topUp', 'paid', now)
  return from === 'FAILED' ? entryFor(payment, 'grant', 'landed_after_failure', now) : undefined
}

/**
 * What is taken back when a payment turns out never to have landed; an answer that was given for nothing is our loss.
 */
export async function entryOfLoss(
  { accounts, clock }: Pick<LedgerParts, 'accounts' | 'clock'>,
  payment: Payment,
): Promise<Entry | undefined> {
  if (payment.tool === topUpSlug) return entryFor(payment, 'revoke', 'never_landed', clock.now())
  const credit = await accounts.entryOf(creditIdOf(payment.id))
  return credit === undefined ? undefined : entryFor(payment, 'forfeit', 'never_landed', clock.now())
}
