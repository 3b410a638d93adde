import { describe, expect, it } from 'vitest'

import { callTool, richWallet, type TestServer } from './test-server.ts'
import { serversOfTests } from './servers-of-tests.ts'
import { freshKey, pay, siweOf } from './payer.ts'
import { createSimulator, systemTime } from './simulator.ts'

const startServer = serversOfTests()

/** A payment that is valid for this many seconds from now, by the clock of the server. */
async function payFor(server: TestServer, seconds: number) {
  const wallet = richWallet(server)
  const payment = await pay(wallet, await server.acceptsOf('probe'), {
    validBefore: BigInt(Math.floor(server.clock.now() / 1_000) + seconds),
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
    const server = await startServer()
    const { payment, headers } = await payFor(server, seconds)
    const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(answer.status, answer.text).toBe(status)
    expect(server.chain.transfersOf(payment.nonce)).toHaveLength(status === 200 ? 1 : 0)
    if (status === 402) {
      expect(answer.body['error']).toBe('invalid_exact_evm_payload_authorization_valid_before')
      expect(server.facilitator.calls()).toHaveLength(0)
    }
  })

  it('that runs out while the tool works costs nothing', async () => {
    const server = await startServer()
    const { payment, headers } = await payFor(server, 30)
    server.probes.onRun = () => {
      server.clock.advance(28_000)
    }
    const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(answer.status).toBe(500)
    expect(answer.body.error).toMatchObject({ code: 'deadline_exceeded', charged: false })
    expect(server.facilitator.settlesOf(payment.nonce)).toBe(0)
    // Now it is too old, and since it never was handed on a new one may be asked for.
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(402)
  })

  it('bounds the tool: it is stopped while the payment can still be settled', async () => {
    const server = await startServer()
    const { payment, headers } = await payFor(server, 22)
    let isOver = false
    server.probes.onRun = () =>
      new Promise<void>((resolve) => {
        setTimeout(() => {
          isOver = true
          resolve()
        }, 25_000).unref()
      })
    const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(answer.status).toBe(500)
    expect(answer.body.error).toMatchObject({ code: 'deadline_exceeded', charged: false })
    // Without a payment to be settled it may work for thirty seconds.
    expect(isOver).toBe(false)
    expect(server.facilitator.settlesOf(payment.nonce)).toBe(0)
  })

  it('is not over because one node says so: no second signature is asked for while the first can be used', async () => {
    const server = await startServer()
    const { payment, headers } = await payFor(server, 60)
    server.facilitator.choose('settle', () => 'status-500')
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
    server.rpc.set('ahead')
    server.clock.advance(5_000)
    await server.served.server.ledger.sweep()
    // FAILED would be a 402 to a caller who asks again.
    expect((await server.store.payments.get(payment.id))?.state).toBe('UNKNOWN')
  })

  it('does not matter any more once it was used: the answer is given again after it ran out', async () => {
    const server = await startServer()
    const { headers } = await payFor(server, 60)
    const first = await callTool(server.url, 'probe', { text: 'x' }, headers)
    server.clock.advance(3_600_000)
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).text).toBe(first.text)
  })
})

describe('a paid answer', () => {
  it('is kept for a day and then dropped, while the payment is remembered', async () => {
    const server = await startServer()
    const { wallet, payment, headers } = await payFor(server, 60)
    const first = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(first.status).toBe(200)
    // The transfer is looked for in the chain half a minute later, as ever.
    server.clock.advance(35_000)
    await server.served.server.ledger.sweep()
    server.clock.advance(23 * 3_600_000)
    await server.store.payments.dropResults(server.clock.now() - 24 * 3_600_000)
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).text).toBe(first.text)
    server.clock.advance(2 * 3_600_000)
    await server.store.payments.dropResults(server.clock.now() - 24 * 3_600_000)
    const late = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(late.status).toBe(409)
    expect(late.body.error).toMatchObject({ code: 'payment_used' })
    const view = await fetch(`${server.url}/api/agentic/payments/${payment.id}`, {
      headers: { authorization: await siweOf(wallet, server.url, { now: server.clock.now() }) },
    })
    expect(await view.json()).toMatchObject({ charged: true, result: null, tool: 'probe' })
    expect(server.probes.runs()).toBe(1)
  })

  it('that was damaged on the disk is made again at the cost of the server', async () => {
    const server = await startServer()
    const { payment, headers } = await payFor(server, 60)
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
    await server.store.payments.move({
      as: 'repair',
      id: payment.id,
      changes: { result: Buffer.from('{"text":"some') },
      now: server.clock.now(),
    })
    const again = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(again.status).toBe(200)
    expect(again.body['text']).toBe('x')
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).text).toBe(again.text)
    expect(server.facilitator.settlesOf(payment.nonce)).toBe(1)
    expect(server.lines.join('\n')).toContain('payment.result_damaged')
  })
})

describe('a server whose clock is wrong', () => {
  it.each([3_600_000, -3_600_000])(
    'by %s ms asks nobody to sign again for that, and takes the same payment when it is right',
    async (offMs) => {
      const chain = createSimulator(systemTime)
      const server = await startServer({ chain })
      const { payment, headers } = await payFor(server, 600)
      server.probes.onRun = () => {
        throw new Error('The tool fails.')
      }
      const claimed = await payFor(server, 600)
      expect((await callTool(server.url, 'probe', { text: 'x' }, claimed.headers)).status).toBe(500)
      server.probes.onRun = () => {}

      server.clock.advance(offMs)
      // One that is new, and one that was claimed before and may be tried again.
      for (const sent of [headers, claimed.headers]) {
        const refused = await callTool(server.url, 'probe', { text: 'x' }, sent)
        expect(refused.status, refused.text).toBe(503)
        expect(refused.headers.get('payment-required')).toBeNull()
        expect(refused.body.error).toMatchObject({ code: 'facilitator_unavailable', charged: false })
      }
      server.clock.advance(-offMs)
      for (const sent of [headers, claimed.headers]) {
        expect((await callTool(server.url, 'probe', { text: 'x' }, sent)).status).toBe(200)
      }
      expect(chain.transfersOf(payment.nonce)).toHaveLength(1)
      // What ran out by every clock is refused for good.
      const late = await payFor(server, 5)
      server.clock.advance(offMs)
      expect((await callTool(server.url, 'probe', { text: 'x' }, late.headers)).status).toBe(402)
    },
  )
})
