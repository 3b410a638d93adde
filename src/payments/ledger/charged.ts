import type { Charged } from '../../errors.ts'
import type { PaymentRow } from '../../store/store.ts'
import { PaymentRejection } from '../x402/required.ts'
import type { LedgerParts } from './parts.ts'
import { pending, usedAlready } from './refusals.ts'

/** As much of a row as says whether its money moved. */
export type ChargedFacts = Pick<PaymentRow, 'state' | 'block' | 'validBefore'>

/** Whether the money of a payment moved, as its row says now; a payment without a row was never handed on. */
export function chargedOf(row: ChargedFacts | undefined, now: number): Charged {
  switch (row?.state) {
    case 'SETTLED':
      // A facilitator's yes that no block has shown by the end of the payment's time may have come to nothing.
      return row.block === null && row.validBefore * 1_000 <= now ? 'unknown' : true
    case 'CONFIRMED':
      return true
    // A claim is being worked on and may be charged at any moment.
    case 'CLAIMED':
    case 'SETTLING':
    case 'UNKNOWN':
      return 'unknown'
    case undefined:
    case 'ABORTED':
    case 'FAILED':
    case 'LOST':
      return false
  }
}

/** Whether the money of a payment moved, asked of the ledger now; "unknown" where it cannot be asked. */
export async function chargedNow(
  { store, clock, log }: Pick<LedgerParts, 'store' | 'clock' | 'log'>,
  id: string,
): Promise<Charged> {
  try {
    return chargedOf(await store.get(id), clock.now())
  } catch (error) {
    log.error('ledger.unreadable', { id, error })
    return 'unknown'
  }
}

/**
 * Does the work; a rejection, which becomes a 402 and so invites another signature, is let through only where the row says
 * that this payment did not move and will not.
 */
export async function rejectOnlyUncharged<T>(ledger: LedgerParts, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PaymentRejection)) throw error
    const charged = await chargedNow(ledger, id)
    if (charged === false) throw error
    throw charged === true ? usedAlready(ledger, { id }) : pending(ledger, { id })
  }
}
