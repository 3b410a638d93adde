import { assetAt, assets, etherUsd } from './market.ts'
import { segmentsOf, type Replay, type ReplayRequest } from './replay.ts'

/** How far CoinGecko's figure is from the others'. */
const spread = 1.0003

/** What the coins of a category are worth together, and how that changed in a day. Invented, like all figures here. */
const categories = (
  [
    ['ai-agents', 'AI Agents', 4_100_000_000, 1.1],
    ['x402-ecosystem', 'x402 Ecosystem', 640_000_000, 6.8],
    ['prediction-markets', 'Prediction Markets', 1_300_000_000, 2.4],
    ['restaking', 'Restaking', 2_200_000_000, -5.2],
    ['meme-token', 'Meme', 61_000_000_000, -1.9],
    ['base-ecosystem', 'Base Ecosystem', 12_500_000_000, 1.3],
    ['real-world-assets-rwa', 'Real World Assets', 38_000_000_000, 0.8],
    ['layer-2', 'Layer 2', 14_000_000_000, 0.2],
    ['gaming', 'Gaming', 9_000_000_000, -0.4],
  ] as const
).map(([id, name, market_cap, market_cap_change_24h]) => ({
  id,
  name,
  market_cap,
  market_cap_change_24h,
  volume_24h: Math.round(market_cap * 0.07),
  content: '',
  top_3_coins: [],
}))

/** CoinGecko's simple prices, and its categories. */
export const coingecko: Replay = {
  name: 'COINGECKO',
  notFound: { error: 'Incorrect path. Please check https://docs.coingecko.com/' },
  answer(request, { now }) {
    const { path, query } = request
    const updated = Math.floor(now.getTime() / 1000) - 40
    if (path === '/api/v3/ping') return { status: 200, body: { gecko_says: '(V3) To the Moon!' } }
    if (path === '/api/v3/coins/categories') return { status: 200, body: categories }
    if (path === '/api/v3/simple/price') {
      return { status: 200, body: pricesOf(request, listOf(query.get('ids')), priceById, updated) }
    }
    if (path === '/api/v3/simple/token_price/base') {
      const addresses = listOf(query.get('contract_addresses')).map((address) => address.toLowerCase())
      return { status: 200, body: pricesOf(request, addresses, (address) => assetAt(address)?.usd, updated) }
    }
    const segments = segmentsOf(path)
    if (path.startsWith('/api/v3/onchain/simple/networks/base/token_price/')) {
      const addresses = listOf(segments.at(-1)).map((address) => address.toLowerCase())
      const prices = addresses.map((address) => [address, textOf(assetAt(address)?.usd)])
      const attributes = { token_prices: Object.fromEntries(prices) }
      return { status: 200, body: { data: { id: 'sandbox', type: 'simple_token_price', attributes } } }
    }
    return undefined
  },
}

function listOf(text: string | null | undefined): readonly string[] {
  return (text ?? '').split(',').filter(Boolean)
}

function textOf(usd: number | undefined): string | null {
  return usd === undefined ? null : String(usd * spread)
}

function priceById(id: string): number | undefined {
  return id === 'ethereum' ? etherUsd : assets.find(({ coingeckoId }) => coingeckoId === id)?.usd
}

function pricesOf(
  { query }: ReplayRequest,
  keys: readonly string[],
  usdOf: (key: string) => number | undefined,
  updated: number,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const usd = usdOf(key)
      if (usd === undefined) return []
      const stamp = query.get('include_last_updated_at') === 'true' ? { last_updated_at: updated } : {}
      return [[key, { usd: usd * spread, ...stamp }]]
    }),
  )
}
