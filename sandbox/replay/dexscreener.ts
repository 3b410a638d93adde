import { assetAt, assets, etherUsd, type Asset } from './market.ts'
import { segmentsOf, type Replay } from './replay.ts'

/** DexScreener's pairs on Base. */
export const dexScreener: Replay = {
  name: 'DEXSCREENER',
  notFound: { error: 'Not Found' },
  answer({ path, query }, { now }) {
    const [first, second, third, fourth] = segmentsOf(path)
    if ((first === 'tokens' || first === 'token-pairs') && second === 'v1') {
      return { status: 200, body: third === 'base' ? pairsOf(fourth, now) : [] }
    }
    if (first === 'latest' && second === 'dex' && third === 'tokens') {
      return { status: 200, body: { schemaVersion: '1.0.0', pairs: pairsOf(fourth, now) } }
    }
    if (first === 'latest' && second === 'dex' && third === 'search') {
      const wanted = (query.get('q') ?? '').toLowerCase()
      const found = assets.filter(({ symbol, name }) => `${symbol} ${name}`.toLowerCase().includes(wanted))
      return { status: 200, body: { schemaVersion: '1.0.0', pairs: found.map((asset) => pairOf(asset, now)) } }
    }
    return undefined
  },
}

function pairsOf(addresses = '', now: Date): readonly unknown[] {
  return addresses.split(',').flatMap((address) => {
    const asset = assetAt(address)
    return asset === undefined ? [] : [pairOf(asset, now)]
  })
}

/** Every asset trades against ether in one pool, and ether against USDC. */
function pairOf(asset: Asset, now: Date): unknown {
  const quote = assets.find(({ symbol }) => symbol === (asset.symbol === 'WETH' ? 'USDC' : 'WETH')) ?? asset
  const usd = asset.usd * 0.9998
  const { address, liquidityUsd, volumeUsd } = asset.pool
  return {
    chainId: 'base',
    dexId: 'aerodrome',
    url: `https://dexscreener.com/base/${address.toLowerCase()}`,
    pairAddress: address,
    baseToken: { address: asset.address, name: asset.name, symbol: asset.symbol },
    quoteToken: { address: quote.address, name: quote.name, symbol: quote.symbol },
    priceNative: (usd / (quote.symbol === 'WETH' ? etherUsd : quote.usd)).toFixed(10),
    priceUsd: usd.toPrecision(8),
    txns: { m5: { buys: 2, sells: 1 }, h1: { buys: 31, sells: 27 }, h24: { buys: 702, sells: 655 } },
    volume: { h24: volumeUsd, h6: volumeUsd / 4, h1: volumeUsd / 24, m5: volumeUsd / 288 },
    priceChange: { h1: 0.12, h6: -0.4, h24: 1.85 },
    liquidity: { usd: liquidityUsd, base: liquidityUsd / 2 / usd, quote: liquidityUsd / 2 / quote.usd },
    fdv: Math.round(usd * 1_000_000_000),
    marketCap: Math.round(usd * 900_000_000),
    pairCreatedAt: now.getTime() - 400 * 86_400_000,
  }
}
