import { CallError } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { CounterStore } from '../store/store.ts'

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
    const key = `${slug}|${callerKey(ip)}`
    const { taken, used } = await counters.take(key, window, limit)
    // draft-ietf-httpapi-ratelimit-headers
    const headers = {
      'ratelimit-policy': `"day";q=${limit};w=86400`,
      ratelimit: `"day";r=${Math.max(0, limit - used)};t=${resetSeconds}`,
    }
    if (!taken) {
      throw new CallError('quota_exceeded', `The ${limit} free calls of today are used up.`, {
        nextStep: `The allowance is renewed at ${new Date(now - (now % dayMs) + dayMs).toISOString()}.`,
        retryAfterSeconds: resetSeconds,
        headers,
      })
    }
    return { headers, giveBack: () => counters.giveBack(key, window) }
  }
}

/** IPv4 addresses count one by one, in either form, IPv6 by their /64: one customer owns at least that. */
export function callerKey(address: string): string {
  const ip = withoutPort(address)
  const mapped = /:(\d+\.\d+\.\d+\.\d+)$/.exec(ip)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = (ip.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const missing = ip.includes('::') ? Math.max(0, 8 - before.length - after.length) : 0
  const words = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  const numbers = words.map((word) => Number.parseInt(word, 16))
  const [high = 0, low = 0] = numbers.slice(6)
  if (numbers.slice(0, 5).every((number) => number === 0) && numbers[5] === 0xffff) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return `${numbers
    .slice(0, 4)
    .map((number) => number.toString(16))
    .join(':')}::/64`
}

/** Proxies that forward the port as well write `1.2.3.4:5678` and `[2001:db8::1]:5678`. */
function withoutPort(address: string): string {
  const [, six, four] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? []
  return six ?? four ?? address
}
