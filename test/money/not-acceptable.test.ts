import { afterAll, beforeAll, expect, it } from 'vitest'

import { callTool, richWallet, startTestServer, type TestServer } from './test-server.ts'
import { type Accepts, decode, encode, pay, type SignedPayment } from './payer.ts'

/**
 * What x402's specification (§7) asks of a resource server where a payment decodes but is not acceptable: 402 with the
 * terms again, so that the client can pay. Only what cannot be decoded is 400.
 */

let server: TestServer
let accepts: Accepts
let payment: SignedPayment

beforeAll(async () => {
  server = await startTestServer()
  accepts = await server.acceptsOf('probe')
  payment = await pay(richWallet(server), accepts)
})
afterAll(() => server.stop())

const send = (envelope: unknown) =>
  callTool(
    server.url,
    'probe',
    { text: 'a' },
    { 'payment-signature': typeof envelope === 'string' ? envelope : encode(envelope) },
  )

const withNonce = (nonce: unknown) => ({
  ...payment.v2,
  payload: { signature: payment.signature, authorization: { ...payment.authorization, nonce } },
})
const withResource = (url: string) => ({ ...payment.v2, resource: { url } })

it.each<readonly [string, () => unknown]>([
  // RS-SEC-004
  ['a nonce of 31 bytes', () => withNonce(payment.nonce.slice(0, -2))],
  ['a nonce of 33 bytes', () => withNonce(`${payment.nonce}00`)],
  ['a nonce that is no bytes', () => withNonce('nonce')],
  // RS-NEG-012
  ['version 99', () => ({ ...payment.v2, x402Version: 99 })],
  ['version 0', () => ({ ...payment.v2, x402Version: 0 })],
  ["another tool's resource", () => withResource(`${server.url}/api/agentic/tools/probe-dear`)],
  ["another tool's name over MCP", () => withResource('mcp://tool/probe-dear')],
  ['a resource somewhere else', () => withResource('https://elsewhere.example/v1/report')],
])('a payment with %s is answered with the terms', async (_what, envelope) => {
  const { status, headers } = await send(envelope())
  expect(status).toBe(402)
  expect(decode(headers.get('payment-required'))).toMatchObject({ x402Version: 2, accepts: [accepts] })
  expect(server.probes.runs()).toBe(0)
})

it.each([
  ['no base64', '%%%'],
  ['no JSON', Buffer.from('no json').toString('base64')],
])('a payment that is %s is 400', async (_what, header) => {
  expect((await send(header)).status).toBe(400)
})

it('the honest payment is taken, whatever name of this very tool it carries', async () => {
  for (const url of [
    `${server.url}/api/agentic/tools/probe`,
    `${server.url}/api/agentic/tools/probe?x=1`,
    'mcp://tool/probe',
  ]) {
    const fresh = await pay(richWallet(server), accepts)
    expect((await send({ ...fresh.v2, resource: { url } })).status).toBe(200)
  }
})
