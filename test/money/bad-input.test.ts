import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callMcp, callTool, richWallet, rowsOf, startTestServer, type TestServer } from './test-server.ts'
import { encode, freshKey, pay, siweOf } from './payer.ts'
import { type RawAnswer, sendRaw } from './raw-http.ts'

let server: TestServer
let header: string

beforeAll(async () => {
  server = await startTestServer()
  header = (await pay(richWallet(server), await server.acceptsOf('probe'))).header
})
afterAll(() => server.stop())

/** Sends bytes as the body of a paid call: a wrong input is refused before its payment is looked at. */
function post(slug: string, body: string | Uint8Array, headers: readonly string[] = []): Promise<RawAnswer> {
  const type = headers.some((line) => line.startsWith('content-type')) ? [] : ['content-type: application/json']
  return sendRaw(
    server.url,
    [`POST /api/agentic/tools/${slug} HTTP/1.1`, ...type, `payment-signature: ${header}`, ...headers],
    body,
  )
}

const nested = (depth: number) => `{"text":${'['.repeat(depth)}${']'.repeat(depth)}}`
const large = JSON.stringify({ text: 'a'.repeat(256 * 1024) })

type Row = {
  readonly what: string
  readonly slug?: string
  readonly body: string | Uint8Array
  readonly headers?: readonly string[]
  readonly status: number
  readonly code: string
  readonly path?: string
}

const rows: readonly Row[] = [
  { what: 'an unknown tool', slug: 'no-such-tool', body: '{}', status: 404, code: 'unknown_tool' },
  { what: 'an unknown field', body: '{"text":"x","more":1}', status: 400, code: 'invalid_input', path: '/more' },
  { what: 'a missing field', body: '{"count":1}', status: 400, code: 'invalid_input', path: '/text' },
  { what: 'a wrong type', body: '{"text":5}', status: 400, code: 'invalid_input', path: '/text' },
  {
    what: 'a number out of range',
    body: '{"text":"x","count":10}',
    status: 400,
    code: 'invalid_input',
    path: '/count',
  },
  { what: 'a fraction', body: '{"text":"x","count":1.5}', status: 400, code: 'invalid_input', path: '/count' },
  {
    what: 'text that is too long',
    body: `{"text":"${'a'.repeat(100_001)}"}`,
    status: 400,
    code: 'invalid_input',
    path: '/text',
  },
  { what: 'a list', body: '[]', status: 400, code: 'invalid_input', path: '' },
  { what: 'null', body: 'null', status: 400, code: 'invalid_input', path: '' },
  { what: 'a number', body: '5', status: 400, code: 'invalid_input', path: '' },
  { what: 'text', body: '"x"', status: 400, code: 'invalid_input', path: '' },
  { what: 'no JSON', body: '{"text":', status: 400, code: 'invalid_json', path: '' },
  { what: 'two documents', body: '{"text":"x"}{"text":"y"}', status: 400, code: 'invalid_json', path: '' },
  { what: 'single quotes', body: "{'text':'x'}", status: 400, code: 'invalid_json', path: '' },
  { what: 'more than 256 kB', body: large, status: 400, code: 'payload_too_large', path: '' },
  { what: 'JSON 65 levels deep', body: nested(64), status: 400, code: 'invalid_json', path: '' },
  { what: 'JSON 100,000 levels deep', body: nested(100_000), status: 400, code: 'invalid_json', path: '' },
  {
    what: 'a key constructor',
    body: '{"text":"x","constructor":{}}',
    status: 400,
    code: 'invalid_input',
    path: '/constructor',
  },
  {
    what: 'bytes that are no UTF-8',
    body: Buffer.from('7b2274657874223a22ff fe227d'.replace(' ', ''), 'hex'),
    status: 400,
    code: 'invalid_json',
  },
  {
    what: 'a form',
    body: 'text=x',
    headers: ['content-type: application/x-www-form-urlencoded'],
    status: 415,
    code: 'unsupported_media',
  },
  {
    what: 'plain text',
    body: '{"text":"x"}',
    headers: ['content-type: text/html'],
    status: 415,
    code: 'unsupported_media',
  },
  {
    what: 'a packed body',
    body: '{"text":"x"}',
    headers: ['content-encoding: gzip'],
    status: 415,
    code: 'unsupported_media',
  },
]

describe('a wrong request', () => {
  it.each(rows)('$what: $status $code, in the one shape, with nothing charged or claimed (I10)', async (row) => {
    const { slug = 'probe', body, headers = [], status, code, path } = row
    const before = {
      rows: await rowsOf(server.store),
      runs: server.probes.runs(),
      calls: server.facilitator.calls().length,
    }
    const answer = await post(slug, body, headers)
    expect(answer.status, answer.body).toBe(status)
    const { error } = JSON.parse(answer.body) as { error: Record<string, unknown> }
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(/^[A-Z].*\.$/s),
      retryable: false,
      charged: false,
      nextStep: expect.stringMatching(/\.$/),
      requestId: expect.stringMatching(/^[\w-]+$/),
    })
    if (path !== undefined) expect(error['details']).toMatchObject({ path })
    expect(answer.headers).toContain('cache-control: private, no-store')
    expect(answer.headers).toContain(`x-request-id: ${String(error['requestId'])}`)
    expect({
      rows: await rowsOf(server.store),
      runs: server.probes.runs(),
      calls: server.facilitator.calls().length,
    }).toEqual(before)
  })

  it('whose payment header cannot be read gets 400, and so does one whose input is wrong too', async () => {
    for (const body of ['{"text":"x"}', '{"text":5}']) {
      const answer = await callTool(server.url, 'probe', JSON.parse(body), { 'payment-signature': 'no base64!' })
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatchObject({ charged: false, retryable: false })
    }
  })

  it('with a key __proto__ reaches nothing but itself', async () => {
    const answer = await sendRaw(
      server.url,
      ['POST /api/agentic/tools/probe HTTP/1.1', 'content-type: application/json'],
      '{"text":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    )
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('/__proto__')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('that breaks off in the middle delays nobody else', async () => {
    const { connect } = await import('node:net')
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /api/agentic/tools/probe HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\npayment-signature: ${header}\r\ncontent-length: 500\r\n\r\n{"text":`,
    )
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    socket.destroy()
    expect((await callTool(server.url, 'probe', {})).status).toBe(402)
  })

  it('over MCP is a tool error of the same shape', async () => {
    for (const input of [{ text: 5 }, { text: 'x', more: 1 }, { text: 'x', count: 99 }]) {
      const answer = await callMcp(server.url, 'probe', input, { 'x402/payment': header })
      expect(answer.isError).toBe(true)
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'invalid_input', charged: false } })
    }
    expect(await rowsOf(server.store)).toBe(0)
  })

  it('with a query that is wrong is refused on a GET as a body is on a POST', async () => {
    for (const query of ['count=2', 'text=x&count=ten', 'text=x&more=1', 'text=x&text=y']) {
      const answer = await fetch(`${server.url}/api/agentic/tools/probe?${query}`, {
        headers: { 'payment-signature': header },
      })
      expect(answer.status, query).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { charged: false } })
    }
    expect(await rowsOf(server.store)).toBe(0)
  })
})

describe('secrets', () => {
  it('that callers send, or failures carry, are in no log and in no answer', async () => {
    const wallet = richWallet(server)
    const payment = await pay(wallet, await server.acceptsOf('probe'))
    const key = freshKey()
    const siwe = await siweOf(wallet, server.url)
    const answers: string[] = []
    const send = async (input: unknown, headers: Readonly<Record<string, string>>) => {
      answers.push((await callTool(server.url, 'probe', input, headers)).text)
    }
    server.probes.onRun = () => {
      throw new Error(`upstream said: signature ${payment.signature} of ${wallet.privateKey} private`)
    }
    await send({ text: 'x' }, { 'payment-signature': payment.header, 'idempotency-key': key })
    server.probes.onRun = () => {}
    await send({ text: 'x' }, { 'payment-signature': payment.header, 'idempotency-key': key, authorization: siwe })
    await send({ text: 'x' }, { 'payment-signature': encode({ ...payment.v2, secret: 'planted-secret-1' }) })
    server.facilitator.script('verify', ['garbage'])
    await send({ text: 'y' }, { 'x-payment': payment.headerV1, authorization: 'Bearer planted-secret-2' })
    await fetch(`${server.url}/api/agentic/payments/${payment.id}`, { headers: { authorization: siwe } })
    await fetch(`${server.url}/api/agentic/payments/${payment.id}`, {
      headers: { authorization: siwe.replace(/.$/, '0') },
    })
    const seen = [...server.lines, ...answers].join('\n')
    expect(seen).toContain('call.failed')
    for (const secret of [
      payment.signature,
      payment.signature.slice(2),
      payment.header,
      payment.headerV1,
      key,
      siwe,
      siwe.split('.')[1] ?? siwe,
      'planted-secret',
    ]) {
      expect(seen.includes(secret), secret.slice(0, 24)).toBe(false)
    }
    expect(answers.join('\n')).not.toContain('upstream said')
    expect(answers.join('\n')).not.toMatch(/\.[tj]s:\d+/)
  })
})
