import { HTTPFacilitatorClient } from '@x402/core/http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startChain, type Chain } from './chain.ts'
import { createFacilitator, serveFacilitator, type FacilitatorEvent, type FacilitatorServer } from './facilitator.ts'
import { rpc } from './rpc.ts'
import { signAuthorization, usdcBalance, type AuthorizationTerms } from './sign.ts'
import { demoWallets, walletOf } from './wallets.ts'

const { payer, stranger } = demoWallets()
const payTo = walletOf('payTo').address
const events: FacilitatorEvent[] = []
let chain: Chain
let server: FacilitatorServer
let client: HTTPFacilitatorClient

beforeAll(async () => {
  chain = await startChain()
  const { privateKey } = walletOf('facilitator')
  const facilitator = createFacilitator({ ...chain, privateKey, onEvent: (event) => events.push(event) })
  server = await serveFacilitator(facilitator)
  client = new HTTPFacilitatorClient({ url: server.url })
})

afterAll(async () => {
  await server.stop()
  await chain.stop()
})

function requirementsOf(amount: bigint): PaymentRequirements {
  return {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: String(amount),
    asset: chain.contracts.usdc,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  }
}

async function paymentOf(
  value: bigint,
  terms: Partial<AuthorizationTerms> = {},
): Promise<readonly [PaymentPayload, PaymentRequirements]> {
  const requirements = requirementsOf(value)
  const payload = { ...(await signAuthorization({ wallet: payer, to: payTo, value, ...terms })) }
  return [{ x402Version: 2, payload, accepted: requirements }, requirements]
}

describe('the facilitator over HTTP', () => {
  it('says which chain it settles on and who pays the gas', async () => {
    const supported = await client.getSupported()
    expect(supported.kinds).toEqual([{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }])
    expect(supported.signers['eip155:*']).toEqual([walletOf('facilitator').address])
  })

  it('settles a payment that it verified, and moves exactly that much', async () => {
    const before = await usdcBalance(chain.rpcUrl, payTo)
    const payment = await paymentOf(10_000n)
    expect(await client.verify(...payment)).toEqual({ isValid: true, payer: payer.address })
    expect(await usdcBalance(chain.rpcUrl, payTo)).toBe(before)
    const settled = await client.settle(...payment)
    expect(settled).toMatchObject({ success: true, network: 'eip155:8453', payer: payer.address })
    expect(await usdcBalance(chain.rpcUrl, payTo)).toBe(before + 10_000n)
    expect(events.map(({ kind }) => kind)).toEqual(['verify', 'settle'])
  })

  it('refuses a payment whose nonce was used', async () => {
    const payment = await paymentOf(10_000n)
    await client.settle(...payment)
    const reason = 'invalid_exact_evm_nonce_already_used'
    expect(await client.verify(...payment)).toMatchObject({ isValid: false, invalidReason: reason })
    expect(await client.settle(...payment)).toMatchObject({ success: false, errorReason: reason, transaction: '' })
  })

  it('refuses a payer without the money', async () => {
    const payment = await paymentOf(10_000n, { wallet: stranger })
    const reason = 'invalid_exact_evm_insufficient_balance'
    expect(await client.verify(...payment)).toMatchObject({ isValid: false, invalidReason: reason })
  })

  it('refuses another amount, another receiver, another token and an expired authorization', async () => {
    const [payload] = await paymentOf(10_000n)
    const [elsewhere] = await paymentOf(10_000n, { to: stranger.address })
    const [otherToken] = await paymentOf(10_000n, { name: 'USDC' })
    const [expired] = await paymentOf(10_000n, { validBefore: 1n })
    const reasonOf = async (refused: PaymentPayload, amount: bigint): Promise<string | undefined> =>
      (await client.verify(refused, requirementsOf(amount))).invalidReason
    expect(await reasonOf(payload, 20_000n)).toMatch(/value/)
    expect(await reasonOf(elsewhere, 10_000n)).toMatch(/recipient/)
    expect(await reasonOf(otherToken, 10_000n)).toBe('invalid_exact_evm_signature')
    expect(await reasonOf(expired, 10_000n)).toMatch(/valid_before/)
  })

  it('refuses a chain and a scheme that it does not settle', async () => {
    const [payload, requirements] = await paymentOf(10_000n)
    for (const [change, reason] of [
      [{ network: 'eip155:1' }, 'invalid_network'],
      [{ scheme: 'upto' }, 'unsupported_scheme'],
    ] as const) {
      const changed = { ...requirements, ...change }
      expect(await client.verify(payload, changed)).toMatchObject({ isValid: false, invalidReason: reason })
      expect(await client.settle(payload, changed)).toMatchObject({ success: false, errorReason: reason })
    }
  })

  it('verifies a zero-value authorization, the proof of an identity', async () => {
    expect(await client.verify(...(await paymentOf(0n, { wallet: stranger })))).toMatchObject({ isValid: true })
  })

  it('settles for a wallet that is a contract', async () => {
    const before = await usdcBalance(chain.rpcUrl, chain.contracts.smartWallet)
    const settled = await client.settle(...(await paymentOf(10_000n, { from: chain.contracts.smartWallet })))
    expect(settled).toMatchObject({ success: true, payer: chain.contracts.smartWallet })
    expect(await usdcBalance(chain.rpcUrl, chain.contracts.smartWallet)).toBe(before - 10_000n)
  })

  it('settles twenty payments at once without mixing up its own nonces', async () => {
    const before = await usdcBalance(chain.rpcUrl, payTo)
    const payments = await Promise.all(Array.from({ length: 20 }, () => paymentOf(1_000n)))
    const settled = await Promise.all(payments.map((payment) => client.settle(...payment)))
    expect(settled.filter(({ success }) => success)).toHaveLength(20)
    expect(new Set(settled.map(({ transaction }) => transaction)).size).toBe(20)
    expect(await usdcBalance(chain.rpcUrl, payTo)).toBe(before + 20_000n)
  })

  it('settles one payment once when it comes five times at once', async () => {
    const before = await usdcBalance(chain.rpcUrl, payTo)
    const payment = await paymentOf(1_000n)
    const settled = await Promise.all(Array.from({ length: 5 }, () => client.settle(...payment)))
    expect(settled.filter(({ success }) => success)).toHaveLength(1)
    expect(await usdcBalance(chain.rpcUrl, payTo)).toBe(before + 1_000n)
    expect((await client.settle(...(await paymentOf(1_000n)))).success).toBe(true)
  })

  it.each([
    ['no JSON', 'hello'],
    ['no payment', '{}'],
    ['an empty payload', JSON.stringify({ paymentPayload: { x402Version: 2, payload: {} } })],
  ])('answers 400 to %s', async (_, body) => {
    for (const [path, answer] of [
      ['/verify', { isValid: false, invalidReason: 'invalid_payload' }],
      ['/settle', { success: false, errorReason: 'invalid_payload' }],
    ] as const) {
      const response = await fetch(`${server.url}${path}`, { method: 'POST', body })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject(answer)
    }
  })
})

describe('a chain that mines no block', () => {
  it('makes the facilitator answer settlement_pending with the hash, and success once the block is there', async () => {
    const slow = await startChain()
    try {
      const { privateKey } = walletOf('facilitator')
      const impatient = createFacilitator({ ...slow, privateKey, confirmationMs: 300 })
      await rpc(slow.rpcUrl, 'evm_setIntervalMining', 0)
      const payment = await paymentOf(5_000n)
      const pending = await impatient.settle(...payment)
      expect(pending).toMatchObject({ success: false, errorReason: 'settlement_pending' })
      expect(pending.transaction).toMatch(/^0x[0-9a-f]{64}$/)
      await rpc(slow.rpcUrl, 'evm_mine')
      expect(await impatient.settle(...payment)).toMatchObject({ success: true, transaction: pending.transaction })
    } finally {
      await slow.stop()
    }
  })
})
