import { afterAll, beforeAll, expect, it } from 'vitest'

import { callTool, richWallet, startTestServer, type TestServer } from './test-server.ts'
import { freshKey, pay } from './payer.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

it('a hundred payers are all handed on at once while a settlement takes as long as a block', async () => {
  server.facilitator.slowness(2_000)
  server.facilitator.choose('settle', () => 'slow')
  const accepts = await server.acceptsOf('probe')
  const validBefore = BigInt(Math.floor(server.clock.now() / 1_000) + 300)
  const payments = await Promise.all(
    Array.from({ length: 100 }, () => pay(richWallet(server), accepts, { validBefore })),
  )
  const answers = await Promise.all(
    payments.map(({ header }, index) =>
      callTool(
        server.url,
        'probe',
        { text: `call ${index}` },
        { 'payment-signature': header, 'idempotency-key': freshKey() },
      ),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(server.served.server.facilitator.status()).toBe('ok')
})
