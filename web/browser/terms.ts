import { isRecord, type Json } from './dom.ts'

/** What a 402 asks, as far as a wallet needs it. */
export type Terms = {
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly chainId: number
  readonly maxTimeoutSeconds: number
  readonly domain: { readonly name: string; readonly version: string }
  /** The entry as the server wrote it, which a payment repeats. */
  readonly entry: Json
  readonly resource: unknown
}

/** The first way to pay of a 402 that a wallet can sign; undefined where there is none. */
export function termsOf(challenge: unknown): Terms | undefined {
  const entry: unknown =
    isRecord(challenge) && Array.isArray(challenge['accepts']) ? challenge['accepts'][0] : undefined
  if (!isRecord(challenge) || !isRecord(entry)) return undefined
  const { amount, asset, payTo, network, maxTimeoutSeconds, extra } = entry
  const chainId = typeof network === 'string' ? Number(/^eip155:(\d+)$/.exec(network)?.[1]) : Number.NaN
  if (
    typeof amount !== 'string' ||
    typeof asset !== 'string' ||
    typeof payTo !== 'string' ||
    typeof maxTimeoutSeconds !== 'number' ||
    !Number.isSafeInteger(chainId) ||
    !isRecord(extra)
  ) {
    return undefined
  }
  const { name, version } = extra
  if (typeof name !== 'string' || typeof version !== 'string') return undefined
  return {
    amount,
    asset,
    payTo,
    chainId,
    maxTimeoutSeconds,
    domain: { name, version },
    entry,
    resource: challenge['resource'],
  }
}

const unit = 1_000_000n

/** An amount of USDC, whose unit is a millionth, in dollars. */
export function dollars(amount: string): string {
  const atomic = /^\d{1,30}$/.test(amount) ? BigInt(amount) : 0n
  const rest = String(atomic % unit)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${atomic / unit}.${rest}`
}
