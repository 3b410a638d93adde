/**
 * A dollar token that this client pays with. Its decimals and its EIP-712 name are known here, never taken from a
 * server.
 */
export type Asset = {
  /** CAIP-2, e.g. `eip155:8453`. */
  readonly network: string
  readonly address: string
  readonly symbol: string
  readonly decimals: number
  /** EIP-712 domain of the token. */
  readonly name: string
  readonly version: string
}

/** CAIP-2 of Base Sepolia, whose dollars are free. */
export const testnet = 'eip155:84532'

/** USDC as Circle issues it, on Base and on its test network. */
export const knownAssets: readonly Asset[] = [
  {
    network: 'eip155:8453',
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    symbol: 'USDC',
    decimals: 6,
    name: 'USD Coin',
    version: '2',
  },
  {
    network: testnet,
    address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    symbol: 'USDC',
    decimals: 6,
    name: 'USDC',
    version: '2',
  },
]

/** The short names of x402 v1, as CAIP-2. */
export function networkOf(name: string): string {
  if (name === 'base') return 'eip155:8453'
  return name === 'base-sepolia' ? testnet : name
}
