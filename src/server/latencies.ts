import type { Call } from '../call/call.ts'

/** How long calls of a tool took of late, from request to answer. */
export type Latency = {
  /** Half of them took no longer. */
  readonly expectedMs: number
  /** Nine in ten took no longer. */
  readonly slowMs: number
  /** How many calls that is. */
  readonly calls: number
}

export type Latencies = {
  /** The call, with its time noted where it ran and was answered. */
  readonly timed: (call: Call) => Call
  /** Undefined until enough calls were answered. */
  readonly of: (slug: string) => Latency | undefined
}

const kept = 64
/** Fewer say nothing of the next one. */
const least = 3

/** The place that is written `next` holds the oldest of them, or nothing yet. */
type Times = { readonly last: number[]; next: number }

/** Remembers how long the last calls of each tool took; by this process, since it started. */
export function createLatencies(now: () => number = () => performance.now()): Latencies {
  const times = new Map<string, Times>()

  const note = (slug: string, ms: number): void => {
    const known = times.get(slug)
    if (known === undefined) times.set(slug, { last: [ms], next: 1 })
    else {
      known.last[known.next] = ms
      known.next = (known.next + 1) % kept
    }
  }

  return {
    timed: (call) => async (request) => {
      const startedAt = now()
      const result = await call(request)
      // What was stored is given out at once, which says nothing of a call that has to run.
      if (!result.replayed) note(request.tool.slug, now() - startedAt)
      return result
    },
    of: (slug) => {
      const sorted = times.get(slug)?.last.toSorted((a, b) => a - b) ?? []
      const at = (share: number): number => Math.ceil(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
      return sorted.length < least ? undefined : { expectedMs: at(0.5), slowMs: at(0.9), calls: sorted.length }
    },
  }
}
