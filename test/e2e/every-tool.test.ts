import { Client as CurrentClient } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { siweOf } from '../harness/sign-in.ts'
import { startServeProcess, type ServeProcess } from '../harness/serve-process.ts'
import { node, program } from '../harness/sandbox-process.ts'
import { samplesOf } from '../harness/samples.ts'
import { signTerms } from '../harness/sign-terms.ts'
import { usdcBalance } from '../../sandbox/sign.ts'
import { walletOf } from '../../sandbox/wallets.ts'
import { toAtomic } from '../../src/payments/terms.ts'
import { usdOf } from '../../src/tool/access.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { loadTools } from '../../tools/load.ts'

const tools = (await loadTools()).filter((tool) => tool.family === 'agentic')
const samples = await samplesOf(tools)
const payer = walletOf('payer')
let server: ServeProcess

beforeAll(async () => {
  server = await startServeProcess()
})
afterAll(() => server.stop())

const priceOf = (tool: Tool): bigint => toAtomic(usdOf(tool.access))
const balance = (): Promise<bigint> => usdcBalance(server.sandbox.chain.rpcUrl, payer.address)

function questionFor(tool: Tool): Readonly<Record<string, unknown>> {
  const question = samples[tool.slug]?.input
  if (question === undefined) throw new Error(`Add a question for ${tool.slug}.`)
  return question
}

describe('in the sandbox, every tool', () => {
  it.each(tools.map((tool) => [tool.slug, tool] as const))(
    '%s answers over HTTP and costs its price',
    async (slug, tool) => {
      const pay = wrapFetchWithPaymentFromConfig(fetch, {
        schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(payer.privateKey)) }],
      })
      const before = await balance()
      const response = await pay(`${server.baseUrl}/api/agentic/tools/${slug}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(questionFor(tool)),
      })
      const answer: unknown = await response.json()
      expect([response.status, answer]).toEqual([200, expect.anything()])
      expect(tool.output.safeParse(answer).error).toBeUndefined()
      expect(before - (await balance())).toBe(priceOf(tool))
      const receipt = response.headers.get('payment-response')
      if (priceOf(tool) === 0n) expect(receipt).toBeNull()
      else expect(decodePaymentResponseHeader(receipt ?? '')).toMatchObject({ success: true, network: 'eip155:8453' })
    },
  )

  it.each(tools.map((tool) => [tool.slug, tool] as const))(
    '%s answers over MCP and costs its price',
    async (slug, tool) => {
      const client = new Client({ name: 'everybody', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(new URL(server.mcpUrl)))
      try {
        // Having the list, the client checks every structured content against the listed schema.
        await client.listTools()
        const before = await balance()
        const asked = await client.callTool({ name: slug, arguments: questionFor(tool) })
        const result =
          asked.isError === true && priceOf(tool) > 0n
            ? await client.callTool({
                name: slug,
                arguments: questionFor(tool),
                _meta: { 'x402/payment': await signTerms(asked.structuredContent, payer) },
              })
            : asked
        expect(result.isError, JSON.stringify(result.content)).not.toBe(true)
        expect(tool.output.safeParse(result.structuredContent).error).toBeUndefined()
        expect(before - (await balance())).toBe(priceOf(tool))
        if (priceOf(tool) > 0n) expect(result._meta?.['x402/payment-response']).toMatchObject({ success: true })
      } finally {
        await client.close()
      }
    },
  )

  it('answers over stdio, where nothing is paid', async () => {
    const client = new CurrentClient({ name: 'desktop', version: '1' })
    const before = await balance()
    await client.connect(
      new StdioClientTransport({
        command: node,
        args: [program, 'stdio'],
        env: { PATH: process.env['PATH'] ?? '', ...server.sandbox.env },
        stderr: 'ignore',
      }),
    )
    try {
      for (const tool of tools) {
        const result = await client.callTool({ name: tool.slug, arguments: questionFor(tool) }, { timeout: 60_000 })
        expect(result.isError, `${tool.slug}: ${JSON.stringify(result.content)}`).not.toBe(true)
        expect(tool.output.safeParse(result.structuredContent).error).toBeUndefined()
      }
      expect(await balance()).toBe(before)
    } finally {
      await client.close()
    }
  })

  it('leaves its payer a record of the payment that is as the OpenAPI description says', async () => {
    const pay = wrapFetchWithPaymentFromConfig(fetch, {
      schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(payer.privateKey)) }],
    })
    const paid = await pay(`${server.baseUrl}/api/agentic/tools/base-gas-tracker`, { method: 'POST' })
    const receipt = decodePaymentResponseHeader(paid.headers.get('payment-response') ?? '') as unknown as {
      readonly extensions: { readonly tollgate: { readonly paymentUrl: string; readonly paymentId: string } }
    }
    const { paymentUrl, paymentId } = receipt.extensions.tollgate
    const openapi = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as {
      readonly servers: readonly [{ readonly url: string }]
      readonly paths: Readonly<Record<string, unknown>>
      readonly components: { readonly schemas: { readonly Payment: object; readonly Error: object } }
    }
    expect(openapi.paths).toHaveProperty('/api/agentic/payments/{id}')
    expect(paymentUrl).toBe(`${openapi.servers[0].url}/api/agentic/payments/${paymentId}`)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const answerOf = async (authorization?: string) => {
      const answer = await fetch(paymentUrl, authorization === undefined ? {} : { headers: { authorization } })
      const body = (await answer.json()) as Readonly<Record<string, unknown>>
      const schema = answer.status === 200 ? openapi.components.schemas.Payment : openapi.components.schemas.Error
      expect(ajv.validate(schema, body), JSON.stringify(ajv.errors)).toBe(true)
      return { status: answer.status, body }
    }
    expect((await answerOf()).status).toBe(401)
    expect((await answerOf(await siweOf(walletOf('stranger'), server.baseUrl))).status).toBe(404)
    const own = await answerOf(await siweOf(payer, server.baseUrl))
    expect(own).toMatchObject({ status: 200, body: { id: paymentId, charged: true, result: await paid.json() } })
  })
})
