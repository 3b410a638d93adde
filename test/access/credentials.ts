import { privateKeyToAccount } from 'viem/accounts'
import { SiweMessage } from 'siwe'

import { contracts } from '../../sandbox/addresses.ts'
import { type AuthorizationTerms, signAuthorization } from '../../sandbox/sign.ts'
import { type Wallet, walletOf } from '../../sandbox/wallets.ts'
import { encode, freshWallet } from '../money/payer.ts'
import { price, type Sent, type Way } from './access-server.ts'
import { undeployedWallet, wrapped } from './undeployed-wallet.ts'

/** Fields of a sign-in message that differ from those of a good one; null leaves one out. */
type SiweChanges = {
  readonly domain?: string
  readonly uri?: string
  readonly chainId?: number
  readonly address?: string
  readonly issuedAt?: Date
  readonly notBefore?: Date
  readonly expires?: Date | null
  /** The signer, where it is not the wallet itself. */
  readonly signer?: Wallet
  /** What becomes of the signature before it is sent. */
  readonly wrap?: (signature: `0x${string}`) => string
}

const minutes = (count: number): Date => new Date(Date.now() + count * 60_000)

/** A message by the `siwe` package with the fields that OpenSea's tool-sdk (up to 0.25) gives it. */
async function messageOf(wallet: Wallet, url: string, changes: SiweChanges = {}) {
  const message = new SiweMessage({
    domain: changes.domain ?? new URL(url).host,
    address: changes.address ?? wallet.address,
    statement: 'Authenticate to access this tool',
    uri: changes.uri ?? url,
    version: '1',
    chainId: changes.chainId ?? 8453,
    nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex'),
    issuedAt: (changes.issuedAt ?? new Date()).toISOString(),
    ...(changes.notBefore === undefined ? {} : { notBefore: changes.notBefore.toISOString() }),
    ...(changes.expires === null ? {} : { expirationTime: (changes.expires ?? minutes(5)).toISOString() }),
  })
  const text = message.prepareMessage()
  const signature = await privateKeyToAccount((changes.signer ?? wallet).privateKey).signMessage({ message: text })
  return { message, text, signature }
}

/** `SIWE <base64url(message)>.<0xsignature>` */
export async function siwe(wallet: Wallet, url: string, changes?: SiweChanges): Promise<string> {
  const { text, signature } = await messageOf(wallet, url, changes)
  return `SIWE ${Buffer.from(text, 'utf8').toString('base64url')}.${changes?.wrap?.(signature) ?? signature}`
}

/** The header of x402's `sign-in-with-x`: the fields of the same message as JSON. */
async function siwx(wallet: Wallet, url: string): Promise<string> {
  const { message, signature } = await messageOf(wallet, url)
  const { domain, address, statement, uri, version, nonce, issuedAt, expirationTime } = message
  return encode({
    domain,
    address,
    statement,
    uri,
    version,
    chainId: 'eip155:8453',
    type: 'eip191',
    nonce,
    issuedAt,
    expirationTime,
    signature,
  })
}

type Signed = Awaited<ReturnType<typeof signAuthorization>>

/** A payment as v2 clients send it (`paidFetch` of tool-sdk 0.28, `@x402/fetch`). */
function v2(payload: Signed, value: bigint, network = 'eip155:8453'): string {
  const accepted = {
    scheme: 'exact',
    network,
    amount: value.toString(),
    asset: contracts.usdc,
    payTo: walletOf('payTo').address,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  }
  return encode({ x402Version: 2, accepted, payload })
}

/** A payment as v1 clients send it (`x402-fetch`, `eip3009AuthenticatedFetch` of tool-sdk). */
function v1(payload: Signed, network = 'base'): string {
  return encode({ x402Version: 1, scheme: 'exact', network, payload })
}

function authorize(wallet: Wallet, value: bigint, terms: Partial<AuthorizationTerms> = {}): Promise<Signed> {
  return signAuthorization({ wallet, to: walletOf('payTo').address, value, ...terms })
}

const secondsFromNow = (seconds: number): bigint => BigInt(Math.floor(Date.now() / 1_000) + seconds)

const holder = walletOf('holder')
const payer = walletOf('payer')
const stranger = walletOf('stranger')

/** A zero-value proof of a wallet, as the v1 client sends it: base64 in X-Payment. */
const identity = async (wallet: Wallet, terms?: Partial<AuthorizationTerms>) => ({
  'payment-signature': v2(await authorize(wallet, 0n, terms), 0n),
})

export type Scene = {
  readonly url: string
  readonly way: Way
  /** Makes the same call once before, with what was sent. */
  readonly before: (sent: Sent) => Promise<unknown>
}

/** Every credential of the table: what is sent, made anew for each cell. */
export const credentials = {
  none: async () => ({}),
  'a forged x-pass-holder': async () => ({ headers: { 'x-pass-holder': holder.address, 'x-tool-pass': 'true' } }),
  'authorization of another kind': async () => ({ headers: { authorization: 'Bearer letmein' } }),

  'a payment, v2': async () => ({ headers: { 'payment-signature': v2(await authorize(payer, price), price) } }),
  'a payment, v1 in X-Payment': async () => ({ headers: { 'x-payment': v1(await authorize(payer, price)) } }),
  'a payment of a contract wallet': async () => ({
    headers: { 'payment-signature': v2(await authorize(payer, price, { from: contracts.smartWallet }), price) },
  }),
  'a payment used before': async ({ before }) => {
    const sent = { headers: { 'payment-signature': v2(await authorize(payer, price), price) } }
    await before(sent)
    return sent
  },
  'a payment of too little': async () => ({
    headers: { 'payment-signature': v2(await authorize(payer, price - 1n), price) },
  }),
  'a payment that has expired': async () => ({
    headers: { 'payment-signature': v2(await authorize(payer, price, { validBefore: secondsFromNow(-5) }), price) },
  }),
  'a payment on another chain': async () => ({
    headers: { 'payment-signature': v2(await authorize(payer, price, { chainId: 1 }), price, 'eip155:1') },
  }),
  'a payment to somebody else': async () => ({
    headers: { 'payment-signature': v2(await authorize(payer, price, { to: stranger.address }), price) },
  }),
  'a payment without money': async () => ({
    headers: { 'payment-signature': v2(await authorize(stranger, price), price) },
  }),
  'a malformed payment': async () => ({ headers: { 'payment-signature': 'not a payment' } }),
  'two different payments': async () => ({
    headers: {
      'payment-signature': v2(await authorize(payer, price), price),
      'x-payment': v1(await authorize(payer, price)),
    },
  }),

  'a pass by SIWE': async ({ url }) => ({ headers: { authorization: await siwe(holder, url) } }),
  'a pass by SIWE, used before': async ({ url, before }) => {
    const sent = { headers: { authorization: await siwe(holder, url) } }
    await before(sent)
    return sent
  },
  'a pass by SIGN-IN-WITH-X': async ({ url }) => ({ headers: { 'sign-in-with-x': await siwx(holder, url) } }),
  'a pass by a zero-value proof, v2': async () => ({ headers: await identity(holder) }),
  'a pass by a zero-value proof, v1 in X-Payment': async () => ({
    headers: { 'x-payment': v1(await authorize(holder, 0n)) },
  }),
  'a pass by a zero-value proof, v1 with a CAIP-2 network': async () => ({
    headers: { 'x-payment': v1(await authorize(holder, 0n), 'eip155:8453') },
  }),
  'a pass of a contract wallet by SIWE': async ({ url }) => ({
    headers: { authorization: await siwe(payer, url, { address: contracts.smartWallet }) },
  }),
  'a pass of a wallet that is not deployed yet': async ({ url }) => ({
    headers: { authorization: await siwe(payer, url, { address: undeployedWallet, wrap: wrapped }) },
  }),
  'a pass of a wallet that is not deployed yet, signed by somebody else': async ({ url }) => ({
    headers: { authorization: await siwe(stranger, url, { address: undeployedWallet, wrap: wrapped }) },
  }),
  'a pass of a contract wallet by a zero-value proof': async () => ({
    headers: await identity(payer, { from: contracts.smartWallet }),
  }),

  'SIWE without the pass': async ({ url }) => ({ headers: { authorization: await siwe(stranger, url) } }),
  'SIGN-IN-WITH-X without the pass': async ({ url }) => ({ headers: { 'sign-in-with-x': await siwx(stranger, url) } }),
  'a zero-value proof without the pass': async () => ({ headers: await identity(stranger) }),
  'SIWE without the pass, and a forged X-Delegate-For': async ({ url }) => ({
    headers: { authorization: await siwe(stranger, url), 'x-delegate-for': holder.address },
  }),

  'SIWE that has expired': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { issuedAt: minutes(-10), expires: minutes(-5) }) },
  }),
  'SIWE that never expires': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { expires: null }) },
  }),
  'SIWE for two hours': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { expires: minutes(120) }) },
  }),
  'SIWE for a day, an hour before its end': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { issuedAt: minutes(-23 * 60), expires: minutes(30) }) },
  }),
  'SIWE that is not valid yet': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { notBefore: minutes(3) }) },
  }),
  'SIWE for another domain': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { domain: 'tools.example.org' }) },
  }),
  'SIWE for another address': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { uri: 'https://tools.example.org/api' }) },
  }),
  'SIWE for another chain': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { chainId: 1 }) },
  }),
  'SIWE signed by somebody else': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url, { signer: stranger }) },
  }),
  'malformed SIWE': async () => ({ headers: { authorization: 'SIWE aGVsbG8.0x1234' } }),
  'malformed SIGN-IN-WITH-X': async () => ({ headers: { 'sign-in-with-x': 'aGVsbG8=' } }),

  'a zero-value proof used before': async ({ before }) => {
    const sent = { headers: await identity(holder) }
    await before(sent)
    return sent
  },
  'a zero-value proof that has expired': async () => ({
    headers: await identity(holder, { validBefore: secondsFromNow(-5) }),
  }),
  'a zero-value proof for an hour': async () => ({
    headers: await identity(holder, { validBefore: secondsFromNow(3_600) }),
  }),
  'a zero-value proof on another chain': async () => ({
    headers: { 'payment-signature': v2(await authorize(holder, 0n, { chainId: 1 }), 0n, 'eip155:1') },
  }),
  'a zero-value proof made out to somebody else': async () => ({
    headers: await identity(holder, { to: stranger.address }),
  }),
  'a zero-value proof signed by somebody else': async () => ({
    headers: await identity(stranger, { from: holder.address }),
  }),

  'a pass by SIWE, and a payment': async ({ url }) => ({
    headers: {
      authorization: await siwe(holder, url),
      'payment-signature': v2(await authorize(payer, price), price),
    },
  }),
  'SIWE without the pass, and a payment': async ({ url }) => ({
    headers: {
      authorization: await siwe(stranger, url),
      'payment-signature': v2(await authorize(payer, price), price),
    },
  }),
  'malformed SIWE, and a payment': async () => ({
    headers: {
      authorization: 'SIWE aGVsbG8.0x1234',
      'payment-signature': v2(await authorize(payer, price), price),
    },
  }),
  'a pass by SIWE, and a malformed payment': async ({ url }) => ({
    headers: { authorization: await siwe(holder, url), 'payment-signature': 'not a payment' },
  }),
} as const satisfies Readonly<Record<string, (scene: Scene) => Promise<Sent>>>

/** Credentials that need the chain, of wallets that nobody has asked about yet. */
export const unknownWallets = {
  'SIWE of a wallet nobody asked about': async ({ url }) => ({
    headers: { authorization: await siwe(freshWallet(), url) },
  }),
  'a zero-value proof of a wallet nobody asked about': async () => ({ headers: await identity(freshWallet()) }),
  'SIWE of a contract wallet nobody asked about': async ({ url }) => ({
    headers: { authorization: await siwe(payer, url, { address: freshWallet().address }) },
  }),
  'SIWE of a wallet nobody asked about, and a payment': async ({ url }) => ({
    headers: {
      authorization: await siwe(freshWallet(), url),
      'payment-signature': v2(await authorize(payer, price), price),
    },
  }),
} as const satisfies Readonly<Record<string, (scene: Scene) => Promise<Sent>>>
