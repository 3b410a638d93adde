import { UpstreamError } from '../errors.ts'
import type { Upstreams } from '../upstream/upstreams.ts'

const maxAgeMs = 3_600_000

/** Dollars for a token, or `native` for ether, no older than an hour; undefined where nobody knows or nobody answers. */
export async function knownPrice(prices: Upstreams['prices'], token: string): Promise<number | undefined> {
  try {
    return (await prices.usd([{ token, maxAgeMs }])).get(token)?.usd
  } catch (error) {
    // For those who can do without a price, it does not matter why there is none.
    if (!(error instanceof UpstreamError)) throw error
    return undefined
  }
}
