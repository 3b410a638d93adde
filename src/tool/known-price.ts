import { setTimeout as pause } from 'node:timers/promises'

import { UpstreamError } from '../errors.ts'
import type { Upstreams } from '../upstream/upstreams.ts'

const maxAgeMs = 3_600_000
/** Three services that never answer would otherwise take longer, one after the other, than a whole call may. */
const longestWaitMs = 4_000

/**
 * Dollars for a token, or `native` for ether, no older than an hour; undefined where nobody knows or nobody answers.
 */
export async function knownPrice(
  prices: Upstreams['prices'],
  token: string,
  waitMs = longestWaitMs,
): Promise<number | undefined> {
  const over = new AbortController()
  try {
    const late = pause(waitMs, undefined, { signal: over.signal }).catch(() => undefined)
    const known = await Promise.race([prices.usd([{ token, maxAgeMs }]), late])
    return known?.get(token)?.usd
  } catch (error) {
    // For those who can do without a price, it does not matter why there is none.
    if (!(error instanceof UpstreamError)) throw error
    return undefined
  } finally {
    over.abort()
  }
}
