import { afterEach, describe, expect, it } from 'vitest'

import { callTool, richWallet, startTestHouse, type TestHouse } from './house.ts'
import { freshKey, pay, siweOf } from './payer.ts'
import { createSimulator, systemTime } from './simulator.ts'

const open: TestHouse[] = []

async function startHouse(): Promise<TestHouse> {
  const house = await startTestHouse()
  open.push(house)
  return house
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((house) => house.stop()))
})

/** A payment that can be used for so many seconds from now on, by the clock of the house. */
async function payFor(house: TestHouse, seconds: number) {
  const wallet = richWallet(house)
  const payment = await pay(wallet, await house.acceptsOf('probe'), {
    validBefore: BigInt(Math.floor(house.clock.now() / 1_000) + seconds),
  })
  return { wallet, payment, headers: { 'payment-signature': payment.header, 'idempotency-key': freshKey() } }
}

describe('the time of a payment', () => {
  it.each([
    [0, 402],
    [15, 402],
    [19, 402],
    [22, 200],
    [60, 200],
    [600, 200],
    [655, 200],
    [665, 402],
    [86_400, 402],
  ])('with %s seconds left: %s', async (seconds, status) => {
    const house = await startHouse()
    const { payment, headers } = await payFor(house, seconds)
    const answer = await callTool(house.url, 'probe', { text: 'x' }, headers)
    expect(answer.status, answer.text).toBe(status)
    expect(house.chain.transfersOf(payment.nonce)).toHaveLength(status === 200 ? 1 : 0)
    if (status === 402) {
      expect(answer.body['error']).toBe('invalid_exact_evm_payload_authorization_valid_before')
      expect(house.facilitator.calls()).toHaveLength(0)
    }
  })

  it('that runs out while the tool works costs nothing', async () => {
    const house = await startHouse()
    const { payment, headers } = await payFor(house, 30)
    house.probes.onRun = () => {
      house.clock.advance(28_000)
    }
    const answer = await callTool(house.url, 'probe', { text: 'x' }, headers)
    expect(answer.status).toBe(500)
    expect(answer.body.error).toMatchObject({ code: 'deadline_exceeded', charged: false })
    expect(house.facilitator.settlesOf(payment.nonce)).toBe(0)
    // Now it is too old, and since it never was handed on a new one may be asked for.
    expect((await callTool(house.url, 'probe', { text: 'x' }, headers)).status).toBe(402)
  })

  it('bounds the tool: it is stopped while the payment can still be settled', async () => {
    const house = await startHouse()
    const { payment, headers } = await payFor(house, 22)
    house.probes.onRun = () =>
      new Promise((resolve) => {
        setTimeout(resolve, 12_000).unref()
      })
    const started = Date.now()
    const answer = await callTool(house.url, 'probe', { text: 'x' }, headers)
    expect(answer.status).toBe(500)
    expect(answer.body.error).toMatchObject({ code: 'deadline_exceeded', charged: false })
    expect(Date.now() - started).toBeLessThan(9_000)
    expect(house.facilitator.settlesOf(payment.nonce)).toBe(0)
  })

  it('is not over because one node says so: no second signature is asked for while the first can be used', async () => {
    const house = await startHouse()
    const { payment, headers } = await payFor(house, 60)
    house.facilitator.choose('settle', () => 'status-500')
    expect((await callTool(house.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
    house.rpc.set('ahead')
    house.clock.advance(5_000)
    await house.served.server.ledger.sweep()
    // FAILED would be a 402 to whoever asks again.
    expect((await house.store.payments.get(payment.id))?.state).toBe('UNKNOWN')
  })

  it('does not matter any more once it was used: the answer is given again after it ran out', async () => {
    const house = await startHouse()
    const { headers } = await payFor(house, 60)
    const first = await callTool(house.url, 'probe', { text: 'x' }, headers)
    house.clock.advance(3_600_000)
    expect((await callTool(house.url, 'probe', { text: 'x' }, headers)).text).toBe(first.text)
  })
})

describe('a paid answer', () => {
  it('is kept for a day and then dropped, while the payment is remembered', async () => {
    const house = await startHouse()
    const { wallet, payment, headers } = await payFor(house, 60)
    const first = await callTool(house.url, 'probe', { text: 'x' }, headers)
    expect(first.status).toBe(200)
    // The transfer is looked for in the chain half a minute later, as ever.
    house.clock.advance(35_000)
    await house.served.server.ledger.sweep()
    house.clock.advance(23 * 3_600_000)
    await house.store.payments.dropResults(house.clock.now() - 24 * 3_600_000)
    expect((await callTool(house.url, 'probe', { text: 'x' }, headers)).text).toBe(first.text)
    house.clock.advance(2 * 3_600_000)
    await house.store.payments.dropResults(house.clock.now() - 24 * 3_600_000)
    const late = await callTool(house.url, 'probe', { text: 'x' }, headers)
    expect(late.status).toBe(409)
    expect(late.body.error).toMatchObject({ code: 'payment_used' })
    const view = await fetch(`${house.url}/api/agentic/payments/${payment.id}`, {
      headers: { authorization: await siweOf(wallet, house.url, { now: house.clock.now() }) },
    })
    expect(await view.json()).toMatchObject({ charged: true, result: null, tool: 'probe' })
    expect(house.probes.runs()).toBe(1)
  })

  it('that was damaged on the disk is made again at the cost of the house', async () => {
    const house = await startHouse()
    const { payment, headers } = await payFor(house, 60)
    expect((await callTool(house.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
    await house.store.payments.move({
      as: 'repair',
      id: payment.id,
      changes: { result: Buffer.from('{"text":"some') },
      now: house.clock.now(),
    })
    const again = await callTool(house.url, 'probe', { text: 'x' }, headers)
    expect(again.status).toBe(200)
    expect(again.body['text']).toBe('x')
    expect((await callTool(house.url, 'probe', { text: 'x' }, headers)).text).toBe(again.text)
    expect(house.facilitator.settlesOf(payment.nonce)).toBe(1)
    expect(house.lines.join('\n')).toContain('payment.result_damaged')
  })
})

describe('a server whose clock is wrong', () => {
  it.each([3_600_000, -3_600_000])(
    'by %s ms asks nobody to sign again for that, and takes the same payment when it is right',
    async (offMs) => {
      const chain = createSimulator(systemTime)
      const house = await startTestHouse({ chain })
      open.push(house)
      const { payment, headers } = await payFor(house, 600)
      house.probes.onRun = () => {
        throw new Error('The tool fails.')
      }
      const claimed = await payFor(house, 600)
      expect((await callTool(house.url, 'probe', { text: 'x' }, claimed.headers)).status).toBe(500)
      house.probes.onRun = () => {}

      house.clock.advance(offMs)
      // One that is new, and one that was claimed before and may be tried again.
      for (const sent of [headers, claimed.headers]) {
        const refused = await callTool(house.url, 'probe', { text: 'x' }, sent)
        expect(refused.status, refused.text).toBe(503)
        expect(refused.headers.get('payment-required')).toBeNull()
        expect(refused.body.error).toMatchObject({ code: 'facilitator_unavailable', charged: false })
      }
      house.clock.advance(-offMs)
      for (const sent of [headers, claimed.headers]) {
        expect((await callTool(house.url, 'probe', { text: 'x' }, sent)).status).toBe(200)
      }
      expect(chain.transfersOf(payment.nonce)).toHaveLength(1)
      // What ran out by every clock is refused for good.
      const late = await payFor(house, 5)
      house.clock.advance(offMs)
      expect((await callTool(house.url, 'probe', { text: 'x' }, late.headers)).status).toBe(402)
    },
  )
})
