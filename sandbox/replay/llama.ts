import { assetAt, assets, etherUsd } from './market.ts'
import { segmentsOf, type Replay } from './replay.ts'

/** DefiLlama's prices of coins. */
export const llama: Replay = {
  name: 'LLAMA',
  notFound: { message: 'Not Found' },
  answer({ path }, { now }) {
    const [prices, when, ...rest] = segmentsOf(path)
    if (prices !== 'prices') return undefined
    const seconds = Math.floor(now.getTime() / 1000)
    if (when === 'current') return { status: 200, body: { coins: coinsOf(rest[0], seconds - 25, true) } }
    if (when === 'historical' && /^\d+$/.test(rest[0] ?? '')) {
      return { status: 200, body: { coins: coinsOf(rest[1], Number(rest[0]), false) } }
    }
    return undefined
  },
}

/** The key keeps the spelling it was asked by; a coin nobody knows is absent. */
function coinsOf(keys = '', timestamp: number, current: boolean): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    keys.split(',').flatMap((key) => {
      const coin = coinOf(key)
      return coin === undefined ? [] : [[key, { ...coin, timestamp, ...(current ? { confidence: 0.99 } : {}) }]]
    }),
  )
}

function coinOf(key: string): Readonly<Record<string, unknown>> | undefined {
  const [source, name = ''] = key.split(':')
  if (source === 'coingecko') {
    if (name === 'ethereum') return { symbol: 'ETH', price: etherUsd }
    const asset = assets.find(({ coingeckoId }) => coingeckoId === name)
    return asset === undefined ? undefined : { symbol: asset.symbol, price: asset.usd }
  }
  const asset = source === 'base' ? assetAt(name) : undefined
  return asset === undefined ? undefined : { decimals: asset.decimals, symbol: asset.symbol, price: asset.usd }
}
