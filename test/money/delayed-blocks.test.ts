import { describe, expect, it } from 'vitest'

import { callTool, richWallet, type TestServer } from './test-server.ts'
import { serversOfTests } from './servers-of-tests.ts'
import { freshKey, pay } from './payer.ts'

const startServer = serversOfTests()
/** Asks again and again until the outcome is known; without the key, because whoever has it is made to wait. */
async function callUntilKnown(server: TestServer, headers: Readonly<Record<string, string>>) {
  const first = await callTool(server.url, 'probe', { text: 'x' }, headers)
  const statuses = [first.status]
  while (statuses.at(-1) === 503) {
    server.clock.advance(500)
    await server.served.server.ledger.sweep()
    const { 'payment-signature': payment = '' } = headers
    statuses.push((await callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': payment })).status)
  }
  return { answer: await callTool(server.url, 'probe', { text: 'x' }, headers), statuses }
}

describe.each([2_000, 6_000])('blocks every %s ms, and a facilitator', (blockMs) => {
  it.each([0, 0.3, 0.6, 0.95])(
    'that broadcasts and says no is never believed before two blocks have passed (at %s of a block)',
    async (phase) => {
      const server = await startServer({ blocks: { blockMs, isDelayed: true } })
      const payment = await pay(richWallet(server), await server.acceptsOf('probe'))
      const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
      server.clock.advance(blockMs * phase)
      server.facilitator.script('settle', ['lie-failure'])
      const { answer, statuses } = await callUntilKnown(server, headers)
      expect(statuses, 'a 402 would have made the client pay twice').not.toContain(402)
      expect(answer.status).toBe(200)
      expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
      expect(server.facilitator.settlesOf(payment.nonce)).toBe(1)
    },
  )

  it('that says no and means it leads to a 402 as soon as two blocks have passed', async () => {
    const server = await startServer({ blocks: { blockMs, isDelayed: true } })
    const payment = await pay(richWallet(server), await server.acceptsOf('probe'))
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    server.facilitator.script('settle', ['refuse'])
    const started = server.clock.now()
    const { answer, statuses } = await callUntilKnown(server, headers)
    expect(statuses.slice(0, -1).every((status) => status === 503)).toBe(true)
    expect(statuses.length).toBeGreaterThan(1)
    expect(answer.status).toBe(402)
    expect(answer.body['error']).toBe('insufficient_funds')
    expect(server.clock.now() - started).toBeGreaterThan(blockMs * 2)
    expect(server.clock.now() - started).toBeLessThan(blockMs * 3 + 30_000)
    expect(server.facilitator.settlesOf(payment.nonce)).toBe(1)
    expect(server.chain.transfersOf(payment.nonce)).toHaveLength(0)
  })
})
