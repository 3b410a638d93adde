import { type Address, type Hex, isHex, type TypedDataDomain } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

import { authorizationTypes } from '../src/payments/eip3009/types.ts'
import { magicWallets } from './magic.ts'
import { demoWallets, type Wallet, walletOf } from './wallets.ts'

/** A wallet of the sandbox as its pages offer it. */
export type PlayWallet = {
  readonly name: string
  readonly address: string
  readonly note: string
  readonly isMagic: boolean
}

/** Signs for whoever asks, as a wallet of the sandbox; undefined where there is no such wallet or nothing to sign. */
export type PlaySign = (name: string, method: string, params: readonly unknown[]) => Promise<string | undefined>

const notes: Readonly<Record<keyof ReturnType<typeof demoWallets>, string>> = {
  payer: '1,000 USDC of play money',
  holder: 'holds the Tool Pass, and 10 USDC',
  stranger: 'holds nothing',
}

export function playWallets(): readonly PlayWallet[] {
  const { payer, holder, stranger } = demoWallets()
  return [
    { name: 'payer', address: payer.address, note: notes.payer, isMagic: false },
    { name: 'holder', address: holder.address, note: notes.holder, isMagic: false },
    { name: 'stranger', address: stranger.address, note: notes.stranger, isMagic: false },
    ...Object.entries(magicWallets()).map(([name, { address, outcome }]) => ({
      name,
      address,
      note: outcome,
      isMagic: true,
    })),
  ]
}

/** Who signs in to the operator's page of the sandbox. */
export function playOperators(): readonly PlayWallet[] {
  return [{ name: 'payTo', address: walletOf('payTo').address, note: 'the wallet that is paid', isMagic: false }]
}

/** The keys are public and what they sign moves no real money, so that it does not matter who asks. */
export const playSign: PlaySign = async (name, method, params) => {
  const wallets: Readonly<Record<string, Wallet>> = { ...demoWallets(), ...magicWallets(), payTo: walletOf('payTo') }
  const wallet = Object.hasOwn(wallets, name) ? wallets[name] : undefined
  if (wallet === undefined) return undefined
  const account = privateKeyToAccount(wallet.privateKey)
  if (method === 'personal_sign') {
    const [message] = params
    return isHex(message) ? account.signMessage({ message: { raw: message } }) : undefined
  }
  if (method !== 'eth_signTypedData_v4' || typeof params[1] !== 'string') return undefined
  const { domain, message } = JSON.parse(params[1]) as Transfer
  return account.signTypedData({ domain, types: authorizationTypes, primaryType: 'TransferWithAuthorization', message })
}

/** What a page asks to be signed; its numbers come as text, which is read as a number where it is hashed. */
type Transfer = {
  readonly domain: TypedDataDomain
  readonly message: {
    readonly from: Address
    readonly to: Address
    readonly value: bigint
    readonly validAfter: bigint
    readonly validBefore: bigint
    readonly nonce: Hex
  }
}
