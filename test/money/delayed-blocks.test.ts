import { afterEach, describe, expect, it } from 'vitest'

import { callTool, richWallet, startTestHouse, type TestHouse } from './house.ts'
import { freshKey, pay } from './payer.ts'

const open: TestHouse[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((house) => house.stop()))
})

async function startHouse(blockMs: number): Promise<TestHouse> {
  const house = await startTestHouse({ blocks: { blockMs, isDelayed: true } })
  open.push(house)
  return house
}

/** Asks again and again until the outcome is known; without the key, because whoever has it is made to wait. */
async function callUntilKnown(house: TestHouse, headers: Readonly<Record<string, string>>) {
  const first = await callTool(house.url, 'probe', { text: 'x' }, headers)
  const statuses = [first.status]
  while (statuses.at(-1) === 503) {
    house.clock.advance(500)
    await house.served.server.ledger.sweep()
    const { 'payment-signature': payment = '' } = headers
    statuses.push((await callTool(house.url, 'probe', { text: 'x' }, { 'payment-signature': payment })).status)
  }
  return { answer: await callTool(house.url, 'probe', { text: 'x' }, headers), statuses }
}

describe.each([2_000, 6_000])('blocks every %s ms, and a facilitator', (blockMs) => {
  it.each([0, 0.3, 0.6, 0.95])(
    'that broadcasts and says no is never believed before two blocks have passed (at %s of a block)',
    async (phase) => {
      const house = await startHouse(blockMs)
      const payment = await pay(richWallet(house), await house.acceptsOf('probe'))
      const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
      house.clock.advance(blockMs * phase)
      house.facilitator.script('settle', ['lie-failure'])
      const { answer, statuses } = await callUntilKnown(house, headers)
      expect(statuses, 'a 402 would have made the client pay twice').not.toContain(402)
      expect(answer.status).toBe(200)
      expect(house.chain.transfersOf(payment.nonce)).toHaveLength(1)
      expect(house.facilitator.settlesOf(payment.nonce)).toBe(1)
    },
    60_000,
  )

  it('that says no and means it leads to a 402 as soon as two blocks have passed', async () => {
    const house = await startHouse(blockMs)
    const payment = await pay(richWallet(house), await house.acceptsOf('probe'))
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    house.facilitator.script('settle', ['refuse'])
    const started = house.clock.now()
    const { answer, statuses } = await callUntilKnown(house, headers)
    expect(statuses.slice(0, -1).every((status) => status === 503)).toBe(true)
    expect(statuses.length).toBeGreaterThan(1)
    expect(answer.status).toBe(402)
    expect(answer.body['error']).toBe('insufficient_funds')
    expect(house.clock.now() - started).toBeGreaterThan(blockMs * 2)
    expect(house.clock.now() - started).toBeLessThan(blockMs * 3 + 8_000)
    expect(house.facilitator.settlesOf(payment.nonce)).toBe(1)
    expect(house.chain.transfersOf(payment.nonce)).toHaveLength(0)
  }, 60_000)
})
