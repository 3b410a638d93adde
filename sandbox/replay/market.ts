import type { Address } from 'viem'

import { contracts } from '../addresses.ts'

/**
 * One asset of the sandbox's market. The prices are invented; the three price services agree on them to a few parts in
 * ten thousand.
 */
export type Asset = {
  readonly symbol: string
  readonly name: string
  readonly address: Address
  readonly decimals: number
  readonly usd: number
  readonly coingeckoId: string
  readonly pool: { readonly address: Address; readonly liquidityUsd: number; readonly volumeUsd: number }
}

/** Dollars for one ether. */
export const etherUsd = 2731.4

/** Everything on the sandbox's chain that has a price. */
export const assets: readonly Asset[] = [
  {
    symbol: 'WETH',
    name: 'Wrapped Ether',
    address: contracts.weth,
    decimals: 18,
    usd: etherUsd,
    coingeckoId: 'weth',
    pool: { address: '0x5AFe000000000000000000000000000000000001', liquidityUsd: 38_400_000, volumeUsd: 91_000_000 },
  },
  {
    symbol: 'USDC',
    name: 'USD Coin',
    address: contracts.usdc,
    decimals: 6,
    usd: 0.9998,
    coingeckoId: 'usd-coin',
    pool: { address: '0x5Afe000000000000000000000000000000000002', liquidityUsd: 21_700_000, volumeUsd: 64_000_000 },
  },
  {
    symbol: 'AERO',
    name: 'Aerodrome',
    address: contracts.aero,
    decimals: 18,
    usd: 0.6974,
    coingeckoId: 'aerodrome-finance',
    pool: { address: '0x5AFe000000000000000000000000000000000003', liquidityUsd: 9_150_000, volumeUsd: 7_300_000 },
  },
  {
    symbol: 'cbBTC',
    name: 'Coinbase Wrapped BTC',
    address: contracts.cbBtc,
    decimals: 8,
    usd: 85_110.25,
    coingeckoId: 'coinbase-wrapped-btc',
    pool: { address: '0x5AFe000000000000000000000000000000000004', liquidityUsd: 27_900_000, volumeUsd: 33_000_000 },
  },
  {
    symbol: 'TOLL',
    name: 'Tollgate Demo Token',
    address: contracts.nativeToken,
    decimals: 18,
    usd: 0.0425,
    coingeckoId: 'tollgate-demo-token',
    pool: { address: contracts.nativePair, liquidityUsd: 412_000, volumeUsd: 58_000 },
  },
]

/** The asset at the address, in whatever case it is written. */
export function assetAt(address: string): Asset | undefined {
  return assets.find((asset) => asset.address.toLowerCase() === address.toLowerCase())
}
