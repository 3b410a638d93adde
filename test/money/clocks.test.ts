import { afterEach, describe, expect, it } from 'vitest'

import { callTool, richWallet, startTestHouse, type TestHouse, type TestHouseOptions } from './house.ts'
import { freshKey, pay } from './payer.ts'
import { createSimulator, createTestClock, type TestClock } from './simulator.ts'

const hour = 3_600_000
const open: TestHouse[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((house) => house.stop()))
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
async function startHouse(options: TestHouseOptions = {}) {
  const time = createTestClock()
  const clock = clockBeside(time)
  const house = await startTestHouse({ clock, chain: createSimulator(time), ...options })
  open.push(house)
  return { house, time, clock }
}

/** A payment that can be used for so many seconds by the right time. */
async function payFor(house: TestHouse, time: TestClock, seconds: number) {
  const payment = await pay(richWallet(house), await house.acceptsOf('probe'), {
    validBefore: BigInt(Math.floor(time.now() / 1_000) + seconds),
  })
  return { payment, headers: { 'payment-signature': payment.header, 'idempotency-key': freshKey() } }
}

const stateOf = async (house: TestHouse, id: string) => (await house.store.payments.get(id))?.state

describe('a yes that was a lie', () => {
  it.each([
    ['never', []],
    ['forwards and back, again and again', Array.from({ length: 9 }, () => hour)],
    ['backwards and right again', Array.from({ length: 9 }, () => -hour)],
    ['by two hours either way', [2 * hour, -2 * hour, 2 * hour, -2 * hour]],
    ['by minutes', [1_500_000, 240_000, 1_500_000, 240_000, 1_500_000, 240_000]],
  ])('is written off soon after the payment’s time, when the clock jumped %s', async (_how, jumps) => {
    const { house, time, clock } = await startHouse()
    const { payment, headers } = await payFor(house, time, 600)
    house.facilitator.script('settle', ['lie-success'])
    house.facilitator.choose('settle', () => 'status-500')
    expect((await callTool(house.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
    for (const jump of jumps) {
      clock.set(jump)
      await house.served.server.ledger.sweep()
      clock.set(0)
      time.advance(20_000)
      await house.served.server.ledger.sweep()
    }
    time.advance(Number(payment.authorization.validBefore) * 1_000 - time.now())
    // Half a minute of grace for clocks, and a look or two.
    for (let second = 0; second < 120; second += 10) {
      time.advance(10_000)
      await house.served.server.ledger.sweep()
    }
    expect(await stateOf(house, payment.id)).toBe('LOST')
  })
})
