import { afterEach, describe, expect, it } from 'vitest'

import { callTool, richWallet, startTestServer, type TestServer, type TestServerOptions } from './test-server.ts'
import { freshKey, pay } from './payer.ts'
import { createSimulator, createTestClock, type TestClock } from './simulator.ts'

const hour = 3_600_000
const open: TestServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.stop()))
})

/** A clock that is as far from another one as it was set to be. */
function clockBeside(right: TestClock): TestClock & { readonly set: (offMs: number) => void } {
  let offMs = 0
  return {
    ...right,
    now: () => right.now() + offMs,
    set: (ms) => {
      offMs = ms
    },
  }
}

/** A server whose clock may be wrong, on a chain whose clock is right. */
async function startServer(options: TestServerOptions = {}) {
  const time = createTestClock()
  const clock = clockBeside(time)
  const server = await startTestServer({ clock, chain: createSimulator(time), ...options })
  open.push(server)
  return { server, time, clock }
}

/** A payment that can be used for so many seconds by the right time. */
async function payFor(server: TestServer, time: TestClock, seconds: number) {
  const payment = await pay(richWallet(server), await server.acceptsOf('probe'), {
    validBefore: BigInt(Math.floor(time.now() / 1_000) + seconds),
  })
  return { payment, headers: { 'payment-signature': payment.header, 'idempotency-key': freshKey() } }
}

const stateOf = async (server: TestServer, id: string) => (await server.store.payments.get(id))?.state

describe('a yes that was a lie', () => {
  it.each([
    ['never', []],
    ['forwards and back, again and again', Array.from({ length: 9 }, () => hour)],
    ['backwards and right again', Array.from({ length: 9 }, () => -hour)],
    ['by two hours either way', [2 * hour, -2 * hour, 2 * hour, -2 * hour]],
    ['by minutes', [1_500_000, 240_000, 1_500_000, 240_000, 1_500_000, 240_000]],
  ])('is written off soon after the payment’s time, when the clock jumped %s', async (_how, jumps) => {
    const { server, time, clock } = await startServer()
    const { payment, headers } = await payFor(server, time, 600)
    server.facilitator.script('settle', ['lie-success'])
    server.facilitator.choose('settle', () => 'status-500')
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
    for (const jump of jumps) {
      clock.set(jump)
      await server.served.server.ledger.sweep()
      clock.set(0)
      time.advance(20_000)
      await server.served.server.ledger.sweep()
    }
    time.advance(Number(payment.authorization.validBefore) * 1_000 - time.now())
    // Half a minute of grace for clocks, and a look or two.
    for (let second = 0; second < 120; second += 10) {
      time.advance(10_000)
      await server.served.server.ledger.sweep()
    }
    expect(await stateOf(server, payment.id)).toBe('LOST')
  })
})
