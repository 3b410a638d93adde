import { afterAll, beforeAll, expect, it } from 'vitest'

import type { StoreFault } from './faulty-store.ts'
import { freshKey, pay, siweOf } from './payer.ts'
import { type Answer, callMcp, callTool, richWallet, startOnFaultyStore, type TestServer } from './test-server.ts'

let server: TestServer
let setStore: (fault: StoreFault) => void

beforeAll(async () => {
  ;[server, setStore] = await startOnFaultyStore()
})
afterAll(() => server.stop())

const balancePath = '/api/agentic/balance'

/** A balance of a dollar. */
async function topUp(): Promise<string> {
  const terms = (await (await fetch(`${server.url}${balancePath}?usd=1`, { method: 'POST' })).json()) as {
    readonly accepts: readonly Parameters<typeof pay>[1][]
  }
  const [accepts] = terms.accepts
  if (accepts === undefined) throw new Error('No terms.')
  const { header } = await pay(richWallet(server), accepts)
  const answer = await fetch(`${server.url}${balancePath}?usd=1`, {
    method: 'POST',
    headers: { 'payment-signature': header },
  })
  const { session } = (await answer.json()) as { readonly session: { readonly token: string } }
  return session.token
}

const said = ({ status, headers, body: { error } }: Answer) => [
  status,
  headers.get('retry-after'),
  error?.code,
  error?.charged,
]

it('a ledger that is away is a 503 with a time, and "unknown" only where money may have moved', async () => {
  const wallet = richWallet(server)
  const accepts = await server.acceptsOf('probe')
  const paid = await pay(wallet, accepts)
  const paidHeaders = { 'payment-signature': paid.header, 'idempotency-key': freshKey() }
  expect((await callTool(server.url, 'probe', { text: 'x' }, paidHeaders)).status).toBe(200)
  const drawnHeaders = { authorization: `Bearer ${await topUp()}`, 'idempotency-key': freshKey() }
  expect((await callTool(server.url, 'probe', { text: 'x' }, drawnHeaders)).status).toBe(200)
  const unsent = await pay(wallet, accepts)

  setStore('all')
  const call = (slug: string, headers: Readonly<Record<string, string>> = {}) =>
    callTool(server.url, slug, { text: 'x' }, headers)
  const away = [503, '5', 'unavailable']
  expect(said(await call('probe-free'))).toEqual([...away, false])
  expect(said(await call('probe'))).toEqual([...away, false])
  expect(said(await call('probe', paidHeaders))).toEqual([...away, 'unknown'])
  expect(said(await call('probe', { 'payment-signature': unsent.header }))).toEqual([...away, 'unknown'])
  expect(said(await call('probe', drawnHeaders))).toEqual([...away, 'unknown'])
  const { authorization } = drawnHeaders
  expect(said(await call('probe', { authorization }))).toEqual([...away, false])

  const overMcp = await callMcp(server.url, 'probe', { text: 'x' }, { 'x402/payment': paid.header })
  expect(JSON.parse(overMcp.text)).toMatchObject({
    error: { code: 'unavailable', charged: 'unknown', retryAfterSeconds: 5 },
  })
  const fetched = await fetch(`${server.url}/api/agentic/payments/${paid.id}`, {
    headers: { authorization: await siweOf(wallet, server.url, { now: server.clock.now() }) },
  })
  expect([fetched.status, fetched.headers.get('retry-after')]).toEqual([503, '5'])

  setStore('none')
  server.clock.advance(1_000)
  const again = await call('probe', paidHeaders)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(server.chain.transfersOf(unsent.nonce)).toHaveLength(0)
})
