import { cleanTextOrNull, type Upstreams, UpstreamError } from '../../../src/tool/tool.ts'

type Explorer = Upstreams['blockscout']

const days = 14
const topTokens = 15
/** Three pages of fifty by market value: the holders are counted among these. */
const tokenPages = 3
const newest = 20

/** The four looks at the network. A look that fails leaves its part empty; only when all fail is there nothing to sell. */
export async function radarOf(explorer: Explorer) {
  const [stats, contracts, tokens, trend] = await Promise.allSettled([
    explorer.stats(),
    explorer.newContracts(),
    explorer.tokens(tokenPages),
    explorer.dailyTransactions(),
  ])
  const failed = [stats, contracts, tokens, trend].filter((one) => one.status === 'rejected')
  const [first] = failed
  if (failed.length === 4) throw new UpstreamError('blockscout', undefined, { cause: first?.reason })
  return {
    network: stats.status === 'fulfilled' ? networkOf(stats.value) : null,
    newContracts: contracts.status === 'fulfilled' ? contracts.value.slice(0, newest).map(contractOf) : [],
    trendingTokens:
      tokens.status === 'fulfilled'
        ? tokens.value
            .toSorted((a, b) => (b.holders ?? -1) - (a.holders ?? -1) || (a.address < b.address ? -1 : 1))
            .slice(0, topTokens)
            .map(tokenOf)
        : [],
    txTrend14d:
      trend.status === 'fulfilled'
        ? trend.value.slice(-days).map(({ date, transactions }) => ({ date, txCount: transactions }))
        : [],
  }
}

function networkOf(stats: Awaited<ReturnType<Explorer['stats']>>) {
  const {
    totalBlocks,
    totalTransactions,
    totalAddresses,
    averageBlockTimeMs,
    gasUsedToday,
    gasPrices,
    marketCap,
    tvl,
  } = stats
  return {
    totalBlocks,
    totalTransactions,
    totalAddresses,
    avgBlockTimeMs: averageBlockTimeMs,
    gasUsedToday,
    gasPricesGwei: gasPrices,
    marketCap,
    tvl,
  }
}

function contractOf(row: Awaited<ReturnType<Explorer['newContracts']>>[number]) {
  return {
    address: row.address.toLowerCase(),
    name: cleanTextOrNull(row.name, 128),
    compilerVersion: cleanTextOrNull(row.compilerVersion, 64),
    optimizationEnabled: row.optimizationEnabled,
    txCount: row.transactions,
    verifiedAt: row.verifiedAt,
    isProxy: row.proxyType !== null || row.implementation !== null,
    implementationAddress: row.implementation?.toLowerCase() ?? null,
  }
}

function tokenOf(row: Awaited<ReturnType<Explorer['tokens']>>[number]) {
  return {
    address: row.address.toLowerCase(),
    name: cleanTextOrNull(row.name, 128),
    symbol: cleanTextOrNull(row.symbol, 32),
    holderCount: row.holders,
    transferCount: row.transfers,
    priceUsd: row.priceUsd,
    volume24hUsd: row.volume24hUsd,
    circulatingMarketCapUsd: row.marketCapUsd,
    type: cleanTextOrNull(row.type, 16),
  }
}
