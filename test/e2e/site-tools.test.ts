import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { usdcBalance } from '../../sandbox/sign.ts'
import { walletOf } from '../../sandbox/wallets.ts'
import { structuredContentOf } from '../../src/describe/schemas.ts'
import { toAtomic } from '../../src/payments/terms.ts'
import { usdOf } from '../../src/tool/price.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { loadTools } from '../../tools/load.ts'
import { type SandboxProcess, startSandboxProcess } from '../harness/sandbox-process.ts'
import { siweOf } from '../harness/sign-in.ts'
import { signTerms } from '../harness/sign-terms.ts'
import { siteQuestions } from '../harness/site-questions.ts'

const tools = (await loadTools()).filter((tool) => tool.family === 'site')
const cases = tools.map((tool) => [tool.slug, tool] as const)
let house: SandboxProcess

beforeAll(async () => {
  house = await startSandboxProcess()
})
afterAll(() => house.stop())

const priceOf = (tool: Tool): bigint => toAtomic(usdOf(tool.access))
const balanceOf = (name: 'payer' | 'holder'): Promise<bigint> => usdcBalance(house.chain.rpcUrl, walletOf(name).address)

function questionFor(tool: Tool): Readonly<Record<string, unknown>> {
  const question = siteQuestions[tool.slug]
  if (question === undefined) throw new Error(`Add a question for ${tool.slug}.`)
  return question
}

function addressFor(tool: Tool, method: 'GET' | 'POST'): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(questionFor(tool))) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one))
  }
  const path = `${house.baseUrl}/api/tools/${tool.slug}`
  return method === 'GET' && query.size > 0 ? `${path}?${query.toString()}` : path
}

function requestFor(tool: Tool, method: 'GET' | 'POST', headers: Record<string, string> = {}): [string, RequestInit] {
  const body = method === 'POST' ? JSON.stringify(questionFor(tool)) : undefined
  const init = { method, headers: { 'content-type': 'application/json', ...headers } }
  return [addressFor(tool, method), body === undefined ? init : { ...init, body }]
}

async function expectAnswer(tool: Tool, response: Response): Promise<unknown> {
  const answer: unknown = await response.json()
  expect([response.status, answer]).toEqual([200, expect.anything()])
  expect(tool.output.safeParse(answer).error).toBeUndefined()
  return answer
}

const methodsOf = (tool: Tool): readonly ('GET' | 'POST')[] => ('methods' in tool ? tool.methods : ['POST'])
const opensFree = (tool: Tool): boolean => tool.access.mode === 'free' || tool.access.mode === 'tiered'
const opensWithPass = (tool: Tool): boolean => ['paid-or-pass', 'pass', 'tiered'].includes(tool.access.mode)

describe('in the sandbox, every site tool', () => {
  it('is one of the nineteen, and the catalog counts them', async () => {
    expect(tools.map((tool) => tool.slug)).toEqual(Object.keys(siteQuestions).sort())
    const catalog = (await (await fetch(`${house.baseUrl}/api/tools`)).json()) as { readonly count: number }
    expect(catalog.count).toBe(tools.length)
  })

  it.each(cases)('%s answers a caller without credentials as its mode says', async (_slug, tool) => {
    for (const method of methodsOf(tool)) {
      const response = await fetch(...requestFor(tool, method))
      if (opensFree(tool)) await expectAnswer(tool, response)
      else expect(response.status).toBe(402)
    }
  })

  it.each(cases.filter(([, tool]) => priceOf(tool) > 0n))(
    '%s costs its price, by GET and by POST',
    async (_slug, tool) => {
      const pay = wrapFetchWithPaymentFromConfig(fetch, {
        schemes: [
          { network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(walletOf('payer').privateKey)) },
        ],
      })
      for (const method of methodsOf(tool)) {
        const before = await balanceOf('payer')
        await expectAnswer(tool, await pay(...requestFor(tool, method)))
        // A tiered tool gives its free shape without asking for money, so that client never pays for it.
        expect(before - (await balanceOf('payer'))).toBe(tool.access.mode === 'tiered' ? 0n : priceOf(tool))
      }
    },
  )

  it.each(cases.filter(([, tool]) => opensWithPass(tool)))(
    '%s is free for the holder of the pass',
    async (_slug, tool) => {
      const before = await balanceOf('holder')
      for (const method of methodsOf(tool)) {
        const authorization = await siweOf(walletOf('holder'), house.baseUrl)
        const answer = await expectAnswer(tool, await fetch(...requestFor(tool, method, { authorization })))
        if (tool.access.mode === 'tiered') expect(answer).toMatchObject({ _tier: 'premium' })
      }
      expect(await balanceOf('holder')).toBe(before)
    },
  )

  it('answers over MCP, for whoever pays the price', async () => {
    const client = new Client({ name: 'payer', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${house.baseUrl}/api/mcp`)))
    try {
      for (const tool of tools.filter((one) => one.access.mode === 'paid-or-pass')) {
        const call = { name: tool.slug, arguments: questionFor(tool) }
        const before = await balanceOf('payer')
        const asked = await client.callTool(call)
        expect(asked.isError, tool.slug).toBe(true)
        const _meta = { 'x402/payment': await signTerms(asked.structuredContent, walletOf('payer')) }
        const result = await client.callTool({ ...call, _meta }, undefined, { timeout: 60_000 })
        expect(result.isError, `${tool.slug}: ${JSON.stringify(result.content)}`).not.toBe(true)
        expect(before - (await balanceOf('payer')), tool.slug).toBe(priceOf(tool))
      }
    } finally {
      await client.close()
    }
  }, 180_000)

  it('answers over MCP, for the holder of the pass', async () => {
    const authorization = await siweOf(walletOf('holder'), house.baseUrl)
    const client = new Client({ name: 'holder', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(`${house.baseUrl}/api/mcp`), {
      requestInit: { headers: { authorization } },
    })
    await client.connect(transport)
    try {
      const { tools: listed } = await client.listTools()
      const names = listed.map(({ name }) => name)
      for (const tool of tools) {
        expect(names).toContain(tool.slug)
        const result = await client.callTool({ name: tool.slug, arguments: questionFor(tool) }, undefined, {
          timeout: 60_000,
        })
        expect(result.isError, `${tool.slug}: ${JSON.stringify(result.content)}`).not.toBe(true)
        const [content] = result.content as [{ readonly text: string }]
        expect(result.structuredContent).toEqual(structuredContentOf(JSON.parse(content.text)))
      }
    } finally {
      await client.close()
    }
  }, 180_000)
})
