import { CallError } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { CounterStore } from '../store/store.ts'
import { callerKey, keysOf } from './networks.ts'

export type QuotaTicket = {
  readonly headers: Readonly<Record<string, string>>
  /** The call failed by our fault: it does not count. */
  readonly giveBack: () => Promise<void>
}

/** How many calls of one caller are let through in a time; undefined where that is not bounded. */
export type QuotaLimits = {
  readonly perDay: number | undefined
  /** Of a tool that lives on what a service gives this server in an hour: a caller's share of it. */
  readonly perHour?: number | undefined
}

export type Quota = (slug: string, ip: string, limits: QuotaLimits) => Promise<QuotaTicket>

type Window = {
  readonly name: 'hour' | 'day'
  readonly limit: number
  readonly ms: number
  /** What its counters are told apart by. */
  readonly prefix: string
  /** Length of the start of an ISO date that names it. */
  readonly length: number
  readonly usedUp: string
}

function windowsOf(slug: string, { perHour, perDay }: QuotaLimits): readonly Window[] {
  const hour =
    perHour === undefined
      ? []
      : ([
          {
            name: 'hour',
            limit: perHour,
            ms: 3_600_000,
            prefix: `${slug}@hour`,
            length: 13,
            usedUp: `Your share of this hour, ${perHour} calls, is used up: this tool asks a service that allows this server few requests.`,
          },
        ] as const)
  const day =
    perDay === undefined
      ? []
      : ([
          {
            name: 'day',
            limit: perDay,
            ms: 86_400_000,
            prefix: slug,
            length: 10,
            usedUp: `The ${perDay} free calls of today are used up.`,
          },
        ] as const)
  return [...hour, ...day]
}

/** An allowance per tool and caller; day and hour are UTC. @throws CallError `quota_exceeded` with the time left. */
export function createQuota({ counters, clock }: { readonly counters: CounterStore; readonly clock: Clock }): Quota {
  const take = async (window: Window, ip: string): Promise<QuotaTicket> => {
    const { name, limit, ms, prefix, length, usedUp } = window
    const now = clock.now()
    const at = new Date(now).toISOString().slice(0, length)
    const resetSeconds = Math.ceil((ms - (now % ms)) / 1_000)
    const own = `${prefix}|${callerKey(ip)}`
    const { taken, used } = await counters.take(own, at, limit)
    // Of networks that one customer may own, the largest counts as well: it has 65,536 of the smallest.
    const wide = keysOf(ip).at(-1)
    const whole = wide === undefined || wide.times === 1 ? undefined : `${prefix}|${wide.key}`
    const isRoom = !taken || whole === undefined || (await counters.take(whole, at, limit * (wide?.times ?? 1))).taken
    if (taken && !isRoom) await counters.giveBack(own, at)
    // draft-ietf-httpapi-ratelimit-headers
    const headers = {
      'ratelimit-policy': `"${name}";q=${limit};w=${ms / 1_000}`,
      ratelimit: `"${name}";r=${Math.max(0, limit - used)};t=${resetSeconds}`,
    }
    if (!taken || !isRoom) {
      throw new CallError('quota_exceeded', usedUp, {
        nextStep: `The allowance is renewed at ${new Date(now - (now % ms) + ms).toISOString()}.`,
        retryAfterSeconds: resetSeconds,
        headers,
      })
    }
    return {
      headers,
      giveBack: async () => {
        await counters.giveBack(own, at)
        if (whole !== undefined) await counters.giveBack(whole, at)
      },
    }
  }

  return async (slug, ip, limits) => {
    const tickets: QuotaTicket[] = []
    const giveBack = async (): Promise<void> => {
      for (const ticket of tickets) await ticket.giveBack()
    }
    for (const window of windowsOf(slug, limits)) {
      try {
        tickets.push(await take(window, ip))
      } catch (error) {
        await giveBack()
        throw error
      }
    }
    return { headers: tickets[0]?.headers ?? {}, giveBack }
  }
}
