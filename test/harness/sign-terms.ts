import { signAuthorization } from '../../sandbox/sign.ts'
import type { Wallet } from './sandbox-process.ts'

type Terms = {
  readonly resource: unknown
  readonly accepts: readonly [
    { readonly amount: string; readonly payTo: `0x${string}`; readonly maxTimeoutSeconds: number },
  ]
}

/** The payment for a payment request, as a paying MCP client makes it. */
export async function signTerms(challenge: unknown, wallet: Wallet): Promise<unknown> {
  const { resource, accepts } = challenge as Terms
  const [accepted] = accepts
  const payload = await signAuthorization({
    wallet,
    to: accepted.payTo,
    value: BigInt(accepted.amount),
    validBefore: BigInt(Math.floor(Date.now() / 1_000) + accepted.maxTimeoutSeconds),
  })
  return { x402Version: 2, resource, accepted, payload }
}
