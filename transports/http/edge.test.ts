import { connect } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { systemClock } from '../../src/platform/clock.ts'
import { parseConfig } from '../../src/platform/config.ts'
import { noFailpoints } from '../../src/platform/failpoint.ts'
import { silentLog } from '../../src/platform/log.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { probeNeedsPayment } from '../../src/tool/access.ts'
import { endpointPathOf } from '../../src/tool/urls.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { loadTools } from '../../tools/load.ts'
import { type Served, serve } from './serve.ts'

let served: Served
let port: number
let priced: readonly Tool[]
let neverEnding: ReturnType<typeof exchange>

beforeAll(async () => {
  const nobody = 'http://127.0.0.1:9'
  const config = parseConfig({
    TOLLGATE_PORT: '0',
    TOLLGATE_PAY_TO: '0x2096bc6c1ea2c0e79c9f5a9b38ba1d6d7a8e0d31',
    TOLLGATE_FACILITATOR_URL: nobody,
    TOLLGATE_BASE_RPC_URLS: nobody,
  })
  served = await serve({
    config,
    tools: await loadTools(),
    clock: systemClock,
    log: silentLog,
    failpoint: noFailpoints,
    fetch,
    store: await openSqliteStore(':memory:'),
  })
  port = Number(new URL(served.baseUrl).port)
  // It takes as long as the server waits, so it goes on beside the other tests.
  neverEnding = exchange('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ')
  priced = served.server.offered.filter(({ access }) => probeNeedsPayment(access))
})
afterAll(() => served.stop())

type Exchange = {
  /** How many answers there are to come. */
  readonly answers?: number
  /** False for answers that tell the length of a body and have none. */
  readonly hasBody?: boolean
}

/** Sends bytes as they are and gives what comes back until that many answers are complete, or the server closes. */
function exchange(
  sent: string | readonly string[],
  { answers = 1, hasBody = true }: Exchange = {},
): Promise<{ text: string; closed: boolean }> {
  const pieces = typeof sent === 'string' ? [sent] : sent
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    pieces.forEach((piece, index) => setTimeout(() => socket.write(piece), index * 20))
    const done = (closed: boolean): void => {
      socket.destroy()
      resolve({ text, closed })
    }
    socket.setTimeout(20_000, () => done(false))
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (answersIn(text, hasBody) >= answers && !/connection: close/i.test(text)) done(false)
    })
    socket.on('end', () => done(true))
    socket.on('error', reject)
  })
}

/** How many whole answers a text begins with. */
function answersIn(text: string, hasBody: boolean): number {
  let count = 0
  for (let at = 0; at < text.length; count += 1) {
    const end = text.indexOf('\r\n\r\n', at)
    const length = hasBody ? Number(/content-length: (\d+)/i.exec(text.slice(at, end))?.[1] ?? '0') : 0
    if (end === -1 || text.length < end + 4 + length) return count
    at = end + 4 + length
  }
  return count
}

const request = (method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`

const gas = '/api/agentic/tools/base-gas-tracker'

describe('headers', () => {
  it('of a 402 stay small enough for the proxies that people have, on every priced tool', async () => {
    expect(priced.length).toBeGreaterThanOrEqual(8)
    for (const tool of priced) {
      const response = await fetch(`${served.baseUrl}${endpointPathOf(tool)}`, { method: 'POST' })
      await response.arrayBuffer()
      const copies = ['payment-required', 'x-payment-required'].map((name) => response.headers.get(name) ?? '')
      expect({ slug: tool.slug, status: response.status }).toEqual({ slug: tool.slug, status: 402 })
      expect(copies[0]).toBe(copies[1])
      expect(copies.join('').length, tool.slug).toBeLessThanOrEqual(4_096)
    }
  })

  it('that are too large get an answer that can be read, not a reset', async () => {
    for (const size of [40_000, 4_000_000]) {
      const { text } = await exchange(request('POST', gas, `x-payment: ${'A'.repeat(size)}\r\n`))
      expect(text).toMatch(/^HTTP\/1\.1 431 /)
      expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({
        // There may have been a payment in it, sent before or elsewhere.
        error: { code: 'payload_too_large', charged: 'unknown' },
      })
    }
  })

  it('that are no headers get an answer, too', async () => {
    const { text, closed } = await exchange('POST / HTTP/1.1\r\nno colon here\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 400 .+"code":"invalid_input"/s)
    expect(closed).toBe(true)
  })
})

describe('a server that listens for its own machine', () => {
  const asked = (host: string) =>
    exchange(`GET /api/agentic/manifest HTTP/1.1\r\n${host}connection: close\r\n\r\n`).then(({ text }) =>
      Number(text.slice(9, 12)),
    )

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST:1', '[::1]:80', '127.1.2.3'])('answers who asks %s', async (host) => {
    expect(await asked(`host: ${host}\r\n`)).toBe(200)
  })

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '93.184.215.14', 'a b', '@', ''])(
    'takes nothing from a page elsewhere that has its name pointed here: "%s"',
    async (host) => {
      expect([400, 403]).toContain(await asked(`host: ${host}\r\n`))
    },
  )

  it('refuses a request with two Host headers', async () => {
    expect([400, 403]).toContain(await asked('host: evil.example\r\nhost: 127.0.0.1\r\n'))
    expect([400, 403]).toContain(await asked('host: 127.0.0.1\r\nhost: evil.example\r\n'))
  })
})

describe('a connection', () => {
  it('carries one request after another', async () => {
    const { text, closed } = await exchange(request('POST', gas).repeat(3), { answers: 3 })
    expect(text.match(/HTTP\/1\.1 402 /g)).toHaveLength(3)
    expect(closed).toBe(false)
  })

  it('gets the price without a body', async () => {
    const { text } = await exchange(request('POST', gas, 'content-length: 0\r\n'))
    expect(text).toMatch(/^HTTP\/1\.1 402 /)
  })
})

describe('an unpaid call with an input', () => {
  const post = (body: string, headers = 'content-type: application/json\r\n'): string =>
    `${request('POST', gas, `${headers}content-length: ${body.length}\r\n`)}${body}`
  const refused = (path: string) => ({ error: { code: 'invalid_input', charged: false, details: { path } } })
  const bodyOf = (text: string): unknown => JSON.parse(text.slice(text.indexOf('\r\n\r\n')))

  it.each(['{}', ' {} ', '{"blocks":5}'])('is told the price: %s', async (body) => {
    const { text } = await exchange(post(body))
    expect(text).toMatch(/^HTTP\/1\.1 402 /)
    expect(bodyOf(text)).toMatchObject({ x402Version: 2, error: 'Payment required' })
  })

  it.each([
    ['{"nonsense":1}', '/nonsense'],
    ['[]', ''],
    ['null', ''],
  ])('is told what is wrong with it before anybody signs: %s', async (body, path) => {
    const { text } = await exchange(post(body))
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(text)).toMatchObject(refused(path))
  })

  it('is answered alike when it arrives in pieces', async () => {
    for (const [body, status] of [
      ['{"blocks":5}', 402],
      ['{"nonsense":1}', 400],
      ['{"blo', 400],
    ] as const) {
      const bytes = post(body)
      const { text } = await exchange([bytes.slice(0, -5), bytes.slice(-5, -2), bytes.slice(-2)])
      expect(text, body).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    }
  })

  it('does not spoil the ones behind it on the connection', async () => {
    const { text } = await exchange(post('{}') + post('{"nonsense":1}') + post('{"blocks":5}'), { answers: 3 })
    expect(text.match(/HTTP\/1\.1 \d+ /g)).toEqual(['HTTP/1.1 402 ', 'HTTP/1.1 400 ', 'HTTP/1.1 402 '])
  })

  it('has an address of 256 parameters at most', async () => {
    const query = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')
    for (const [count, path] of [
      [256, '/p0'],
      [257, ''],
      [4_000, ''],
    ] as const) {
      const answer = await fetch(`${served.baseUrl}${gas}?${query(count)}`)
      const text = await answer.text()
      expect({ status: answer.status, body: JSON.parse(text) }).toMatchObject({ status: 400, body: refused(path) })
      // Nor are the names of unknown fields all told.
      expect(text.length).toBeLessThan(2_000)
    }
  })

  it('is read as JSON only where it says that it is', async () => {
    const { text } = await exchange(post('{}', 'content-type: application/x-www-form-urlencoded\r\n'))
    expect(text).toMatch(/^HTTP\/1\.1 415 /)
  })
})

describe('methods that ask about a tool', () => {
  it('are answered without running it, and a HEAD without a body', async () => {
    const head = await exchange(request('HEAD', gas), { hasBody: false })
    expect(head.text).toMatch(/^HTTP\/1\.1 402 /)
    expect(head.text.endsWith('\r\n\r\n')).toBe(true)
    const options = await exchange(request('OPTIONS', gas))
    expect(options.text).toMatch(/^HTTP\/1\.1 204 .+access-control-allow-headers: [^\r]*payment-signature/s)
    const put = await exchange(request('PUT', gas))
    expect(put.text).toMatch(/^HTTP\/1\.1 405 .+allow: GET, POST, HEAD, OPTIONS/s)
  })
})

describe('the state of the server', () => {
  it.each(['/api/agentic/health', '/ready', '/api/agentic/ready'])('is read, not sent anything: %s', async (path) => {
    const answer = await fetch(`${served.baseUrl}${path}`, { method: 'POST' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

describe('a document', () => {
  it.each(['POST', 'PUT', 'DELETE'])('answers %s with 405 and the methods that it has', async (method) => {
    const answer = await fetch(`${served.baseUrl}/api/agentic/manifest`, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(await answer.json()).toMatchObject({ error: { code: 'method_not_allowed', charged: false } })
  })
})

describe('a person who opens the bare address', () => {
  it('is shown the first page, and the request for an icon is answered without an error', async () => {
    const page = await fetch(`${served.baseUrl}/`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
    expect((await fetch(`${served.baseUrl}/favicon.ico`)).status).toBe(204)
  })
})

describe('an address with a wrong checksum', () => {
  it('is found before the price of every tool that takes one', async () => {
    const wrong = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914'
    const right = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const taking = served.server.toolList.all.filter(({ addresses = [] }) => addresses.length > 0)
    expect(taking.length).toBeGreaterThan(5)
    const ask = (tool: Tool, address: string) =>
      fetch(`${served.baseUrl}${endpointPathOf(tool)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries((tool.addresses ?? []).map((field) => [field, address]))),
      })
    for (const tool of taking.filter((one) => priced.includes(one))) {
      const refused = await ask(tool, wrong)
      expect([tool.slug, refused.status]).toEqual([tool.slug, 400])
      expect(await refused.json()).toMatchObject({
        error: { code: 'invalid_input', details: { path: `/${tool.addresses?.[0]}` }, charged: false },
      })
      // The facilitator of this server is dead, so a right address may get 503 instead of a price; it is not refused.
      expect([402, 503]).toContain((await ask(tool, right)).status)
    }
  })
})

describe('a request whose headers never end', () => {
  it('does not keep its connection', async () => {
    const { text, closed } = await neverEnding
    expect(text).toMatch(/^HTTP\/1\.1 408 .+"charged":"unknown"/s)
    expect(closed).toBe(true)
  })
})
