import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openSqliteStore } from '../../src/store/sqlite.ts'
import { createFaultyStore, type StoreFault } from './faulty-store.ts'
import { callMcp, callTool, richWallet, startTestServer, type TestServer } from './test-server.ts'
import { type Accepts, encode, freshWallet, pay } from './payer.ts'

let server: TestServer
let setStore: (fault: StoreFault) => void
let accepts: Accepts

beforeAll(async () => {
  const faulty = createFaultyStore(await openSqliteStore(':memory:'))
  setStore = faulty.set
  server = await startTestServer({ store: faulty.store })
  accepts = await server.acceptsOf('probe')
})
afterAll(() => server.stop())
beforeEach(async () => {
  setStore('none')
  // What was found out about the ledger is believed for a second.
  server.clock.advance(1_500)
})

/** Payments that are refused before anybody asks the ledger to write. */
const refused: readonly (readonly [string, () => Promise<Readonly<Record<string, unknown>>>])[] = [
  ['is too small', async () => (await pay(richWallet(server), accepts, { value: 1n })).v2],
  ['goes to somebody else', async () => (await pay(richWallet(server), accepts, { to: `0x${'2'.repeat(40)}` })).v2],
  ['ran out', async () => (await pay(richWallet(server), accepts, { validBefore: 1n })).v2],
  [
    'is signed by nobody',
    async () => {
      const { authorization } = await pay(freshWallet(), accepts)
      const payload = { authorization, signature: `0x${'1'.repeat(130)}` }
      return { x402Version: 2, accepted: accepts, payload }
    },
  ],
  [
    'names another resource',
    async () => ({
      ...(await pay(richWallet(server), accepts)).v2,
      resource: { url: `${server.url}/api/agentic/tools/probe-twin` },
    }),
  ],
]

describe('while the ledger cannot be written, a payment that', () => {
  it.each(refused)('%s is answered without a request for another one', async (_what, payment) => {
    const sent = await payment()
    const header = { 'payment-signature': encode(sent) }
    expect((await callTool(server.url, 'probe', { text: 'x' }, header)).status).toBe(402)

    setStore('writes')
    server.clock.advance(1_500)
    const answer = await callTool(server.url, 'probe', { text: 'x' }, header)
    expect(answer.status, answer.text).toBe(503)
    expect(answer.headers.get('payment-required')).toBeNull()
    expect(answer.body.error).toMatchObject({ code: 'unavailable', charged: false })
    expect(answer.text).toMatch(/Sign nothing now/)
    const overMcp = await callMcp(server.url, 'probe', { text: 'x' }, { 'x402/payment': sent })
    expect(overMcp.isError).toBe(true)
    expect(overMcp.text).not.toContain('"accepts"')
    expect(JSON.parse(overMcp.text)).toMatchObject({ error: { code: 'unavailable', charged: false } })
  })
})

describe('a payment that was taken and comes again with the name of another resource', () => {
  it('is not answered with a request for another one', async () => {
    const payment = await pay(richWallet(server), accepts)
    const header = { 'payment-signature': payment.header }
    expect((await callTool(server.url, 'probe', { text: 'x' }, header)).status).toBe(200)
    const renamed = { ...payment.v2, resource: { url: `${server.url}/api/agentic/tools/probe-twin` } }
    const again = await callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': encode(renamed) })
    expect(again.status, again.text).toBe(409)
    expect(again.body.error).toMatchObject({ code: 'payment_bound', charged: true })
  })
})
