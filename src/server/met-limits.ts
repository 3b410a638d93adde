import { LRUCache } from 'lru-cache'

import type { Clock } from '../platform/clock.ts'

/** One address that met limits, as the operator sees it. It is kept in memory only, and gone with the process. */
export type MetLimit = {
  readonly address: string
  /** How often, by the name of the limit. */
  readonly met: Readonly<Record<string, number>>
  readonly firstAt: number
  readonly lastAt: number
}

/** Who met which limits of late. */
export type MetLimits = {
  readonly met: (limit: string, address: string) => void
  /** The last ones first. */
  readonly list: () => readonly MetLimit[]
  readonly forget: (address: string) => void
}

const mostKept = 1_000

export function createMetLimits({
  clock,
  count,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly count: (limit: string) => void
}): MetLimits {
  const kept = new LRUCache<string, { met: Record<string, number>; firstAt: number; lastAt: number }>({ max: mostKept })
  return {
    met: (limit, address) => {
      count(limit)
      const now = clock.now()
      const known = kept.get(address)
      if (known === undefined) kept.set(address, { met: { [limit]: 1 }, firstAt: now, lastAt: now })
      else {
        known.met[limit] = (known.met[limit] ?? 0) + 1
        known.lastAt = now
      }
    },
    list: () =>
      [...kept.entries()].map(([address, { met, firstAt, lastAt }]) => ({ address, met: { ...met }, firstAt, lastAt })),
    forget: (address) => void kept.delete(address),
  }
}
