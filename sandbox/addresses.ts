import { getAddress, getContractAddress, type Address } from 'viem'

import { operator, residentOf } from './wallets.ts'

/** Where contracts live on the real chain, and so here. */
const canonical = {
  usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
  registry: '0x265BB2DBFC0A8165C9A1941Eb1372F349baD2cf1',
  ownerPredicate: '0xc8721c9A776958FfFfEb602DA1b708bf1D318379',
  weth: '0x4200000000000000000000000000000000000006',
  gasPriceOracle: '0x420000000000000000000000000000000000000F',
  aero: '0x940181a94A35A4569E4529A3CDfB74e38FD98631',
  cbBtc: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
  permit2: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  dead: '0x000000000000000000000000000000000000dEaD',
} as const satisfies Record<string, Address>

/** Contracts to look at: a vault behind a proxy that one account can replace, a clone of the vault, and a honeypot. */
const demo = {
  demoVault: getAddress(residentOf('demo vault')),
  demoProxy: getAddress(residentOf('demo proxy')),
  demoClone: getAddress(residentOf('demo clone')),
  demoHoneypot: getAddress(residentOf('demo honeypot')),
} as const

export type Contracts = typeof canonical & {
  readonly toolPass: Address
  readonly nativeToken: Address
  readonly stakedNative: Address
  /** An ERC-1271 wallet that belongs to the payer and has 100 USDC. */
  readonly smartWallet: Address
  /** Certificates of agents: the holder has one, the payer had one that was revoked. */
  readonly certificates: Address
  /** Where the native token is traded, as far as transfers show it. */
  readonly nativePair: Address
} & typeof demo

/** The contracts that the operator deploys, in the order of its transactions, which decides their addresses. */
const deployments = ['toolPass', 'nativeToken', 'stakedNative', 'smartWallet', 'certificates'] as const
const deployed = Object.fromEntries(
  deployments.map((name, nonce) => [name, getContractAddress({ from: operator, nonce: BigInt(nonce) })]),
) as Record<(typeof deployments)[number], Address>

/** Every contract's address: the same on each start. */
export const contracts: Contracts = {
  ...canonical,
  ...deployed,
  ...demo,
  nativePair: getAddress(residentOf('native pair')),
}
