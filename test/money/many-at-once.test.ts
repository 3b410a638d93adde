import { afterAll, beforeAll, expect, it } from 'vitest'

import { callTool, richWallet, startTestHouse, type TestHouse } from './house.ts'
import { freshKey, pay } from './payer.ts'

let house: TestHouse
beforeAll(async () => {
  house = await startTestHouse()
})
afterAll(() => house.stop())

it('a hundred payers are all handed on at once while a settlement takes as long as a block', async () => {
  house.facilitator.slowness(2_000)
  house.facilitator.choose('settle', () => 'slow')
  const accepts = await house.acceptsOf('probe')
  const validBefore = BigInt(Math.floor(house.clock.now() / 1_000) + 300)
  const payments = await Promise.all(
    Array.from({ length: 100 }, () => pay(richWallet(house), accepts, { validBefore })),
  )
  const answers = await Promise.all(
    payments.map(({ header }, index) =>
      callTool(
        house.url,
        'probe',
        { text: `call ${index}` },
        { 'payment-signature': header, 'idempotency-key': freshKey() },
      ),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(house.served.server.facilitator.status()).toBe('ok')
}, 60_000)
