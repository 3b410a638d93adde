import { nothingCharged } from '../../src/errors.ts'
import { authorizationTypes } from '../../src/payments/eip3009/types.ts'
import { isRecord, type Json, randomHex, textOf, toBase64 } from './dom.ts'
import type { Terms } from './terms.ts'

/** Somebody who can sign: a wallet in the browser (EIP-1193), or one of the sandbox's with play money. */
export type Wallet = {
  readonly id: string
  readonly name: string
  readonly icon: string | undefined
  readonly request: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/** A wallet would not or could not sign; the message says why, and that nothing was charged. */
class WalletError extends Error {}

type Provider = { readonly request: (asked: { method: string; params?: readonly unknown[] }) => Promise<unknown> }

/** How long wallets are waited for that announce themselves; they do so at once where they are there. */
const announceMs = 150

/** The wallets of this browser, as each announces itself (EIP-6963). */
export async function injectedWallets(): Promise<readonly Wallet[]> {
  const found = new Map<string, Wallet>()
  const hear = (event: Event): void => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : undefined
    if (!isRecord(detail) || !isProvider(detail['provider']) || !isRecord(detail['info'])) return
    const { uuid, name, icon } = detail['info']
    if (typeof uuid !== 'string' || typeof name !== 'string') return
    found.set(uuid, {
      id: uuid,
      name: name.slice(0, 40),
      icon: typeof icon === 'string' && icon.startsWith('data:image/') ? icon : undefined,
      request: asker(detail['provider']),
    })
  }
  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  await new Promise((resolve) => setTimeout(resolve, announceMs))
  removeEventListener('eip6963:announceProvider', hear)
  const older: unknown = Reflect.get(globalThis, 'ethereum')
  if (found.size === 0 && isProvider(older)) {
    found.set('older', { id: 'older', name: 'the wallet of this browser', icon: undefined, request: asker(older) })
  }
  return [...found.values()]
}

function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'
}

function asker(provider: Provider): Wallet['request'] {
  return async (method, params) => {
    try {
      return await provider.request({ method, params })
    } catch (error) {
      throw new WalletError(wordsOf(error), { cause: error })
    }
  }
}

const rejected = 4001

function wordsOf(error: unknown): string {
  const code = isRecord(error) || error instanceof Error ? Reflect.get(Object(error), 'code') : undefined
  if (code === rejected) return `You declined in your wallet, and nothing was signed. ${nothingCharged}`
  const message = error instanceof Error ? error.message : isRecord(error) ? textOf(error['message']) : ''
  return `Your wallet did not sign: ${message.slice(0, 200) || 'it gave no reason'}. ${nothingCharged}`
}

/** One of the sandbox's wallets: its money is worthless, and the sandbox signs for whoever asks. */
export function playWallet(name: string, address: string): Wallet {
  const sign = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const answer = await fetch('/sandbox/sign', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wallet: name, method, params }),
    })
    const body: unknown = await answer.json()
    if (!isRecord(body) || typeof body['signature'] !== 'string') {
      throw new WalletError(`The sandbox did not sign. ${nothingCharged}`)
    }
    return body['signature']
  }
  return {
    id: name,
    name,
    icon: undefined,
    request: async (method, params) => {
      if (method === 'eth_requestAccounts') return [address]
      // It is on whatever chain the sandbox is.
      return method === 'eth_chainId' ? undefined : sign(method, params)
    },
  }
}

async function accountOf(wallet: Wallet): Promise<string> {
  const accounts = await wallet.request('eth_requestAccounts', [])
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account !== 'string') throw new WalletError(`Your wallet named no account. ${nothingCharged}`)
  return account
}

/** Sees to it that a wallet is on a chain. @throws WalletError where it stays on another. */
async function beOn(wallet: Wallet, chainId: number): Promise<void> {
  const at = async (): Promise<number | undefined> => {
    const answer = await wallet.request('eth_chainId', [])
    return typeof answer === 'string' ? Number(answer) : undefined
  }
  const before = await at()
  if (before === undefined || before === chainId) return
  const hex = `0x${chainId.toString(16)}`
  try {
    await wallet.request('wallet_switchEthereumChain', [{ chainId: hex }])
  } catch {
    // Whether it switched is asked below; a wallet that cannot switch says so there.
  }
  if ((await at()) === chainId) return
  throw new WalletError(
    `Your wallet is on network ${before}; this payment is for network ${chainId}. Switch there and try again. ${nothingCharged}`,
  )
}

export type Signed = {
  readonly payer: string
  readonly validBefore: number
  /** What the wallet was shown and signed. */
  readonly message: Json
  /** The payment as a header carries it. */
  readonly header: string
}

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/**
 * Has a wallet sign what a 402 asks (EIP-3009 by EIP-712); only the named receiver can take it, and only this amount.
 */
export async function signPayment(wallet: Wallet, terms: Terms): Promise<Signed> {
  const payer = await accountOf(wallet)
  await beOn(wallet, terms.chainId)
  const validBefore = Math.floor(Date.now() / 1_000) + terms.maxTimeoutSeconds
  const message = {
    from: payer,
    to: terms.payTo,
    value: terms.amount,
    validAfter: '0',
    validBefore: String(validBefore),
    nonce: `0x${randomHex(32)}`,
  }
  const typed = {
    domain: { ...terms.domain, chainId: terms.chainId, verifyingContract: terms.asset },
    types: { EIP712Domain: domainFields, ...authorizationTypes },
    primaryType: 'TransferWithAuthorization',
    message,
  }
  const signature = await wallet.request('eth_signTypedData_v4', [payer, JSON.stringify(typed)])
  if (typeof signature !== 'string') throw new WalletError(`Your wallet gave no signature. ${nothingCharged}`)
  const payment = {
    x402Version: 2,
    ...(terms.resource === undefined ? {} : { resource: terms.resource }),
    accepted: terms.entry,
    payload: { authorization: message, signature },
  }
  return { payer, validBefore, message, header: toBase64(JSON.stringify(payment)) }
}

/** Where a sign-in is for. */
export type SignInPlace = { readonly origin: string; readonly uri: string; readonly chainId: number }

const signInMs = 5 * 60_000

/** Has a wallet sign a sign-in message (EIP-4361); gives the header that carries it. */
export async function signIn(wallet: Wallet, place: SignInPlace, statement: string): Promise<string> {
  const address = await accountOf(wallet)
  const now = Date.now()
  const message = [
    `${new URL(place.origin).host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${place.uri}`,
    'Version: 1',
    `Chain ID: ${place.chainId}`,
    `Nonce: ${randomHex(12)}`,
    `Issued At: ${new Date(now).toISOString()}`,
    `Expiration Time: ${new Date(now + signInMs).toISOString()}`,
  ].join('\n')
  const hex = [...new TextEncoder().encode(message)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const signature = await wallet.request('personal_sign', [`0x${hex}`, address])
  if (typeof signature !== 'string') throw new WalletError('Your wallet gave no signature.')
  const text = toBase64(message).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `SIWE ${text}.${signature}`
}
