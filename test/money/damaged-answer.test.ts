import { afterEach, expect, it } from 'vitest'

import { callTool, richWallet, startTestServer, type TestServer } from './test-server.ts'
import { freshKey, pay, siweOf } from './payer.ts'

const open: TestServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.stop()))
})

it('a payment whose stored answer is damaged is still shown to its payer, without the answer', async () => {
  const server = await startTestServer()
  open.push(server)
  const wallet = richWallet(server)
  const payment = await pay(wallet, await server.acceptsOf('probe'))
  const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
  expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
  for (const damaged of ['{"text":"some', '{"text":"forged","run":9}']) {
    await server.store.payments.move({
      as: 'repair',
      id: payment.id,
      changes: { result: Buffer.from(damaged) },
      now: server.clock.now(),
    })
    const view = await fetch(`${server.url}/api/agentic/payments/${payment.id}`, {
      headers: { authorization: await siweOf(wallet, server.url, { now: server.clock.now() }) },
    })
    expect(view.status).toBe(200)
    expect(await view.json()).toMatchObject({ charged: true, result: null })
  }
})
