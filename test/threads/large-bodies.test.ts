import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { largestInline } from '../../src/access/large-input.ts'
import { operationHash } from '../../src/access/operation.ts'
import scanner from '../../tools/agentic/mcp-security-scanner/tool.ts'
import { freshKey, pay } from '../money/payer.ts'
import { richWallet, rowsOf, startTestServer, type TestServer } from '../money/test-server.ts'

const slug = 'mcp-security-scanner'
const toolPath = `/api/agentic/tools/${slug}`
const mcpPath = '/api/agentic/mcp'

/** A manifest of some 80 kB that takes the scanner no time, so that the test says the same on a busy machine. */
const days = Array.from({ length: 15_000 }, (_, index) => index)
const input = {
  manifestJson: {
    serverInfo: { name: 'harbour', version: '1.0.0' },
    tools: [
      {
        name: 'tides',
        description: 'Gives the tides of a day.',
        inputSchema: { type: 'object', properties: { day: { type: 'integer', enum: days } } },
      },
    ],
  },
  checks: ['schema-validation'],
}
const body = JSON.stringify(input)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    tools: [scanner],
    toolThread: new URL('../../transports/tool-thread.ts', import.meta.url),
  })
})
afterAll(() => server.stop())
afterEach(() => vi.restoreAllMocks())

/** The longest text that this thread parsed or wrote as JSON. */
function watchJson(): () => number {
  const { parse, stringify } = JSON
  let longest = 0
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    longest = Math.max(longest, text.length)
    return parse(text, reviver)
  })
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...more: unknown[]) => {
    const text = Reflect.apply(stringify, JSON, [value, ...more]) as string
    longest = Math.max(longest, text?.length ?? 0)
    return text
  })
  return () => longest
}

async function post(path: string, text: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: text,
  })
  return { status: answer.status, text: await answer.text() }
}

const call = (meta: unknown, args: string = body) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":${JSON.stringify(meta)},"name":"${slug}","arguments":${args}}}`
/** What the newest revision sends with every request; such a message goes the long way, through the SDK. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const newest = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': slug }

describe('a large body', () => {
  it('is not read by the thread that handles money, and is answered as a small one', async () => {
    const wallet = richWallet(server)
    const payment = await pay(wallet, await server.acceptsOf(slug))
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    const messages = [call({}), call(envelope)]
    const longest = watchJson()

    expect((await post(toolPath, body)).status).toBe(402)
    expect((await post(mcpPath, messages[0] ?? '')).text).toContain('x402Version')
    expect((await post(mcpPath, messages[1] ?? '', newest)).text).toContain('x402Version')
    const paid = await post(toolPath, body, headers)
    expect(paid.status, paid.text.slice(0, 300)).toBe(200)
    expect(longest()).toBeLessThanOrEqual(largestInline)
    expect(longest()).toBeGreaterThan(0)

    expect(JSON.parse(paid.text)).toMatchObject({ serverName: 'harbour', toolCount: 1 })
    // It is the same operation as where it is read at once, so that an upgrade, or the other transport, finds it again.
    const row = await server.store.payments.get(payment.id)
    expect(row?.opHash).toBe(operationHash(scanner, scanner.input.parse(input)))
    const again = await post(mcpPath, call({ ...envelope, 'x402/payment': payment.v2 }), {
      ...newest,
      'idempotency-key': headers['idempotency-key'],
    })
    expect(again.text).toContain('\\"toolCount\\":1')
    expect(server.chain.transfersTo(wallet.address)).toHaveLength(0)
    expect(await rowsOf(server.store)).toBe(1)
  })

  it('is also one of many parts, however few its bytes are', async () => {
    const lists = JSON.stringify({ manifestJson: { tools: Array.from({ length: 20_000 }, () => []) } })
    expect(lists.length).toBeLessThan(largestInline)
    const longest = watchJson()
    expect((await post(toolPath, lists)).status).toBe(402)
    expect((await post(mcpPath, call({}, lists))).text).toContain('x402Version')
    expect((await post(mcpPath, call(envelope, lists), newest)).text).toContain('x402Version')
    expect(longest()).toBeLessThan(lists.length / 2)
    const batch = await post(mcpPath, `[${call({}, lists)}]`)
    expect(batch.status).toBe(413)
  })

  const wide = (field: string): string => JSON.stringify({ ...input, [field]: 1 })
  const long = JSON.stringify({ ...input, checks: Array.from({ length: 60_000 }, () => []) })
  it.each([
    ['a field too many', wide('more'), 'invalid_input', '/more'],
    ['a list without end', long, 'invalid_input', '/checks'],
    ['no JSON', body.slice(0, -1), 'invalid_json', ''],
    ['a key that reaches too far', body.replace('"serverInfo"', '"__proto__"'), 'invalid_input', '/__proto__'],
    ['a hundred levels', `{"manifestJson":{"a":${'['.repeat(100)}${']'.repeat(100)}},"x":${body}}`, 'invalid_json', ''],
  ])('with %s is refused as a small one, unpaid and paid', async (_what, text, code, path) => {
    const payment = await pay(richWallet(server), await server.acceptsOf(slug))
    const before = await rowsOf(server.store)
    for (const headers of [{}, { 'payment-signature': payment.header }]) {
      const answer = await post(toolPath, text, headers)
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code, charged: false, details: { path } } })
    }
    expect(await rowsOf(server.store)).toBe(before)
    const message = call({}, text)
    const overMcp = await post(mcpPath, message)
    expect(overMcp.text).toContain(code === 'invalid_input' && path !== '/__proto__' ? code : '"error"')
  })

  it('that is small without its spaces is read as a small one', async () => {
    const spaces = ' '.repeat(70_000)
    expect((await post(toolPath, `{${spaces}}`)).status).toBe(402)
    expect((await post(toolPath, spaces)).status).toBe(402)
    expect((await post(mcpPath, `{${spaces}"jsonrpc":"2.0","id":1,"method":"ping"}`)).text).toContain('"result":{}')
  })

  it('of anything but one call is refused', async () => {
    const filler = 'x'.repeat(70_000)
    const message = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const batch = `[${call({})}]`
    const fatMeta = call({ 'x402/payment': { filler } })
    for (const text of [message('resources/read', { uri: filler }), batch, fatMeta, message('tools/call', filler)]) {
      const answer = await post(mcpPath, text)
      expect(answer.status).toBe(413)
      expect(answer.text).toContain('may not be larger than 65536 bytes, nor have more than 2000 parts')
    }
    const unknown = await post(mcpPath, call({}).replace(slug, 'no-such-tool'))
    expect(unknown.text).toContain('Unknown tool')
  })

  it('is looked at before it is paid for, without being shown', async () => {
    const answer = await post(`${toolPath}?dryRun=1`, body)
    expect(JSON.parse(answer.text)).toMatchObject({ dryRun: true, input: null, price: { usd: '0.05' } })
  })
})
