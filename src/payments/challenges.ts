import type { Tool } from '../tool/tool.ts'
import { type PaymentTerms, priceOf } from './terms.ts'
import { usdOf } from '../tool/price.ts'

/** What a caller may show to be let in, in the words of the catalog (spec/site-catalog §2.2). */
export type ChallengeKind =
  | {
      readonly kind: 'x402-payment'
      readonly network: string
      readonly header: 'payment-signature'
      readonly asset: 'USDC'
      readonly amount: string
      readonly maxAmountRequired: string
      readonly payTo: string
      readonly recipient: string
      readonly resource: string
      readonly facilitator: string
    }
  | {
      readonly kind: 'tool-pass-holder'
      readonly network: string
      readonly contract: string
      readonly header: 'Authorization'
    }
  | {
      readonly kind: 'tool-pass-identity'
      readonly network: string
      readonly header: 'payment-signature'
      readonly maxAmountRequired: '0'
    }

type ChallengeTerms = Pick<PaymentTerms, 'network' | 'payTo'> & {
  readonly facilitatorUrl: string
  /** Contract of the access-pass NFT; without it nobody can show a pass. */
  readonly toolPass: string | undefined
}

/** Every way into a tool at an address, the one asked for first. A free tool has none. */
export function challengesOf(tool: Tool, resource: string, terms: ChallengeTerms): readonly ChallengeKind[] {
  const { mode } = tool.access
  if (mode === 'free') return []
  const { network, payTo, toolPass } = terms
  const payment: ChallengeKind = {
    kind: 'x402-payment',
    network,
    header: 'payment-signature',
    asset: 'USDC',
    amount: usdOf(tool.access),
    maxAmountRequired: priceOf(tool).toString(),
    payTo,
    recipient: payTo,
    resource,
    facilitator: terms.facilitatorUrl,
  }
  const identity: ChallengeKind = {
    kind: 'tool-pass-identity',
    network,
    header: 'payment-signature',
    maxAmountRequired: '0',
  }
  const holder: readonly ChallengeKind[] =
    toolPass === undefined ? [] : [{ kind: 'tool-pass-holder', network, contract: toolPass, header: 'Authorization' }]
  if (mode === 'pass') return [identity, ...holder]
  return mode === 'paid' ? [payment] : [payment, ...holder, ...(toolPass === undefined ? [] : [identity])]
}
