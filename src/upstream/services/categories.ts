import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { HttpOf } from './services.ts'

/** What CoinGecko says of the coins of one category together. */
export type CoinCategory = {
  readonly marketCapUsd: number | null
  readonly marketCapChange24hPct: number | null
  readonly volume24hUsd: number | null
}

/** What DefiLlama says of the protocols of one category together. */
export type ProtocolCategory = {
  readonly tvlUsd: number
  /** Over the protocols that were there a week ago; null where none tells. */
  readonly change7dPct: number | null
}

/** How whole sectors of the market do. @throws UpstreamError */
export type Categories = {
  /** By CoinGecko's ids. */
  readonly coins: () => Promise<ReadonlyMap<string, CoinCategory>>
  /** By DefiLlama's names. One large answer, read slowly: for jobs, not for calls. */
  readonly protocols: () => Promise<ReadonlyMap<string, ProtocolCategory>>
}

const figure = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)
const coinCategories = z.array(
  z.looseObject({ id: z.string(), market_cap: figure, market_cap_change_24h: figure, volume_24h: figure }),
)
const protocolList = z.array(
  z.looseObject({
    category: z.string().nullish().catch(null),
    tvl: figure,
    change_7d: figure,
  }),
)

const keptForMs = 600_000
/** The list of protocols is some ten megabytes. */
const large = { maxBytes: 48 * 1024 * 1024, timeoutMs: 30_000 } as const

export function createCategories({ http }: { readonly http: HttpOf }): Categories {
  return {
    coins: async () => {
      const { body } = await http('coingecko').request({
        path: '/api/v3/coins/categories',
        maxBytes: 8 * 1024 * 1024,
        timeoutMs: 10_000,
        ttlMs: keptForMs,
      })
      const parsed = coinCategories.safeParse(body)
      if (!parsed.success) throw new UpstreamError('coingecko', undefined, { cause: parsed.error })
      return new Map(
        parsed.data.map(({ id, market_cap, market_cap_change_24h, volume_24h }) => [
          id,
          { marketCapUsd: market_cap, marketCapChange24hPct: market_cap_change_24h, volume24hUsd: volume_24h },
        ]),
      )
    },
    protocols: async () => {
      const { body } = await http('defillama').request({ path: '/protocols', ...large, ttlMs: keptForMs })
      const parsed = protocolList.safeParse(body)
      if (!parsed.success) throw new UpstreamError('defillama', undefined, { cause: parsed.error })
      const sums = new Map<string, { tvl: number; now: number; before: number }>()
      for (const { category, tvl, change_7d } of parsed.data) {
        if (category === null || category === undefined || tvl === null) continue
        const sum = sums.get(category) ?? { tvl: 0, now: 0, before: 0 }
        sum.tvl += tvl
        // A protocol that is new, or was emptied and filled again, says nothing of the week.
        if (change_7d !== null && change_7d > -99 && change_7d < 1_000) {
          sum.now += tvl
          sum.before += tvl / (1 + change_7d / 100)
        }
        sums.set(category, sum)
      }
      return new Map(
        [...sums].map(([category, { tvl, now, before }]) => [
          category,
          { tvlUsd: tvl, change7dPct: before > 0 ? (now / before - 1) * 100 : null },
        ]),
      )
    },
  }
}
