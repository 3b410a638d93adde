import { CallError } from '../errors.ts'
import type { PaymentPayload } from '../payments/x402/payload.ts'
import type { SignatureCheck } from '../payments/eip3009/signature.ts'
import { legacyNetworkOf, type PaymentTerms } from '../payments/terms.ts'
import type { CounterStore } from '../store/store.ts'

export type IdentityParts = {
  readonly terms: PaymentTerms
  readonly counters: CounterStore
  readonly checkSignature: SignatureCheck
  readonly now: () => number
  /** Whether the contract at the payer's address takes the signature; undefined where nobody can tell. */
  readonly contractSigned: (proof: PaymentPayload) => Promise<boolean | undefined>
}

/** A wallet that proved itself, by a proof that is not used up yet. */
export type ProvenWallet = {
  readonly address: string
  /** Uses the proof up, once all else is known. @throws CallError 401 where it was used before. */
  readonly spend: () => Promise<void>
}

/** The wallet behind a zero-value authorization. @throws CallError 401 where it proves nothing. */
export type IdentityCheck = (proof: PaymentPayload) => Promise<ProvenWallet>

const longestSeconds = 900

function refuse(reason: string): CallError {
  return new CallError('proof_rejected', `The identity proof is not accepted: ${reason}.`, {
    nextStep: 'Sign a fresh authorization of 0 USDC to the address in the challenge.',
  })
}

/** Whether a payment is of nothing: then it is no payment, but a proof of who signed it. */
export function isIdentityProof(proof: PaymentPayload): boolean {
  return proof.authorization.value === '0'
}

/**
 * A zero-value EIP-3009 authorization to our own wallet proves who signed it, once. It is never sent to a facilitator
 * and never worth money. It is not bound to this server by what is signed, hence its short life and its single use.
 */
export function createIdentityCheck(parts: IdentityParts): IdentityCheck {
  const { terms } = parts
  return async (proof) => {
    const { authorization } = proof
    const seconds = Math.floor(parts.now() / 1_000)
    if (proof.scheme !== 'exact') throw refuse('its scheme must be exact')
    if (proof.network !== terms.network && proof.network !== legacyNetworkOf(terms.network)) {
      throw refuse(`its network must be ${terms.network}`)
    }
    if (proof.accepted !== undefined && !fits(proof.accepted, terms))
      throw refuse('it accepts other terms than were offered')
    if (authorization.to.toLowerCase() !== terms.payTo.toLowerCase())
      throw refuse(`it must be made out to ${terms.payTo}`)
    if (authorization.value !== '0') throw refuse('its value must be 0')
    if (Number(authorization.validAfter) > seconds) throw refuse('it is not valid yet')
    if (Number(authorization.validBefore) <= seconds) throw refuse('it has expired')
    if (Number(authorization.validBefore) > seconds + longestSeconds) {
      throw refuse('it may be valid for at most 15 minutes')
    }
    const verdict = await parts.checkSignature(authorization, proof.signature)
    if (verdict === 'invalid') throw refuse('its signature is wrong')
    if (verdict !== 'valid') {
      const signed = await parts.contractSigned(proof)
      if (signed === undefined) {
        throw new CallError('unavailable', 'The chain cannot be asked about this signature at the moment.', {
          nextStep: 'Try again in a moment.',
          retryAfterSeconds: 5,
        })
      }
      if (!signed) throw refuse('its signature is wrong')
    }
    const payer = authorization.from.toLowerCase()
    const key = `identity|${terms.network}|${terms.asset.toLowerCase()}|${payer}|${authorization.nonce.toLowerCase()}`
    const until = Number(authorization.validBefore) * 1_000 + 60_000
    return {
      address: payer,
      spend: async () => {
        if (!(await parts.counters.claimOnce(key, until, parts.now()))) throw refuse('it was used before')
      },
    }
  }
}

function fits(accepted: NonNullable<PaymentPayload['accepted']>, terms: PaymentTerms): boolean {
  return (
    accepted.amount === '0' &&
    accepted.asset.toLowerCase() === terms.asset.toLowerCase() &&
    accepted.payTo.toLowerCase() === terms.payTo.toLowerCase()
  )
}
