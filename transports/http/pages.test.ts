import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../../src/tool/tool.ts'
import { callTool, startTestServer, type TestServer } from '../../test/money/test-server.ts'
import { loadTools } from '../../tools/load.ts'
import { drawn } from '../../web/drawings/draw.ts'
import { textOf } from '../../web/page.ts'

const hostile = '<script>alert(1)</script>" onmouseover="x'
const odd = defineTool({
  family: 'agentic',
  category: 'test',
  slug: 'odd-texts',
  name: `Odd ${hostile}`,
  version: '1.0.0',
  description: hostile,
  tags: [hostile],
  access: { mode: 'paid', usd: '0.01' },
  latencySlaMs: 1_000,
  freshness: { mode: 'static' },
  sources: ['https://example.com'],
  limits: [hostile],
  input: z.strictObject({ text: z.string().describe(hostile) }),
  output: z.strictObject({ heard: z.string(), rows: z.array(z.strictObject({ block: z.number(), fee: z.number() })) }),
  examples: [
    {
      input: { text: hostile },
      output: { heard: hostile, rows: Array.from({ length: 6 }, (_, index) => ({ block: index, fee: index * 2 })) },
    },
  ],
  run: ({ text }) => ({ heard: text, rows: [] }),
})

const tools = await loadTools()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ adapt: (tool) => (tool.slug === 'probe' ? odd : tool) })
})
afterAll(() => server.stop())

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const open = async (path: string, headers: Readonly<Record<string, string>> = browser) => {
  const answer = await fetch(server.url + path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('the pages for people', () => {
  it.each(['/', '/tools', '/tools/odd-texts', '/tools/no-such-tool'])(
    '%s loads nothing from anywhere and runs no text of others',
    async (path) => {
      const { headers, text } = await open(path)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(text).not.toContain('<script>alert')
      expect(text).not.toContain('" onmouseover="')
      // One style, one script beside its data, and no address that a browser would load.
      expect(text.match(/<script type="module">/g)).toHaveLength(1)
      expect(text.replaceAll(/<script type="(?:module|application\/json)"/g, '')).not.toContain('<script')
      expect(text).not.toMatch(/<(?:img|iframe|object|embed|form action|link rel="stylesheet)/)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain(`default-src 'none'`)
      expect(policy).not.toContain('unsafe')
    },
  )

  it('are allowed their own style and script by the hashes in the policy', async () => {
    const { headers, text } = await open('/tools')
    const policy = headers.get('content-security-policy') ?? ''
    for (const [name, tag] of [
      ['style', 'style'],
      ['script', 'script type="module"'],
    ]) {
      const inner = new RegExp(`<${tag}>([\\s\\S]*?)</${name}>`).exec(text)?.[1] ?? ''
      const digest = await crypto.subtle.digest('SHA-256', Buffer.from(inner, 'utf8'))
      expect(policy).toContain(`${name}-src 'sha256-${Buffer.from(digest).toString('base64')}'`)
    }
  })

  it('show a tool with its price, its input, its example drawn and where it is called', async () => {
    const { status, text } = await open('/tools/odd-texts')
    expect(status).toBe(200)
    expect(text).toContain('Costs $0.01 a call.')
    expect(text).toContain(`${server.served.baseUrl}/api/agentic/tools/odd-texts`)
    expect(text).toMatch(/<svg[^>]*aria-label="fee by block: from 0 to 10, the last 10"/)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it('name tools whose names are near where there is none', async () => {
    const { status, text } = await open('/tools/odd-text')
    expect(status).toBe(404)
    expect(text).toContain('href="/tools/odd-texts"')
  })

  it('are for browsers: a program gets the catalog, and an error that it can read', async () => {
    expect((await open('/tools', { accept: 'application/json' })).headers.get('content-type')).toContain('json')
    const missing = await open('/tools/none', { accept: '*/*' })
    expect(missing.status).toBe(404)
    expect(JSON.parse(missing.text)).toMatchObject({ error: { code: 'unknown_route' } })
  })

  it('are shown to whoever asks a paid tool for HTML; everybody else gets the terms byte for byte', async () => {
    const path = '/api/agentic/tools/odd-texts?text=a'
    const ask = async (accept: string | undefined) => {
      const answer = await open(path, accept === undefined ? {} : { accept })
      const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(answer.headers)
      return { status: answer.status, headers, text: answer.text }
    }
    const [program, json, plain] = [await ask('*/*'), await ask('application/json'), await ask(undefined)]
    expect(program.status).toBe(402)
    expect(JSON.parse(program.text)).toMatchObject({ x402Version: 2 })
    expect([json, plain]).toEqual([program, program])
    const page = await ask(browser.accept)
    expect(page.status).toBe(402)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['payment-required']).toBe(program.headers['payment-required'])
    expect(page.text).toContain('data-try')
    // A sign-in or a payment makes it a call, whatever else is asked for.
    const paid = await fetch(server.url + path, { headers: { ...browser, 'payment-signature': 'e30=' } })
    expect(paid.headers.get('content-type')).toContain('json')
  })

  it('tell how the server is, to people and to programs', async () => {
    const json = await open('/status', { accept: 'application/json' })
    expect(JSON.parse(json.text)).toMatchObject({ health: { status: expect.any(String) }, tools: expect.any(Array) })
    expect((await open('/status')).text).toContain('Services that tools ask')
  })

  it('say how long real calls of a tool took, and whether it is open', async () => {
    expect((await open('/tools')).text).not.toContain('median')
    for (let call = 0; call < 3; call += 1)
      expect((await callTool(server.url, 'probe-free', { text: 'a' })).status).toBe(200)
    server.clock.advance(5_000)
    for (const path of ['/tools', '/tools/probe-free']) {
      const { text, headers } = await open(path)
      expect(text).toMatch(/\d ms median, within 5 s/)
      expect(text).toContain('<span class="dot well"></span> open')
      expect(headers.get('cache-control')).toBe('no-cache')
    }
    expect((await open('/tools/probe-twin')).text).not.toContain('median')
  })

  it('lead into MCP clients by addresses that those understand, and to near names where there is no such tool', async () => {
    const { text } = await open('/')
    const config = /cursor:[^"]+config=([^"&]+)/.exec(text)?.[1] ?? ''
    const address = { url: `${server.url}/api/agentic/mcp` }
    expect(JSON.parse(Buffer.from(decodeURIComponent(config), 'base64').toString('utf8'))).toEqual(address)
    const code = /vscode:mcp\/install\?([^"]+)/.exec(text)?.[1] ?? ''
    expect(JSON.parse(decodeURIComponent(code))).toMatchObject({ type: 'http', ...address })
    expect(text).toContain('https://claude.ai/settings/connectors')
    const missing = await open('/tools/prob-free')
    expect([missing.status, missing.text.includes('href="/tools/probe-free"')]).toEqual([404, true])
  })

  it('are read with GET and kept by their tag', async () => {
    const first = await open('/')
    const again = await open('/', { ...browser, 'if-none-match': first.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect((await fetch(`${server.url}/`, { method: 'POST' })).status).toBe(405)
  })
})

/** The same value with every text in it, and every name, followed by an attempt to be more than text. */
function withHostileTexts(value: unknown): unknown {
  if (typeof value === 'string') return `${value}${hostile}<img src=x onerror=alert(1)>`
  if (Array.isArray(value)) return value.map(withHostileTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [`${name}<b>`, withHostileTexts(one)]))
}

describe('an answer that is drawn', () => {
  it.each(tools.map(({ slug, examples }) => [slug, examples] as const))(
    'shows what others wrote in an answer of %s as text',
    (_slug, examples) => {
      for (const { output } of examples) {
        const text = textOf(drawn(withHostileTexts(output)))
        expect(text).not.toMatch(/<(?:script|img|b)\b/)
        // Nothing ends an attribute early: what a quote would open stands escaped.
        expect(text).not.toContain('" onmouseover')
      }
    },
  )

  it('puts the worst finding first, with its level in words', () => {
    const rows = ['low', 'critical', 'high'].map((severity) => ({ severity, title: `A ${severity} one` }))
    const text = textOf(drawn({ findings: rows }))
    const places = ['critical', 'high', 'low'].map((level) => text.indexOf(`A ${level} one`))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(text).toMatch(/class="level bad">critical</)
  })

  it('draws parts of a whole beside their numbers, and no part where the numbers are none', () => {
    const bars = (rows: readonly object[]): number => textOf(drawn(rows)).match(/class="bar"/g)?.length ?? 0
    expect(
      bars([
        { name: 'a', probability: 0.25 },
        { name: 'b', probability: 0.75 },
      ]),
    ).toBe(2)
    expect(
      textOf(
        drawn([
          { name: 'a', share: 25 },
          { name: 'b', share: 75 },
        ]),
      ),
    ).toContain('width="75.0"')
    expect(bars([{ name: 'a', share: 250 }])).toBe(0)
    expect(bars([{ name: 'a', share: -1 }])).toBe(0)
  })

  it.each<readonly [string, unknown]>([
    ['nothing', null],
    ['a word', 'x'],
    ['an empty list', []],
    ['a list of lists', [[1, 2], [['deep']]]],
    ['what is too deep', { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }],
    ['ten thousand rows', Array.from({ length: 10_000 }, (_, index) => ({ index }))],
    ['a megabyte of text', { text: 'x'.repeat(1_000_000) }],
  ])('shows %s within bounds', (_what, value) => {
    const text = textOf(drawn(value))
    expect(text.length).toBeGreaterThan(0)
    expect(text.length).toBeLessThan(60_000)
  })
})

describe('a tool’s page as text', () => {
  const text = { accept: 'text/markdown, text/plain;q=0.9, */*;q=0.1' }

  it('has an address of its own, which the page names, and is what who asks for Markdown gets', async () => {
    const own = await open('/tools/odd-texts.md', {})
    expect([own.status, own.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(own.text).toContain('- Price: Costs $0.01 a call.')
    expect(own.text).toContain(`${server.url}/api/agentic/tools/odd-texts`)
    const page = await open('/tools/odd-texts')
    expect(page.headers.get('link')).toBe('</tools/odd-texts.md>; rel="alternate"; type="text/markdown"')
    expect(page.headers.get('vary')).toContain('Accept')
    expect((await open('/tools/odd-texts', text)).text).toBe(own.text)
    expect((await open('/tools/odd-texts', { accept: 'text/markdown, text/html' })).text).toBe(page.text)
    expect((await open('/tools/no-such-tool.md', text)).status).toBe(404)
  })

  it('is there for every tool that llms.txt names', async () => {
    const index = await (await fetch(`${server.url}/llms.txt`)).text()
    const named = [...index.matchAll(/\((http[^)]+\.md)\)/g)].map(([, url = '']) => url)
    expect(named.length).toBeGreaterThan(3)
    for (const url of named) {
      const answer = await fetch(url)
      expect([url, answer.status, (await answer.text()).startsWith('# ')]).toEqual([url, 200, true])
    }
  })
})
