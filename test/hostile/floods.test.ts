import pLimit from 'p-limit'
import { encodeAbiParameters } from 'viem'
import { expect, it } from 'vitest'

import { allowances } from '../../src/payments/ledger/limits.ts'
import { encode, freshKey, freshWallet, pay } from '../money/payer.ts'
import { serversOfTests } from '../money/servers-of-tests.ts'
import { createStoppedClock } from '../money/simulator.ts'
import { callTool, payTo, richWallet, rowsOf } from '../money/test-server.ts'

const startServer = serversOfTests()

it('from a thousand addresses, of payers without money, contracts and garbage, leave the facilitator to those who have paid before', async () => {
  // Nothing of the allowances comes back meanwhile, however slow the machine is.
  const server = await startServer({ clock: createStoppedClock(), env: { TOLLGATE_TRUST_PROXY: '1' } })
  const accepts = await server.acceptsOf('probe')
  const regular = richWallet(server)
  const buy = async (): Promise<number> => {
    const headers = {
      'payment-signature': (await pay(regular, accepts)).header,
      'idempotency-key': freshKey(),
      'x-forwarded-for': '192.0.2.1',
    }
    return (await callTool(server.url, 'probe', { text: 'x' }, headers)).status
  }
  expect(await buy()).toBe(200)
  const verifies = (): number => server.facilitator.calls().filter(({ route }) => route === 'verify').length
  const before = verifies()

  // Well-signed payments from empty wallets, and signatures in the form of wallets that are not deployed yet
  // (ERC-6492).
  const wrapped = encodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
    [payTo, '0xabcd', '0xef'],
  )
  const junk = Buffer.from('{"x402Version":2,"payload":{}}').toString('base64')
  const stranger = async (index: number): Promise<number> => {
    const from = { 'x-forwarded-for': `8.8.${Math.floor(index / 250)}.${(index % 250) + 1}` }
    if (index % 4 === 1) return (await callTool(server.url, 'probe', { text: 'x' }, from)).status
    if (index % 4 === 2) {
      return (await callTool(server.url, 'probe', { text: 'x' }, { ...from, 'payment-signature': junk })).status
    }
    if (index % 4 === 3) {
      const headers = { ...from, authorization: 'SIWE eA.0x00' }
      return (await fetch(`${server.url}/api/agentic/payments/${'ab'.repeat(32)}`, { headers })).status
    }
    const payment = await pay(freshWallet(), accepts)
    const asContract = { authorization: payment.authorization, signature: `${wrapped}${'6492'.repeat(16)}` }
    const header = index % 12 === 0 ? encode({ ...payment.v2, payload: asContract }) : payment.header
    return (await callTool(server.url, 'probe', { text: 'x' }, { ...from, 'payment-signature': header })).status
  }
  // As many at once as a busy machine connects before the server's patience with half a request is over.
  const atOnce = pLimit(100)
  const strangers = Array.from({ length: 1_000 }, (_, index) => atOnce(() => stranger(index)))
  const honest = Array.from({ length: 4 }, async () => {
    const statuses: number[] = []
    for (let index = 0; index < 5; index += 1) statuses.push(await buy())
    return statuses
  })
  const [refused, served] = await Promise.all([Promise.all(strangers), Promise.all(honest)])

  expect(served.flat()).toEqual(Array.from({ length: 20 }, () => 200))
  expect(new Set(refused)).toEqual(new Set([401, 402, 429]))
  const strangersVerifies = verifies() - before - 20
  expect(strangersVerifies).toBeLessThanOrEqual(allowances.newcomers.burst + allowances.contracts.burst)
  expect(strangersVerifies).toBeGreaterThan(0)
  expect(server.chain.transfersTo(payTo)).toHaveLength(21)
  // Callers who paid nothing leave nothing behind.
  expect(await rowsOf(server.store)).toBe(21)
})
