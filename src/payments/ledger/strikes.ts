import { LRUCache } from 'lru-cache'

import type { Clock } from '../../platform/clock.ts'
import { strikes } from './limits.ts'

/** Counts runs that cost this server work and the payer nothing. */
export type Strikes = {
  readonly add: (payer: string, isByCaller: boolean) => void
  /** How long the payer has to wait; 0 where it may call. */
  readonly waitMs: (payer: string) => number
}

export function createStrikes({ now }: Pick<Clock, 'now'>): Strikes {
  const counted = new LRUCache<string, { readonly weight: number; readonly until: number }>({ max: 50_000 })
  const of = (payer: string) => {
    const found = counted.get(payer)
    return found === undefined || found.until <= now() ? undefined : found
  }
  return {
    add: (payer, isByCaller) => {
      const found = of(payer)
      const weight = (found?.weight ?? 0) + (isByCaller ? strikes.byCaller : strikes.byOthers)
      counted.set(payer, { weight, until: found?.until ?? now() + strikes.windowMs })
    },
    waitMs: (payer) => {
      const found = of(payer)
      return found === undefined || found.weight < strikes.most ? 0 : found.until - now()
    },
  }
}
