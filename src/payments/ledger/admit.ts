import type { Claim, ClaimLimits } from '../../store/store.ts'
import { rejectOnlyUncharged } from './charged.ts'
import { failureWindowMs, maxFailures } from './limits.ts'
import { type Admission, type Attempt, checkTerms, checkTimes, claimOf, type Offer } from './offer.ts'
import type { LedgerContext } from './parts.ts'
import { facilitatorDown, keyTaken, tooManyCalls, tooManyFailures } from './refusals.ts'
import { repeat } from './repeat.ts'
import { start } from './start.ts'
import { checkSigner, verify } from './verify.ts'

/** Takes a payment for one call. @throws PaymentRejection where a better payment would do; CallError where it would not. */
export async function admit(ledger: LedgerContext, offer: Offer): Promise<Admission> {
  const claim = claimOf(offer, ledger.owner, ledger.clock.now())
  return rejectOnlyUncharged(ledger, claim.id, () => admitClaim(ledger, offer, claim))
}

async function admitClaim(ledger: LedgerContext, offer: Offer, claim: Claim): Promise<Admission> {
  const { store, facilitator, clock, failpoint } = ledger
  const { payload } = offer
  checkTerms(payload, offer.requirement)
  const unproven: Attempt = { claim, payload, wantedMs: offer.wantedMs, isProven: false }
  failpoint('before-claim')

  const known = await store.get(claim.id)
  if (known !== undefined && known.state !== 'ABORTED') return repeat(ledger, known, unproven, true)

  checkTimes(payload, clock.now())
  const isProven = await checkSigner(ledger, payload)
  const attempt: Attempt = { ...unproven, isProven }
  if (facilitator.status() === 'down') throw facilitatorDown()
  // Contract signatures cannot be checked locally: nothing is stored in the payer's name until the facilitator has
  // verified one.
  if (!isProven) await verify(ledger, claim, false)

  const limits: ClaimLimits = {
    inFlight: ledger.maxInFlight,
    failures: maxFailures,
    failuresSince: clock.now() - failureWindowMs,
  }
  const claimed = await store.claim(claim, limits)
  switch (claimed.kind) {
    case 'known':
      return repeat(ledger, claimed.row, attempt, true)
    case 'key-taken':
      throw keyTaken(ledger, claimed.row)
    case 'too-many':
      throw claimed.reason === 'in-flight' ? tooManyCalls(ledger) : tooManyFailures()
    case 'claimed':
      return start(ledger, attempt)
  }
}
