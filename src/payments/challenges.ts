import type { Tool } from '../tool/tool.ts'
import { type PaymentTerms, priceOf } from './terms.ts'
import { accessModes, isPassOnly, usdOf } from '../tool/access.ts'

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
  const { network, payTo, toolPass } = terms
  return accessModes[tool.access.mode].challenges.flatMap((kind): readonly ChallengeKind[] => {
    switch (kind) {
      case 'x402-payment':
        return [
          {
            kind,
            network,
            header: 'payment-signature',
            asset: 'USDC',
            amount: usdOf(tool.access),
            maxAmountRequired: priceOf(tool).toString(),
            payTo,
            recipient: payTo,
            resource,
            facilitator: terms.facilitatorUrl,
          },
        ]
      case 'tool-pass-holder':
        return toolPass === undefined ? [] : [{ kind, network, contract: toolPass, header: 'Authorization' }]
      case 'tool-pass-identity':
        // Where nobody can hold a pass, only a tool that opens to nothing else still names the proof.
        return toolPass === undefined && !isPassOnly(tool.access)
          ? []
          : [{ kind, network, header: 'payment-signature', maxAmountRequired: '0' }]
    }
  })
}
