import { request } from 'node:http'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { callMcp, callTool, payTo, richWallet, rowsOf, startTestServer, type TestServer } from '../money/test-server.ts'
import { type Accepts, encode, freshKey, freshWallet, pay, paymentOf, type SignedPayment } from '../money/payer.ts'
import { sendRaw } from '../money/raw-http.ts'

let server: TestServer
let accepts: Accepts
let payment: SignedPayment
let untouched: { readonly rows: number; readonly runs: number; readonly settles: number; readonly transfers: number }

beforeAll(async () => {
  server = await startTestServer()
  accepts = await server.acceptsOf('probe')
})
afterAll(() => server.stop())

beforeEach(async () => {
  payment = await pay(richWallet(server), accepts)
  untouched = await measure()
})

async function measure() {
  return {
    rows: await rowsOf(server.store),
    runs: server.probes.runs(),
    settles: server.facilitator.calls().filter((call) => call.route === 'settle').length,
    transfers: server.chain.transfersTo(payTo).length,
  }
}

type Json = Readonly<Record<string, unknown>>

/** A copy with one field at a path replaced; undefined takes it away. */
function replaced(value: Json, path: readonly string[], by: unknown): Json {
  const [name = '', ...rest] = path
  const inner = rest.length === 0 ? by : replaced((value[name] ?? {}) as Json, rest, by)
  return { ...value, [name]: inner }
}

const other = '0x2222222222222222222222222222222222222222'
const signedFields = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const

/** Everything that can be sent in place of a value that was signed. */
function spoiled(field: (typeof signedFields)[number], value: string): readonly unknown[] {
  const shape = [undefined, null, '', ' ', 0, 1, [], {}, [value], true, '0x', `${value} `, `${value},${value}`]
  switch (field) {
    case 'from':
    case 'to':
      return [...shape, other, value.slice(0, -1), `${value}0`, value.replace('0x', ''), 'vitalik.eth']
    case 'value':
      return [...shape, '0', '1', '9999', '10001', '1000000', '-10000', '+10000', '010000', '1e4', '10000.0', '0x2710']
    case 'validAfter':
      return [...shape, '1', '9999999999', '-1', '0x0']
    case 'validBefore':
      return [...shape, '0', String(Number(value) - 1), String(Number(value) + 1), '9999999999', '1'.repeat(78)]
    case 'nonce':
      return [...shape, `0x${'0'.repeat(64)}`, `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`, `${value}00`]
  }
}

const signatures = (right: string): readonly unknown[] => [
  undefined,
  null,
  '',
  '0x',
  5,
  {},
  `0x${'0'.repeat(130)}`,
  `0x${'f'.repeat(130)}`,
  right.slice(0, -2),
  `${right.slice(0, -2)}${right.endsWith('1b') ? '1c' : '1b'}`,
  `${right.slice(0, -2)}1d`,
  highS(right),
  right.slice(2),
  `${right}${'6492'.repeat(16)}`,
]

/** The other signature of the same message and key, with s in the upper half: USDC refuses it, libraries do not. */
function highS(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const flipped = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${flipped}`
}

const acceptedFields: readonly (readonly [string, readonly unknown[]])[] = [
  ['scheme', ['upto', 'Exact', '', null]],
  ['network', ['eip155:1', 'eip155:84532', 'base-sepolia', 'eip155:8453 ', '', 8453]],
  ['amount', ['1', '9999', '10001', '010000', '', 10_000]],
  ['asset', [other, '', null]],
  ['payTo', [other, '', null]],
  ['maxTimeoutSeconds', [61, 0, 600, '60', null]],
  ['extra', [{ name: 'USDC', version: '2' }, { name: 'USD Coin', version: '1' }, { name: 5 }, [], 'x']],
  ['extra', [{ name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' }]],
]

type Case = { readonly what: string; readonly payload: Json }

/** Every payload with one change that makes it another payment, or none at all. */
function tampered(): readonly Case[] {
  const base: Json = payment.v2
  const v1: Json = { x402Version: 1, scheme: 'exact', network: 'base', payload: base['payload'] }
  const both = (path: readonly string[], values: readonly unknown[]): Case[] =>
    values.flatMap((value) =>
      [base, v1].map((from) => ({
        what: `v${String(from['x402Version'])} ${path.join('.')} = ${JSON.stringify(value)}`,
        payload: replaced(from, path, value),
      })),
    )
  return [
    ...signedFields.flatMap((field) =>
      both(['payload', 'authorization', field], spoiled(field, payment.authorization[field])),
    ),
    ...both(['payload', 'signature'], signatures(payment.signature)),
    ...both(['payload'], [undefined, null, {}, [], 'x']),
    ...both(['payload', 'authorization'], [undefined, null, [], 'x']),
    ...both(['x402Version'], [0, 3, '2', '1', null, undefined, 1.5]),
    ...acceptedFields.flatMap(([field, values]) =>
      values.map((value) => ({
        what: `accepted.${field} = ${JSON.stringify(value)}`,
        payload: replaced(base, ['accepted', field], value),
      })),
    ),
    ...[undefined, null, [], 'exact'].map((value) => ({
      what: `accepted = ${JSON.stringify(value)}`,
      payload: replaced(base, ['accepted'], value),
    })),
    ...(['scheme', 'network'] as const).flatMap((field) =>
      ['', 'upto', 'base-sepolia', 'eip155:1', null, undefined].map((value) => ({
        what: `v1 ${field} = ${JSON.stringify(value)}`,
        payload: replaced(v1, [field], value),
      })),
    ),
  ]
}

describe('a payment with any single change (I12)', () => {
  it('is never served over HTTP, in either header; 400 says malformed, 402 says why the terms do not fit', async () => {
    const cases = tampered()
    // Each is sent in two headers, in two forms over MCP, and after the honest payment.
    expect(cases.length * 5).toBeGreaterThanOrEqual(1_296)
    for (const { what, payload } of cases) {
      for (const name of ['payment-signature', 'x-payment']) {
        const answer = await callTool(server.url, 'probe', { text: 'x' }, { [name]: encode(payload) })
        expect([400, 402], `${name}: ${what}: ${answer.text}`).toContain(answer.status)
        if (answer.status === 402) {
          expect(answer.body['error'], what).not.toBe('Payment required')
          expect(answer.headers.get('payment-required')).not.toBeNull()
          const refused = answer.headers.get('payment-response')
          expect(JSON.parse(Buffer.from(refused ?? '', 'base64').toString())).toMatchObject({ success: false })
        } else expect(answer.body.error, what).toMatchObject({ charged: false, code: expect.stringMatching(/payment/) })
      }
    }
    expect(await measure()).toEqual(untouched)
  })

  it('is never served over MCP, as an object or as base64', async () => {
    for (const { what, payload } of tampered()) {
      for (const sent of [payload, encode(payload)]) {
        const answer = await callMcp(server.url, 'probe', { text: 'x' }, { 'x402/payment': sent })
        expect(answer.isError, `${what}: ${answer.text}`).toBe(true)
      }
    }
    expect(await measure()).toEqual(untouched)
  })

  it('is never served after the honest payment was, even with its idempotency key', async () => {
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
    const settled = await measure()
    for (const { what, payload } of tampered()) {
      const answer = await callTool(
        server.url,
        'probe',
        { text: 'x' },
        { ...headers, 'payment-signature': encode(payload) },
      )
      expect([400, 402, 409], `${what}: ${answer.text}`).toContain(answer.status)
    }
    expect(await measure()).toEqual(settled)
  })
})

describe('a payment signed for something else', () => {
  it.each([
    ['another receiver', { to: other }],
    ['less money', { value: 9_999n }],
    ['more money', { value: 10_001n }],
    ['nothing', { value: 0n }],
    ['another token', { asset: other }],
    ['another chain', { chainId: 1 }],
    ['another token name', { name: 'USDC' }],
    ['another token version', { version: '1' }],
    ['the past', { validBefore: 1_000n }],
    ['too short a time', { validBefore: BigInt(Math.floor(Date.now() / 1_000) + 10) }],
    ['too long a time', { validBefore: BigInt(Math.floor(Date.now() / 1_000) + 3_600) }],
    ['the future', { validAfter: BigInt(Math.floor(Date.now() / 1_000) + 60) }],
    ['somebody else', { from: other }],
  ] as const)('%s: 402 with a reason, and no trace in the ledger', async (_what, terms) => {
    const wrong = await pay(richWallet(server), accepts, terms)
    for (const headers of [{ 'payment-signature': wrong.header }, { 'x-payment': wrong.headerV1 }]) {
      const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
      expect(answer.status, answer.text).toBe(402)
      expect(answer.body['error']).toMatch(/^[a-z0-9_]+$/)
    }
    expect(await measure()).toEqual(untouched)
  })

  it('a cheap payment does not open a dear tool, whatever it says it accepted', async () => {
    const dear = await server.acceptsOf('probe-dear')
    for (const header of [payment.header, paymentOf(payment, dear).header, payment.headerV1]) {
      const answer = await callTool(server.url, 'probe-dear', { text: 'x' }, { 'payment-signature': header })
      expect(answer.status).toBe(402)
    }
    expect(await measure()).toEqual(untouched)
  })

  it('no payment opens a tool that only a pass opens', async () => {
    // No pass is configured here, so the tool cannot be had at all and names no terms.
    const zero = { ...accepts, amount: '0' }
    const nothing = await pay(freshWallet(), zero)
    for (const header of [payment.header, paymentOf(payment, zero).header, nothing.header]) {
      const answer = await callTool(server.url, 'probe-pass', { text: 'x' }, { 'payment-signature': header })
      expect(answer.status).toBe(503)
    }
    expect(await measure()).toEqual(untouched)
  })
})

describe('what is accepted all the same', () => {
  it.each(['payment-signature', 'x-payment'])('both versions in the header %s', async (name) => {
    for (const header of [payment.header, (await pay(richWallet(server), accepts)).headerV1]) {
      expect((await callTool(server.url, 'probe', { text: 'x' }, { [name]: header })).status).toBe(200)
    }
  })

  it('addresses in any case, base64url, and the same payment in both headers', async () => {
    const shouted = replaced(payment.v2, ['accepted', 'payTo'], accepts.payTo.toUpperCase().replace('0X', '0x'))
    const url = Buffer.from(JSON.stringify(shouted)).toString('base64url')
    const answer = await callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': url, 'x-payment': url })
    expect(answer.status).toBe(200)
  })
})

describe('more than one payment in a request (I13)', () => {
  const post = 'POST /api/agentic/tools/probe HTTP/1.1'
  const json = 'content-type: application/json'
  const body = '{"text":"x"}'

  it('is refused with 400, however it is doubled', async () => {
    const second = await pay(richWallet(server), accepts)
    const pairs: readonly (readonly string[])[] = [
      [`payment-signature: ${payment.header}`, `x-payment: ${second.header}`],
      [`payment-signature: ${payment.header}`, `x-payment: ${payment.headerV1}`],
      [`payment-signature: ${payment.header}`, `payment-signature: ${second.header}`],
      [`payment-signature: ${payment.header}`, `Payment-Signature: ${payment.header}`],
      [`x-payment: ${payment.header}`, `X-PAYMENT: ${payment.header}`],
      [`payment-signature: ${payment.header},${second.header}`],
      [`payment-signature: ${payment.header}, `],
    ]
    for (const pair of pairs) {
      const answer = await sendRaw(server.url, [post, json, ...pair], body)
      expect(answer.status, pair.join('\n')).toBe(400)
      expect(answer.body).toContain('ambiguous_payment')
    }
    const mcp = await callMcp(
      server.url,
      'probe',
      { text: 'x' },
      { 'x402/payment': payment.v2 },
      { 'payment-signature': second.header },
    )
    expect(mcp.isError).toBe(true)
    expect(mcp.text).toContain('ambiguous_payment')
    expect(await measure()).toEqual(untouched)
  })

  it('is refused with 400 where a header holds no payment at all', async () => {
    for (const header of ['', ' ', 'x', '{}', 'e30=', 'null', 'bnVsbA==', '%7B%7D', 'AAAA', 'A'.repeat(17_000)]) {
      for (const name of ['payment-signature', 'x-payment']) {
        const answer = await sendRaw(server.url, [post, json, `${name}: ${header}`], body)
        expect([400, 402, 431], `${name}: ${header.slice(0, 20)}: ${answer.body}`).toContain(answer.status)
        // Without any content there is no payment; then the terms are the answer.
        if (answer.status === 402) expect(header.trim()).toBe('')
      }
    }
    expect(await measure()).toEqual(untouched)
  })

  it('in MCP _meta is refused where it is not one', async () => {
    for (const sent of ['', 'x', 5, [], [payment.v2], {}, true, { x402Version: 2 }]) {
      const answer = await callMcp(server.url, 'probe', { text: 'x' }, { 'x402/payment': sent })
      expect(answer.isError, JSON.stringify(sent)).toBe(true)
    }
    expect(await measure()).toEqual(untouched)
  })
})

describe('side doors (the fifth column)', () => {
  const path = '/api/agentic/tools/probe'
  const targets = [
    path,
    `${path}/`,
    `${path}//`,
    `${path}?text=x`,
    `${path}?x402Version=1&text=x`,
    `${path}#x`,
    `${path};x=1`,
    `${path}%20`,
    `${path}%00`,
    `${path}.json`,
    '/api/agentic/tools/Probe',
    '/API/AGENTIC/TOOLS/PROBE',
    '/api/agentic/tools/%70robe',
    '/api/agentic/tools/%2570robe',
    '/api/agentic%2Ftools/probe',
    '/api/agentic/tools%2Fprobe',
    '/api//agentic/tools/probe',
    '//api/agentic/tools/probe',
    '/./api/agentic/tools/probe',
    '/x/../api/agentic/tools/probe',
    '/api/agentic/tools/..%2ftools/probe',
    '\\api\\agentic\\tools\\probe',
    '/api/tools/probe',
    '/api/agentic/mcp/probe',
    'http://127.0.0.1/api/agentic/tools/probe',
    'http://evil.example/api/agentic/tools/probe?text=x',
    'https://[::1]/api/agentic/tools/probe',
    '*',
  ]
  const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']

  it('no method and no spelling of the path runs a handler unpaid (G16)', async () => {
    for (const method of methods) {
      for (const target of targets) {
        const answer = await sendRaw(
          server.url,
          [`${method} ${target} HTTP/1.1`, 'content-type: application/json', 'x-http-method-override: GET'],
          method === 'GET' || method === 'HEAD' ? '' : '{"text":"x"}',
        )
        expect(answer.status, `${method} ${target}`).not.toBe(200)
        expect(answer.status, `${method} ${target}: ${answer.body}`).not.toBe(500)
      }
    }
    expect(await measure()).toEqual(untouched)
  })

  it('HEAD answers with the terms and nothing else, even where a payment comes with it', async () => {
    const answer = await fetch(server.url + path, { method: 'HEAD', headers: { 'payment-signature': payment.header } })
    expect(answer.status).toBe(402)
    expect(answer.headers.get('payment-required')).not.toBeNull()
    expect(await answer.text()).toBe('')
    expect(await measure()).toEqual(untouched)
  })

  it('what claims to be somebody who need not pay is not believed', async () => {
    for (const headers of [
      { authorization: 'Bearer admin' },
      { authorization: 'SIWE x.0x00' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'sign-in-with-x': 'x' },
      { 'payment-response': encode({ success: true }) },
      { 'idempotency-key': freshKey() },
    ]) {
      const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
      expect([400, 401, 402], JSON.stringify(headers)).toContain(answer.status)
    }
    expect(await measure()).toEqual(untouched)
  })

  it('a body on a GET is not the input of the call', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const outgoing = request(server.url + path, {
        method: 'GET',
        headers: { 'content-type': 'application/json', 'content-length': 12 },
      })
      outgoing.on('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      outgoing.on('error', reject)
      outgoing.end('{"text":"x"}')
    })
    expect(status).toBe(402)
    expect(await measure()).toEqual(untouched)
  })
})
