import type { BoundHttp } from '../../http/bound.ts'
import { accountsOf } from './accounts.ts'
import { contractsOf } from './contracts.ts'
import { createReading, type Reading } from './reading.ts'
import { chartSchema, statsSchema } from './schemas.ts'
import { tokensOf } from './tokens.ts'
import type { Blockscout } from './types.ts'

export type { Blockscout } from './types.ts'

/** Builds the client of the Blockscout explorer. */
export function createBlockscout({ http }: { readonly http: BoundHttp }): Blockscout {
  const reading = createReading(http)
  return {
    origin: http.origin,
    ...contractsOf(reading),
    ...accountsOf(reading),
    ...tokensOf(reading),
    ...networkOf(reading),
  }
}

/** The explorer's figures of the whole chain. */
function networkOf({ readAlways }: Reading): Pick<Blockscout, 'stats' | 'dailyTransactions'> {
  return {
    stats: async () => {
      const { data, fetchedAt } = await readAlways(statsSchema, { path: '/api/v2/stats' })
      return {
        totalBlocks: data.total_blocks,
        totalTransactions: data.total_transactions,
        totalAddresses: data.total_addresses,
        averageBlockTimeMs: data.average_block_time,
        gasUsedToday: data.gas_used_today,
        gasPrices: data.gas_prices ?? null,
        marketCap: data.market_cap,
        tvl: data.tvl,
        fetchedAt,
      }
    },

    dailyTransactions: async () => {
      const { data } = await readAlways(chartSchema, { path: '/api/v2/stats/charts/transactions' })
      return data.chart_data
        .flatMap(({ date, transactions }) => (transactions === null ? [] : [{ date, transactions }]))
        .toSorted((a, b) => a.date.localeCompare(b.date))
    },
  }
}
