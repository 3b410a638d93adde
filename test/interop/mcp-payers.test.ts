import { once } from 'node:events'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { x402Client } from '@x402/core/client'
import type { PaymentRequired } from '@x402/core/types'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { signAuthorization, usdcBalance } from '../../sandbox/sign.ts'
import { toAtomic } from '../../src/payments/terms.ts'
import { runMain, type SandboxProcess, startSandboxProcess } from '../harness/sandbox-process.ts'

type Result = {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** How one kind of paying client reads the terms from a result, and what it then sends. */
type Dialect = {
  readonly termsOf: (result: Result) => unknown
  readonly pay: (terms: unknown) => Promise<Payment>
}

type Payment = {
  readonly meta?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

let server: SandboxProcess
beforeAll(async () => {
  server = await startSandboxProcess()
})
afterAll(() => server.stop())

/** Signs with the official v2 client, as `@x402/mcp` and `agents` do. */
async function signV2(terms: unknown): Promise<unknown> {
  const client = new x402Client()
  registerExactEvmScheme(client, { signer: privateKeyToAccount(server.wallets.payer.privateKey) })
  return client.createPaymentPayload(terms as PaymentRequired)
}

type V1Entry = {
  readonly scheme: string
  readonly network: string
  readonly maxAmountRequired: string
  readonly payTo: `0x${string}`
  readonly maxTimeoutSeconds: number
}

/** What `x402` 0.6 and 1.2 make of the entry that they choose: the first `exact` one on a network they know by name. */
async function signV1(terms: unknown): Promise<unknown> {
  const { accepts } = terms as { readonly accepts: readonly V1Entry[] }
  const entry = accepts.find(({ scheme, network }) => scheme === 'exact' && network === 'base')
  if (entry === undefined) throw new Error('There are no terms that a client of version 1 knows.')
  const now = BigInt(Math.floor(Date.now() / 1_000))
  const payload = await signAuthorization({
    wallet: server.wallets.payer,
    to: entry.payTo,
    value: BigInt(entry.maxAmountRequired),
    validAfter: now - 600n,
    validBefore: now + BigInt(entry.maxTimeoutSeconds),
  })
  return { x402Version: 1, scheme: 'exact', network: 'base', payload }
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
const inMeta = ({ _meta }: Result): unknown => _meta?.['x402/error']
const inContent = ({ structuredContent, content }: Result): unknown =>
  structuredContent ?? (JSON.parse(content[0]?.text ?? '') as unknown)

const dialects: Readonly<Record<string, Dialect>> = {
  'the x402 MCP transport, as @x402/mcp speaks it': {
    termsOf: inContent,
    pay: async (terms) => ({ meta: { 'x402/payment': await signV2(terms) } }),
  },
  'a client that reads the terms from the text': {
    termsOf: ({ content }) => JSON.parse(content[0]?.text ?? ''),
    pay: async (terms) => ({ meta: { 'x402/payment': await signV2(terms) } }),
  },
  'agents 0.32: terms in _meta, payment in base64': {
    termsOf: inMeta,
    pay: async (terms) => ({ meta: { 'x402/payment': base64(await signV2(terms)) } }),
  },
  'mcpay 0.1: terms in _meta, the entry of version 1': {
    termsOf: inMeta,
    pay: async (terms) => ({ meta: { 'x402/payment': base64(await signV1(terms)) } }),
  },
  'a client that pays in the PAYMENT-SIGNATURE header': {
    termsOf: inContent,
    pay: async (terms) => ({ headers: { 'payment-signature': base64(await signV2(terms)) } }),
  },
  'a client that pays in the X-PAYMENT header, version 1': {
    termsOf: inMeta,
    pay: async (terms) => ({ headers: { 'x-payment': base64(await signV1(terms)) } }),
  },
  'a cautious client that sends the same payment in both places': {
    termsOf: inContent,
    pay: async (terms) => {
      const payment = await signV2(terms)
      return { meta: { 'x402/payment': payment }, headers: { 'payment-signature': base64(payment) } }
    },
  },
}

async function connect(headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'payer', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(server.mcpUrl), {
    requestInit: { headers: { ...headers } },
  })
  await client.connect(transport)
  // Once it has listed the tools, the client checks all structured content against their schemas, errors included.
  await client.listTools()
  return client
}

const call = { name: 'base-gas-tracker', arguments: { blocks: 3 } }
const balance = (): Promise<bigint> => usdcBalance(server.chain.rpcUrl, server.wallets.payer.address)

describe('paying over MCP', () => {
  it.each(Object.entries(dialects))('%s', async (_name, { termsOf, pay }) => {
    const client = await connect()
    const asked = (await client.callTool(call)) as Result
    expect(asked.isError).toBe(true)
    const before = await balance()
    const { meta, headers } = await pay(termsOf(asked))
    const payer = headers === undefined ? client : await connect(headers)
    const paid = (await payer.callTool(meta === undefined ? call : { ...call, _meta: meta })) as Result
    expect(paid.isError, paid.content[0]?.text).toBeUndefined()
    expect(paid.structuredContent).toMatchObject({ block_history: expect.any(Array) })
    expect(paid._meta?.['x402/payment-response']).toMatchObject({
      success: true,
      network: 'eip155:8453',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(before - (await balance())).toBe(10_000n)
    await client.close()
  })

  it('shows the same terms in every place where a client looks', async () => {
    const client = await connect()
    const asked = (await client.callTool(call)) as Result
    const terms = asked.structuredContent as { x402Version: number; accepts: readonly unknown[] }
    expect(JSON.parse(asked.content[0]?.text ?? '')).toEqual(terms)
    const both = inMeta(asked) as { accepts: readonly Readonly<Record<string, unknown>>[] }
    expect(both).toEqual({ ...terms, accepts: [...terms.accepts, both.accepts[1]] })
    expect(both.accepts[1]).toMatchObject({ scheme: 'exact', network: 'base', maxAmountRequired: '10000' })
    await client.close()
  })

  it('tells hosts of both kinds which tools cost money', async () => {
    const response = await fetch(server.mcpUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    const { result } = (await response.json()) as {
      readonly result: { readonly tools: readonly { readonly name: string }[] }
    }
    const named = (name: string) => result.tools.find((tool) => tool.name === name)
    expect(named(call.name)).toMatchObject({
      _meta: { 'agents-x402/paymentRequired': true, 'agents-x402/priceUSD': 0.01 },
      annotations: { paymentHint: true },
    })
    const free = JSON.stringify(named('repo-health-for-agents'))
    expect(free).not.toContain('paymentHint')
    expect(free).not.toContain('agents-x402')
  })

  it('leave their cents in the books, to the last one, while the server runs', async () => {
    const client = await connect()
    const { pay, termsOf } = Object.values(dialects)[0] ?? {}
    if (pay === undefined || termsOf === undefined) throw new Error('There is no dialect.')
    const { meta } = await pay(termsOf((await client.callTool(call)) as Result))
    await client.callTool(meta === undefined ? call : { ...call, _meta: meta })
    await client.close()

    const { rows } = JSON.parse(await look('revenue', '--by', 'total', '--json')) as {
      readonly rows: readonly { readonly payments: number; readonly usd: string }[]
    }
    const earned = await usdcBalance(server.chain.rpcUrl, server.payTo as `0x${string}`)
    expect(rows.map(({ usd }) => toAtomic(usd))).toEqual([earned])
    expect(await look('revenue', '--since', '1h')).toMatch(/^base-gas-tracker +\d+ +0\.\d+ /m)
    const [head, ...lines] = (await look('payments', '--state', 'settled', '--csv')).trim().split('\n')
    expect(head).toMatch(/^time,state,tool,usd,atomic,/)
    expect(lines).toHaveLength(rows[0]?.payments ?? 0)
    // Beside the rows, on the other stream, it is said that there are more.
    const [paid = '', said] = (await look('payments', '--json', '--limit', '1')).split('\n')
    expect(said).toContain('--limit shows more')
    expect(JSON.parse(paid)).toMatchObject([
      { tool: call.name, atomic: '10000', payer: server.wallets.payer.address.toLowerCase() },
    ])
  })

  it('are told what is wrong with a question to the books', async () => {
    expect(await look('revenue', '--by', 'colour')).toContain('--by takes one of tool, day, payer, entry, total.')
    expect(await look('revenue', '--since', 'yesterday')).toContain('--since takes a date')
    expect(await look('payments', '--state', 'odd')).toContain('--state takes one of all, running, unknown')
    expect(await look('payments', '--limit', '0')).toContain('--limit takes a whole number from 1.')
  })
})

/** The output of a command that reads the ledger of the running sandbox. */
async function look(...args: readonly string[]): Promise<string> {
  const child = runMain(args, { TOLLGATE_DATA_DIR: server.dataDir })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8')
    })
  }
  await once(child, 'close')
  return printed
}
