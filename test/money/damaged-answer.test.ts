import { afterEach, expect, it } from 'vitest'

import { callTool, richWallet, startTestHouse, type TestHouse } from './house.ts'
import { freshKey, pay, siweOf } from './payer.ts'

const open: TestHouse[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((house) => house.stop()))
})

it('a payment whose stored answer is damaged is still shown to its payer, without the answer', async () => {
  const house = await startTestHouse()
  open.push(house)
  const wallet = richWallet(house)
  const payment = await pay(wallet, await house.acceptsOf('probe'))
  const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
  expect((await callTool(house.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
  for (const damaged of ['{"text":"some', '{"text":"forged","run":9}']) {
    await house.store.payments.move({
      as: 'repair',
      id: payment.id,
      changes: { result: Buffer.from(damaged) },
      now: house.clock.now(),
    })
    const view = await fetch(`${house.url}/api/agentic/payments/${payment.id}`, {
      headers: { authorization: await siweOf(wallet, house.url, { now: house.clock.now() }) },
    })
    expect(view.status).toBe(200)
    expect(await view.json()).toMatchObject({ charged: true, result: null })
  }
})
