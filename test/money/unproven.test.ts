import { type Address, encodeAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { callTool, richWallet } from './test-server.ts'
import { serversOfTests } from './servers-of-tests.ts'
import { encode, freshKey, pay } from './payer.ts'

const startServer = serversOfTests()

describe('a signature that only a contract could tell', () => {
  it('of somebody who is not the payer takes none of the calls that the payer may have under way', async () => {
    const server = await startServer()
    const victim = richWallet(server)
    const accepts = await server.acceptsOf('probe')
    server.facilitator.slowness(3_000)
    server.facilitator.script('verify', ['slow', 'slow', 'slow', 'slow'])
    // Nobody's signature, in the form of a wallet that is not deployed yet (ERC-6492).
    const wrapped = encodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      [accepts.payTo as Address, '0xabcd', '0xef'],
    )
    const signature = `${wrapped}${'6492'.repeat(16)}`
    const strangers = Array.from({ length: 4 }, async (_, index) => {
      const authorization = {
        from: victim.address,
        to: accepts.payTo,
        value: accepts.amount,
        validAfter: '0',
        validBefore: String(Math.floor(server.clock.now() / 1_000) + 60),
        nonce: `0x${String(index).repeat(64)}`,
      }
      const header = encode({ x402Version: 2, accepted: accepts, payload: { authorization, signature } })
      return callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': header })
    })
    await new Promise((resolve) => {
      setTimeout(resolve, 500)
    })
    const payment = await pay(victim, accepts)
    const answer = await callTool(
      server.url,
      'probe',
      { text: 'x' },
      { 'payment-signature': payment.header, 'idempotency-key': freshKey() },
    )
    await Promise.all(strangers)
    expect(answer.status, answer.text).toBe(200)
  })
})
