import { z } from 'zod'

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])
const decimal = z.string().regex(/^\d{1,78}$/)
const requirements = z.object({
  scheme: z.literal('exact'),
  network: z.templateLiteral(['eip155:', z.string().regex(/^\d+$/)]),
  amount: decimal,
  asset: hex,
  payTo: hex,
  maxTimeoutSeconds: z.number(),
  extra: z.object({ name: z.string(), version: z.string() }),
})
const authorization = z.object({
  from: hex,
  to: hex,
  value: decimal,
  validAfter: decimal,
  validBefore: decimal,
  nonce: hex,
})
const request = z.object({
  paymentPayload: z.object({
    x402Version: z.literal(2),
    accepted: requirements,
    payload: z.object({ authorization, signature: hex }),
  }),
  paymentRequirements: requirements,
})

export type SettleRequest = z.output<typeof request>

/** A body as the ledger writes it; undefined where it is not one. */
export function readRequest(body: string): SettleRequest | undefined {
  try {
    return request.parse(JSON.parse(body))
  } catch {
    return undefined
  }
}

/** What a payment is to the chain: its token takes each pair of payer and nonce once. */
export function keyOf(asset: string, from: string, nonce: string): string {
  return [asset, from, nonce].join('|').toLowerCase()
}
