import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Accepts, freshWallet, pay } from './payer.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** A service at one address, which can be taken away and put back. */
async function createService(answer: RequestListener) {
  let behave = answer
  let server: Server | undefined
  let port = 0
  let hits = 0
  const start = async (): Promise<void> => {
    const fresh = createServer((request, response) => {
      hits += 1
      behave(request, response)
    })
    await new Promise<void>((resolve) => fresh.listen(port, '127.0.0.1', resolve))
    port = (fresh.address() as AddressInfo).port
    server = fresh
  }
  const stop = async (): Promise<void> => {
    const old = server
    server = undefined
    if (old === undefined) return
    old.closeAllConnections()
    await new Promise<void>((resolve) => {
      old.close(() => resolve())
    })
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    hits: () => hits,
    start,
    stop,
    behave: (next: RequestListener) => {
      behave = next
    },
  }
}

const json =
  (body: unknown): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }
const ranking = json({ data: [] })
const pace = { everyMs: 60, againMs: 20, downMs: 60, deadlineMs: 2_000 }
const patience = { timeout: 60_000, interval: 20 }

let launchpad: Awaited<ReturnType<typeof createService>>
let llama: typeof launchpad
let coingecko: typeof launchpad
let server: TestServer

beforeEach(async () => {
  launchpad = await createService(ranking)
  llama = await createService(json({ coins: {} }))
  coingecko = await createService(json({ gecko_says: 'yes' }))
  server = await startTestServer({
    pace,
    env: {
      TOLLGATE_UPSTREAM_BANKR_URL: launchpad.url,
      TOLLGATE_UPSTREAM_LLAMA_URL: llama.url,
      TOLLGATE_UPSTREAM_COINGECKO_URL: coingecko.url,
    },
    adapt: (tool) => {
      if (tool.slug === 'probe-twin') return { ...tool, needs: [['llama', 'coingecko']] }
      if (tool.slug === 'probe-dear') {
        return { ...tool, needs: ['bankr'], freshness: { mode: 'cached', ttlSeconds: 3_600 } }
      }
      return { ...tool, needs: ['bankr'] }
    },
  })
})
afterEach(async () => {
  await server.stop()
  await Promise.all([launchpad, llama, coingecko].map((one) => one.stop()))
})

const input = { text: 'a' }
function call(slug: string, headers: Readonly<Record<string, string>> = {}, method = 'POST') {
  return fetch(`${server.url}/api/agentic/tools/${slug}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
  })
}
const statusOf = async (slug: string): Promise<number> => (await call(slug)).status
const becomes = (slug: string, status: number) =>
  vi.waitFor(async () => expect(await statusOf(slug)).toBe(status), patience)

describe('a tool whose upstream is down', () => {
  it('answers 503 before the price, says which upstream and when to come back, and opens again by itself', async () => {
    await vi.waitFor(() => expect(launchpad.hits()).toBeGreaterThan(0), patience)
    expect(await statusOf('probe')).toBe(402)
    await launchpad.stop()
    await becomes('probe', 503)

    const refused = await call('probe')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('payment-required')).toBeNull()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const { error } = (await refused.json()) as { readonly error: Readonly<Record<string, unknown>> }
    expect(error).toMatchObject({
      code: 'unavailable',
      retryable: true,
      charged: false,
      details: { upstreams: ['bankr'], reasons: ['connection'] },
    })
    expect(error['message']).toMatch(/"bankr" gives no usable answer since \d{4}-/)
    expect(error['nextStep']).toMatch(/Ask again in \d+ seconds.*Nothing was charged/)
    // A bare question for the price, and one for its headers alone, are told the same.
    expect((await fetch(`${server.url}/api/agentic/tools/probe`, { method: 'POST' })).status).toBe(503)
    expect((await call('probe', {}, 'HEAD')).status).toBe(503)
    expect((await call('probe-pass')).status).toBe(503)

    const client = new Client({ name: 'buyer', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/api/agentic/mcp`)))
    try {
      const result = await client.callTool({ name: 'probe', arguments: input })
      expect(result.isError).toBe(true)
      expect(JSON.stringify(result.content)).toContain('bankr')
      expect(result.structuredContent ?? {}).not.toHaveProperty('accepts')
    } finally {
      await client.close()
    }

    await launchpad.start()
    await becomes('probe', 402)
  })

  it('takes no payment that was signed before, and gives out what was paid for', async () => {
    const wallet = freshWallet()
    server.chain.mint(wallet.address, 1_000_000n)
    const terms: Accepts = await server.acceptsOf('probe')
    const [first, second] = [await pay(wallet, terms), await pay(wallet, terms)]
    const answered = await call('probe', { 'payment-signature': first.header, 'idempotency-key': 'first-order-0001' })
    expect(answered.status).toBe(200)
    const bought: unknown = await answered.json()
    await launchpad.stop()
    await becomes('probe', 503)
    const [asked, runs] = [server.facilitator.calls().length, server.probes.runs()]

    const refused = await call('probe', { 'payment-signature': second.header })
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { charged: false, details: { upstreams: ['bankr'] } } })
    expect([server.facilitator.calls().length, server.probes.runs()]).toEqual([asked, runs])

    const again = await call('probe', { 'payment-signature': first.header, 'idempotency-key': 'first-order-0001' })
    expect([again.status, await again.json()]).toEqual([200, bought])

    await launchpad.start()
    await becomes('probe', 402)
    expect((await call('probe', { 'payment-signature': second.header })).status).toBe(200)
  })

  it('stays open while its answers may be that old, and while another service can stand in', async () => {
    await vi.waitFor(() => expect(Math.min(launchpad.hits(), llama.hits())).toBeGreaterThan(0), patience)
    await launchpad.stop()
    await llama.stop()
    await becomes('probe', 503)
    expect(await statusOf('probe-dear')).toBe(402)
    server.clock.advance(3_601_000)
    await becomes('probe-dear', 503)
    expect(await statusOf('probe-twin')).toBe(402)
    await coingecko.stop()
    await becomes('probe-twin', 503)
    await llama.start()
    await becomes('probe-twin', 402)
  })

  it('may be tried where it is free', async () => {
    await launchpad.stop()
    await becomes('probe', 503)
    expect(await statusOf('probe-free')).toBe(200)
  })

  it.each<readonly [string, RequestListener, string, number]>([
    ['refuses the key', (_request, response) => response.writeHead(401).end('{}'), 'key', 1],
    [
      'is out of its allowance',
      (_request, response) => response.writeHead(429, { 'retry-after': '600' }).end('{}'),
      'quota',
      590,
    ],
    ['answers with a page', (_request, response) => response.end('<html>sign in</html>'), 'body', 1],
    ['answers something else', json({ error: 'moved' }), 'body', 1],
    ['fails', (_request, response) => response.writeHead(500).end('{}'), 'status', 1],
  ])('is closed while the service %s', async (_what, behaviour, reason, seconds) => {
    launchpad.behave(behaviour)
    await becomes('probe', 503)
    const refused = await call('probe')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(seconds)
    expect(await refused.json()).toMatchObject({ error: { details: { upstreams: ['bankr'], reasons: [reason] } } })
    if (seconds > 1) return
    launchpad.behave(ranking)
    await becomes('probe', 402)
  })

  it('is closed at the health address, with the reason', async () => {
    const health = async () =>
      (await (await fetch(`${server.url}/api/agentic/health`)).json()) as Readonly<Record<string, unknown>>
    expect(await health()).toMatchObject({ tools: 5, offered: 4, closed: [] })
    await launchpad.stop()
    await vi.waitFor(
      async () =>
        expect(await health()).toMatchObject({
          status: 'degraded',
          closed: expect.arrayContaining([expect.objectContaining({ slug: 'probe', upstreams: ['bankr'] })]),
        }),
      patience,
    )
  })
})

it('asks nobody anything where it is not told to look', async () => {
  const quiet = await startTestServer({
    env: { TOLLGATE_UPSTREAM_BANKR_URL: launchpad.url },
    adapt: (tool) => ({ ...tool, needs: ['bankr'] }),
  })
  try {
    await launchpad.stop()
    const before = launchpad.hits()
    const answer = await fetch(`${quiet.url}/api/agentic/tools/probe`, { method: 'POST' })
    expect([answer.status, launchpad.hits()]).toEqual([402, before])
  } finally {
    await quiet.stop()
  }
})

it('asks only what is on this machine where it is a sandbox', async () => {
  const asked: string[] = []
  const sandbox = await startTestServer({
    pace,
    env: { TOLLGATE_SANDBOX: '1', TOLLGATE_UPSTREAM_BANKR_URL: launchpad.url },
    adapt: (tool) => ({ ...tool, needs: ['bankr', 'github', 'mainnet-rpc'] }),
    fetch: async (resource, init) => {
      asked.push(new URL(resource instanceof Request ? resource.url : resource).hostname)
      return fetch(resource, init)
    },
  })
  try {
    const before = launchpad.hits()
    await vi.waitFor(() => expect(launchpad.hits()).toBeGreaterThan(before), patience)
    expect([...new Set(asked)]).toEqual(['127.0.0.1'])
  } finally {
    await sandbox.stop()
  }
})
