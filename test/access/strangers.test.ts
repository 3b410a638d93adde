import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { contracts } from '../../sandbox/addresses.ts'
import { type AccessServer, price, startAccessServer } from './access-server.ts'

let server: AccessServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

const hex = (bytes: number): string => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')

/** A payment by nobody: its signature has the end of ERC-6492 and nothing of the rest. */
function junk(): string {
  const accepted = {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: price.toString(),
    asset: contracts.usdc,
    payTo: server.sandbox.payTo,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  }
  const authorization = {
    from: `0x${hex(20)}`,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1_000) + 60),
    nonce: `0x${hex(32)}`,
  }
  const signature = `0x${hex(10)}${'6492'.repeat(16)}`
  return Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload: { authorization, signature } })).toString(
    'base64',
  )
}

describe('payments that nobody signed', () => {
  it('are refused as such, and do not close the server for everybody else', async () => {
    const outcomes: unknown[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      outcomes.push((await server.call('paid', 'POST', { headers: { 'payment-signature': junk() } })).status)
    }
    // An honest caller who asks for the price right afterwards.
    const honest = await server.call('paid', 'POST', {})
    expect({ outcomes: new Set(outcomes), honest: honest.status }).toEqual({ outcomes: new Set([402]), honest: 402 })
  })
})
