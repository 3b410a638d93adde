import type { Requirement } from '../../src/payments/terms.ts'
import type { PaymentPayload } from '../../src/payments/x402/payload.ts'

/** A payment that fits what is required, for a ledger whose facilitator looks at no signature. */
export function payloadFor(
  requirement: Requirement,
  { payer, nonce, validBefore }: { readonly payer: string; readonly nonce: string; readonly validBefore: number },
): PaymentPayload {
  return {
    x402Version: 2,
    authorization: {
      from: payer,
      to: requirement.payTo,
      value: requirement.amount,
      validAfter: '0',
      validBefore: String(validBefore),
      nonce,
    },
    signature: '0x00',
    scheme: 'exact',
    network: requirement.network,
    accepted: requirement,
    extensions: undefined,
    resourceUrl: undefined,
  }
}
