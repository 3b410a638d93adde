import { randomUUID } from 'node:crypto'

import { Client } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { signAuthorization, usdcBalance } from '../sandbox/sign.ts'
import { loadTools } from '../tools/load.ts'
import { type SandboxProcess, startSandboxProcess } from './harness/sandbox-process.ts'
import { newerSdkModes } from './harness/newer-sdk.ts'
import { paidInMeta } from './money/payer.ts'

let server: SandboxProcess
beforeAll(async () => {
  server = await startSandboxProcess()
})
afterAll(() => server.stop())

type Result = {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly _meta?: Readonly<Record<string, unknown>>
}
type Failure = { readonly error: { readonly code: string; readonly charged: unknown; readonly nextStep: string } }
type Terms = {
  readonly accepts: readonly [{ readonly amount: string; readonly payTo: `0x${string}` }]
}

const question = { blocks: 3 }

/** One request as it goes over the wire. */
function ask(method: string, params: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(server.mcpUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}

/** One call, with what is sent beside its input. */
async function call(
  input: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const response = await ask('tools/call', { name: 'base-gas-tracker', arguments: input, _meta: meta }, headers)
  // A price is asked for in a result; the transport itself has nothing to complain about.
  expect(response.status).toBe(200)
  return ((await response.json()) as { result: Result }).result
}

/** A payment of the price that a bare call is told. */
async function payment(): Promise<Readonly<Record<string, unknown>>> {
  const [accepted] = ((await call(question)).structuredContent as Terms).accepts
  const payload = await signAuthorization({
    wallet: server.wallets.payer,
    to: accepted.payTo,
    value: BigInt(accepted.amount),
    validBefore: BigInt(Math.floor(Date.now() / 1_000) + 60),
  })
  return { x402Version: 2, accepted, payload }
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
const balance = (): Promise<bigint> => usdcBalance(server.chain.rpcUrl, server.wallets.payer.address)
const failureOf = ({ content }: Result): Failure['error'] => (JSON.parse(content[0]?.text ?? '') as Failure).error

/** The address of the paid family lists that family. */
const agentic = (await loadTools()).filter(({ family }) => family === 'agentic').map(({ slug }) => slug)

describe('clients of every age work over HTTP', () => {
  it('serves the client of the older SDK', async () => {
    const client = new OldClient({ name: 'old', version: '1' })
    await client.connect(new OldTransport(new URL(server.mcpUrl)))
    expect(client.getServerVersion()).toMatchObject({ name: 'tollgate', title: 'Tollgate' })
    expect(client.getInstructions()?.length).toBeLessThan(1_500)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(agentic)
    const result = (await client.callTool({
      name: 'repo-health-for-agents',
      arguments: { repo: 'tollgate-demo/paid-weather' },
    })) as Result
    expect(result.isError).toBeUndefined()
    expect(result.structuredContent).toEqual(JSON.parse(result.content[0]?.text ?? ''))
    await client.close()
  })

  it.each(newerSdkModes)('serves the client of the newer SDK, %s', async (_name, mode, version) => {
    const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(server.mcpUrl)))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(agentic)
    const asked = await client.callTool({ name: 'base-gas-tracker', arguments: question })
    expect(asked.isError).toBe(true)
    const paid = await client.callTool({
      name: 'base-gas-tracker',
      arguments: question,
      _meta: { 'x402/payment': await payment() },
    })
    expect(paid.isError, JSON.stringify(paid.content)).toBeFalsy()
    expect(paid._meta?.['x402/payment-response']).toMatchObject({ success: true })
    await client.close()
  })

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('greets a client of %s', async (version) => {
    const clientInfo = { name: 'test', version: '1' }
    const response = await ask('initialize', { protocolVersion: version, capabilities: {}, clientInfo })
    expect(await response.text()).toContain(`"protocolVersion":"${version}"`)
  })

  it('shows its documents, prompts and completions', async () => {
    const client = new Client({ name: 'reader', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(server.mcpUrl)))
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('agentic://manifest')
    const { contents } = await client.readResource({ uri: 'agentic://manifest' })
    const [manifest] = contents as { text: string }[]
    const overHttp = (await (await fetch(`${server.baseUrl}/api/agentic/manifest`)).json()) as object
    expect(JSON.parse(manifest?.text ?? '')).toEqual(overHttp)
    const { contents: documents } = await client.readResource({ uri: 'agentic://tools/base-gas-tracker' })
    expect(JSON.stringify(documents)).toContain('inputSchema')
    await expect(client.readResource({ uri: 'agentic://tools/nowhere' })).rejects.toThrow(/not found/i)

    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name).toSorted()).toEqual(['audit-my-endpoint', 'explain-tool', 'vet-repository'])
    const explained = await client.getPrompt({ name: 'explain-tool', arguments: { slug: 'base-gas-tracker' } })
    expect(explained.messages.map(({ content }) => content.type)).toEqual(['resource', 'text'])
    await expect(client.getPrompt({ name: 'explain-tool', arguments: {} })).rejects.toThrow(/slug/)
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(/Unknown prompt/)

    for (const ref of [
      { type: 'ref/prompt', name: 'explain-tool' },
      { type: 'ref/resource', uri: 'agentic://tools/{slug}' },
    ] as const) {
      const { completion } = await client.complete({ ref, argument: { name: 'slug', value: 'base-' } })
      expect(completion.values).toEqual(['base-builder-grant-finder', 'base-gas-tracker'])
    }
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'vet-repository' },
      argument: { name: 'repo', value: 'a' },
    })
    expect(completion.values).toEqual([])
    await client.close()
  })
})

describe('what is asked of the caller before money moves', () => {
  it('asks for a payment in a result, never with HTTP 402', async () => {
    const asked = await call(question)
    expect(asked.isError).toBe(true)
    expect(asked.structuredContent).toMatchObject({ x402Version: 2, accepts: [{ amount: '10000' }] })
    expect(asked.structuredContent).toMatchObject({
      resource: { url: 'mcp://tool/base-gas-tracker' },
      extensions: { bazaar: { info: { input: { type: 'mcp', toolName: 'base-gas-tracker', example: question } } } },
    })
  })

  it('tells the price to those who send nothing', async () => {
    expect((await call({})).structuredContent).toMatchObject({ x402Version: 2 })
  })

  it('finds a wrong input before it asks for money, and says so in text only', async () => {
    const wrong = await call({ blocks: 0 }, { 'x402/payment': await payment() })
    expect(wrong.isError).toBe(true)
    expect(wrong.structuredContent).toBeUndefined()
    expect(failureOf(wrong)).toMatchObject({ code: 'invalid_input', charged: false })
  })

  it.each([
    ['garbage', 'not base64!', 'invalid_payment'],
    ['base64 of nothing', base64('nothing'), 'invalid_payment'],
    ['a number', 42, 'invalid_payment'],
  ])('refuses %s for a payment', async (_name, sent, code) => {
    const refused = await call(question, { 'x402/payment': sent })
    expect(refused.structuredContent).toBeUndefined()
    expect(failureOf(refused)).toMatchObject({ code, charged: false })
  })

  it('answers a payment of another version with the terms, as any payment that is not acceptable', async () => {
    const refused = await call(question, { 'x402/payment': { x402Version: 99 } })
    expect(refused.isError).toBe(true)
    expect(refused.structuredContent).toMatchObject({ x402Version: 2, error: expect.stringContaining('version') })
  })

  it('takes the payment of a client that writes the key with a dot, and gives it its receipt', async () => {
    const paid = await call(question, { 'x402.payment': base64(await payment()) })
    expect(paid.isError).not.toBe(true)
    expect(paid._meta?.['x402.payment-response']).toMatchObject({ success: true })
  })

  it('refuses two payments, and does not choose', async () => {
    const before = await balance()
    const [one, other] = [await payment(), await payment()]
    const refused = await call(question, { 'x402/payment': one }, { 'payment-signature': base64(other) })
    expect(failureOf(refused)).toMatchObject({ code: 'ambiguous_payment', charged: false })
    expect(await balance()).toBe(before)
  })

  it('refuses two idempotency keys, and a key that is no text', async () => {
    const both = await call(question, { 'x402/idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() })
    expect(failureOf(both)).toMatchObject({ code: 'invalid_credential' })
    expect(failureOf(await call(question, { 'x402/idempotency-key': 7 }))).toMatchObject({ code: 'invalid_credential' })
  })

  it('names the reason where a payment does not do, with new terms and a refusal in place of a receipt', async () => {
    const good = await payment()
    const { payload } = good as { payload: { authorization: object } }
    const forged = { ...good, payload: { ...payload, authorization: { ...payload.authorization, value: '1' } } }
    const before = await balance()
    const refused = await call(question, { 'x402/payment': forged })
    expect(refused.structuredContent).toMatchObject({ x402Version: 2, accepts: [{ amount: '10000' }] })
    expect((refused.structuredContent as { error: string }).error).not.toBe('Payment required')
    expect(refused._meta?.['x402/payment-response']).toMatchObject({ success: false })
    expect(await balance()).toBe(before)
  })
})

describe('a payment that is sent again', () => {
  it('with its key gets the same answer and the same receipt, over MCP and over HTTP', async () => {
    const paid = await payment()
    const key = randomUUID()
    const before = await balance()
    const first = await call(question, paidInMeta(key, paid))
    expect(first.isError, first.content[0]?.text).toBeUndefined()
    const second = await call(question, paidInMeta(key, paid))
    const third = await call(question, {}, { 'payment-signature': base64(paid), 'idempotency-key': key })
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    const overHttp = await fetch(`${server.baseUrl}/api/agentic/tools/base-gas-tracker`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'payment-signature': base64(paid),
        'idempotency-key': key,
      },
      body: JSON.stringify(question),
    })
    expect(overHttp.status).toBe(200)
    expect(await overHttp.text()).toBe(first.content[0]?.text)
    expect(before - (await balance())).toBe(10_000n)
  })

  it('without a key is told where the answer is, in text, and is not asked to pay again', async () => {
    const paid = await payment()
    await call(question, { 'x402/payment': paid })
    const before = await balance()
    const again = await call(question, { 'x402/payment': paid })
    expect(again.isError).toBe(true)
    expect(again.structuredContent).toBeUndefined()
    expect(again._meta?.['x402/error']).toBeUndefined()
    expect(failureOf(again).code).toBe('payment_used')
    expect(again.content[0]?.text).toContain('/api/agentic/payments/')
    expect(await balance()).toBe(before)
  })

  it('for another question is refused', async () => {
    const paid = await payment()
    const key = randomUUID()
    await call(question, paidInMeta(key, paid))
    const other = await call({ blocks: 4 }, paidInMeta(key, paid))
    expect(other.structuredContent).toBeUndefined()
    expect(['payment_bound', 'idempotency_conflict']).toContain(failureOf(other).code)
  })
})
