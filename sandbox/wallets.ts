import { keccak256, toBytes, type Address, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'

export type Wallet = { readonly address: Address; readonly privateKey: Hex }

/** Names of the demo wallets. */
export const walletNames = [
  'payer',
  'holder',
  'stranger',
  'facilitator',
  'operator',
  'payTo',
  // Their payments always end in one way.
  'insufficient_funds',
  'expired',
  'facilitator_down',
  'out_of_credits',
  'settle_timeout',
  'settle_then_drop',
  'reorg',
] as const
export type WalletName = (typeof walletNames)[number]

/** Where the sandbox's keys come from. It is public, and so is every key: never send anything of value to them. */
const publicPhrase = 'tollgate sandbox: this key is public'

/** The demo wallet of that name; the same on every machine. */
export function walletOf(name: WalletName): Wallet {
  const privateKey = keccak256(toBytes(`${publicPhrase}: ${name}`))
  return { address: privateKeyToAddress(privateKey), privateKey }
}

/** An account that nobody has the key of, for the people on the sandbox's chain. */
export function residentOf(name: string): Address {
  return `0x${keccak256(toBytes(`${publicPhrase}: resident ${name}`)).slice(-40)}`
}

/** `payer` has 1,000 USDC and ether; `holder` the tool pass and 10 USDC; `stranger` a little ether and nothing else. */
export type DemoWallets = {
  readonly payer: Wallet
  readonly holder: Wallet
  readonly stranger: Wallet
}

/** The wallets a person or a test plays with. */
export function demoWallets(): DemoWallets {
  return { payer: walletOf('payer'), holder: walletOf('holder'), stranger: walletOf('stranger') }
}

/** Who deploys the sandbox's contracts, owns its tokens and registers its tools. */
export const operator: Address = walletOf('operator').address
