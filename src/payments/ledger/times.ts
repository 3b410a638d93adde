import type { PaymentPayload } from '../x402/payload.ts'
import { PaymentRejection } from '../x402/required.ts'
import { checkTimes } from './offer.ts'
import type { LedgerContext } from './parts.ts'
import { clockIsOff } from './refusals.ts'

/** Further apart than this, our clock or the chain's is wrong; blocks and nodes that are well lag by less. */
const mostApartMs = 5_000

/**
 * Whether the payment can be used now, and for long enough. By a clock that is wrong, every payment looks too old or too
 * young: nobody is asked to sign again for that, because the same payment may well be taken a moment later.
 * @throws PaymentRejection; CallError where only our clock speaks against the payment.
 */
export async function checkTimesNow(
  { clock, chain, newcomers }: LedgerContext,
  payload: PaymentPayload,
): Promise<void> {
  const now = clock.now()
  try {
    checkTimes(payload, now)
  } catch (error) {
    if (!(error instanceof PaymentRejection)) throw error
    // Anybody can sign such a payment, so the question is theirs and not the money's own.
    const time = await newcomers(() => chain.time())
    if (time === undefined || Math.abs(time - now) < mostApartMs) throw error
    checkTimes(payload, time)
    throw clockIsOff(time - now)
  }
}
