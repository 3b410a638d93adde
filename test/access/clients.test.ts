import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Wallet, walletOf } from '../../sandbox/wallets.ts'
import { authorizationTypes } from '../../src/payments/eip3009/types.ts'
import { endpointOf } from '../../src/tool/urls.ts'
import { decode, encode } from '../money/payer.ts'
import { siwe } from './credentials.ts'
import type { Mode } from './mode-tool.ts'
import { type AccessServer, price, startAccessServer, toolOf } from './access-server.ts'

const holder = walletOf('holder')
const payer = walletOf('payer')
const stranger = walletOf('stranger')

let server: AccessServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const urlOf = (mode: Mode): string => endpointOf(toolOf(mode, 'POST'), server.url)
const post = (text = 'a'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ text }),
})

/** What a call earned, beside what it gave. */
async function earning<T>(call: () => Promise<T>): Promise<{ readonly result: T; readonly earned: bigint }> {
  const before = await server.earned()
  const result = await call()
  return { result, earned: (await server.earned()).onChain - before.onChain }
}

describe('@x402/fetch, unmodified', () => {
  const fetchAs = (wallet: Wallet): typeof fetch =>
    wrapFetchWithPaymentFromConfig(fetch, {
      schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(wallet.privateKey)) }],
    })

  it.each(['GET', 'POST'] as const)('pays for a paid-or-pass tool by %s', async (method) => {
    const url = urlOf('paid-or-pass')
    const { result, earned } = await earning(() =>
      method === 'GET' ? fetchAs(payer)(`${url}?text=a`) : fetchAs(payer)(url, post()),
    )
    expect(result.status).toBe(200)
    expect(await result.json()).toEqual({ entry: 'payment' })
    expect(decodePaymentResponseHeader(result.headers.get('payment-response') ?? '').success).toBe(true)
    expect(earned).toBe(price)
  })

  it('proves the pass by a zero amount on a pass-only tool, and nothing moves', async () => {
    const { result, earned } = await earning(() => fetchAs(holder)(urlOf('pass'), post()))
    expect(result.status).toBe(200)
    expect(await result.json()).toEqual({ entry: 'pass', passHolder: holder.address.toLowerCase() })
    expect(result.headers.get('payment-response')).toBe(null)
    expect(earned).toBe(0n)
  })

  it('is refused on a pass-only tool without the pass', async () => {
    const { result, earned } = await earning(() => fetchAs(stranger)(urlOf('pass'), post()))
    expect(result.status).toBe(403)
    expect(earned).toBe(0n)
  })
})

type Offer = {
  readonly payTo: `0x${string}`
  readonly asset: `0x${string}`
  readonly network: string
  readonly scheme: string
  readonly amount?: string
  readonly maxAmountRequired?: string
  readonly extra: { readonly name: string; readonly version: string }
}

async function signOffer(wallet: Wallet, offer: Offer, value: bigint, lifeSeconds: number) {
  const authorization = {
    from: wallet.address,
    to: offer.payTo,
    value: value.toString(),
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1_000) + lifeSeconds),
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
  }
  const signature = await privateKeyToAccount(wallet.privateKey).signTypedData({
    domain: { ...offer.extra, chainId: 8453, verifyingContract: offer.asset },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value,
      validAfter: 0n,
      validBefore: BigInt(authorization.validBefore),
    },
  })
  return { signature, authorization }
}

/**
 * `eip3009AuthenticatedFetch` of OpenSea's tool-sdk 0.28, step by step: it looks at the body's first offer only, signs
 * only where that asks for nothing, and sends a v1 payload.
 */
async function eip3009AuthenticatedFetch(wallet: Wallet, url: string): Promise<Response> {
  const first = await fetch(url, post())
  if (first.status !== 402) return first
  const copy = (await first.clone().json()) as { readonly accepts?: readonly Offer[] }
  const offer = copy.accepts?.[0]
  if (offer === undefined || BigInt(offer.maxAmountRequired ?? '0') !== 0n) return first
  const payload = await signOffer(wallet, offer, 0n, 600)
  const header = encode({ x402Version: 1, scheme: offer.scheme, network: offer.network, payload })
  const { headers, ...rest } = post()
  return fetch(url, { ...rest, headers: { ...(headers as Record<string, string>), 'X-Payment': header } })
}

/**
 * `paidFetch` of the same version: the header's offer before the body's, and the answer in the version that it speaks.
 */
async function paidFetch(wallet: Wallet, url: string): Promise<Response> {
  const first = await fetch(url, post())
  const header = first.headers.get('payment-required') ?? first.headers.get('x-payment-required')
  const challenge = (header === null ? await first.json() : decode(header)) as {
    readonly x402Version: number
    readonly accepts: readonly Offer[]
  }
  const [offer] = challenge.accepts
  if (offer === undefined) throw new Error('no offer')
  const payload = await signOffer(wallet, offer, BigInt(offer.amount ?? offer.maxAmountRequired ?? 'none'), 300)
  const { headers, ...rest } = post()
  const proof: Record<string, string> =
    challenge.x402Version === 2
      ? { 'PAYMENT-SIGNATURE': encode({ x402Version: 2, accepted: offer, payload }) }
      : { 'X-PAYMENT': encode({ x402Version: 1, scheme: offer.scheme, network: offer.network, payload }) }
  return fetch(url, { ...rest, headers: { ...(headers as Record<string, string>), ...proof } })
}

describe("the clients of OpenSea's tool-sdk", () => {
  it.each([
    { mode: 'pass', who: 'holder', wallet: holder, status: 200 },
    { mode: 'pass', who: 'stranger', wallet: stranger, status: 403 },
    { mode: 'paid-or-pass', who: 'holder', wallet: holder, status: 200 },
    { mode: 'paid-or-pass', who: 'stranger', wallet: stranger, status: 402 },
  ] as const)('identify the $who by a zero-value proof on a $mode tool: $status', async ({ mode, wallet, status }) => {
    const { result, earned } = await earning(() => eip3009AuthenticatedFetch(wallet, urlOf(mode)))
    expect(result.status).toBe(status)
    expect(earned).toBe(0n)
  })

  it('pay for a paid tool, and read the receipt', async () => {
    const { result, earned } = await earning(() => paidFetch(payer, urlOf('paid')))
    expect(result.status).toBe(200)
    expect(earned).toBe(price)
    const receipt = decode(result.headers.get('payment-response'))
    expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' })
    expect(receipt['transaction']).toMatch(/^0x[0-9a-f]{64}$/)
    expect(result.headers.get('x-payment-response')).toBe(result.headers.get('payment-response'))
  })

  it('get 402 from the probe of the command line: a POST of {} without a credential', async () => {
    for (const mode of ['paid', 'paid-or-pass', 'pass'] as const) {
      const answer = await fetch(urlOf(mode), { ...post(), body: '{}' })
      expect(answer.status).toBe(402)
    }
  })
})

describe('a pass over MCP', () => {
  it('travels in _meta where there are no headers', async () => {
    const text = await siwe(holder, `${server.url}/api/agentic/mcp`)
    const { status, body } = await server.call('pass', 'MCP', { meta: { 'tool-pass/siwe': text } })
    expect({ status, ...body }).toEqual({ status: 200, entry: 'pass', passHolder: holder.address.toLowerCase() })
  })

  it('may be sent both ways, as long as it is the same', async () => {
    const url = `${server.url}/api/agentic/mcp`
    const text = await siwe(holder, url)
    const twice = { meta: { 'tool-pass/siwe': text }, headers: { authorization: text } }
    expect((await server.call('pass', 'MCP', twice)).status).toBe(200)
    const other = { ...twice, headers: { authorization: await siwe(stranger, url) } }
    expect((await server.call('pass', 'MCP', other)).status).toBe(400)
    expect((await server.call('pass', 'MCP', { meta: { 'tool-pass/siwe': 7 } })).status).toBe(400)
  })

  it('is refused in _meta for the same reasons as in a header', async () => {
    const sent = async (text: string): Promise<number> =>
      (await server.call('paid-or-pass', 'MCP', { meta: { 'tool-pass/siwe': text } })).status
    expect(await sent('SIWE aGVsbG8.0x1234')).toBe(401)
    expect(await sent(await siwe(stranger, server.url))).toBe(402)
    expect(await sent(await siwe(holder, server.url, { domain: 'tools.example.org' }))).toBe(401)
  })
})
