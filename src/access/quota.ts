import { CallError } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { CounterStore } from '../store/store.ts'
import { callerKey, keysOf } from './networks.ts'

export type QuotaTicket = {
  readonly headers: Readonly<Record<string, string>>
  /** The call failed by our fault: it does not count. */
  readonly giveBack: () => Promise<void>
}

export type Quota = (slug: string, ip: string, limit: number) => Promise<QuotaTicket>

const dayMs = 86_400_000

/** A daily allowance per tool and caller; the day is UTC. @throws CallError `quota_exceeded` with the time left. */
export function createQuota({ counters, clock }: { readonly counters: CounterStore; readonly clock: Clock }): Quota {
  return async (slug, ip, limit) => {
    const now = clock.now()
    const window = new Date(now).toISOString().slice(0, 10)
    const resetSeconds = Math.ceil((dayMs - (now % dayMs)) / 1_000)
    const own = `${slug}|${callerKey(ip)}`
    const { taken, used } = await counters.take(own, window, limit)
    // Of networks that one customer may own, the largest counts as well: it has 65,536 of the smallest.
    const wide = keysOf(ip).at(-1)
    const whole = wide === undefined || wide.times === 1 ? undefined : `${slug}|${wide.key}`
    const isRoom =
      !taken || whole === undefined || (await counters.take(whole, window, limit * (wide?.times ?? 1))).taken
    if (taken && !isRoom) await counters.giveBack(own, window)
    // draft-ietf-httpapi-ratelimit-headers
    const headers = {
      'ratelimit-policy': `"day";q=${limit};w=86400`,
      ratelimit: `"day";r=${Math.max(0, limit - used)};t=${resetSeconds}`,
    }
    if (!taken || !isRoom) {
      throw new CallError('quota_exceeded', `The ${limit} free calls of today are used up.`, {
        nextStep: `The allowance is renewed at ${new Date(now - (now % dayMs) + dayMs).toISOString()}.`,
        retryAfterSeconds: resetSeconds,
        headers,
      })
    }
    return {
      headers,
      giveBack: async () => {
        await counters.giveBack(own, window)
        if (whole !== undefined) await counters.giveBack(whole, window)
      },
    }
  }
}
