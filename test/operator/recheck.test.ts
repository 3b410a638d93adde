import { expect, it } from 'vitest'

import { freshKey, pay } from '../money/payer.ts'
import { serversOfTests } from '../money/servers-of-tests.ts'
import { createStoppedClock } from '../money/simulator.ts'
import { callTool, richWallet } from '../money/test-server.ts'

const startServer = serversOfTests()
const token = 'a-token-that-only-the-operator-has'

it('an operator who asks about one payment need not wait until its next look is due', async () => {
  const server = await startServer({ clock: createStoppedClock(), env: { TOLLGATE_OPERATOR_TOKEN: token } })
  const { facilitator, store } = server
  const recheck = async (payment: string): Promise<unknown> => {
    const answer = await fetch(`${server.url}/operator/recheck`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ payment }),
    })
    return answer.json()
  }
  const stateOf = async (id: string) => (await store.payments.get(id))?.state
  const payment = await pay(richWallet(server), await server.acceptsOf('probe'))
  const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }

  facilitator.choose('settle', () => 'status-500')
  expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
  expect(await recheck(payment.id)).toEqual({ done: 'The chain says: it is not paid, and may still be.' })
  expect(await stateOf(payment.id)).toBe('UNKNOWN')

  facilitator.choose('settle', () => 'none')
  // The clock stands still: what is due has been looked at, and this is not.
  await server.served.server.ledger.sweep()
  expect(await stateOf(payment.id)).toBe('UNKNOWN')
  expect(await recheck(payment.id)).toMatchObject({ done: expect.stringContaining('it was paid, in transaction 0x') })
  expect(await stateOf(payment.id)).toMatch(/^(SETTLED|CONFIRMED)$/)
  expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
  expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(200)

  expect(await recheck('f'.repeat(64))).toMatchObject({ error: { code: 'invalid_input' } })
})
