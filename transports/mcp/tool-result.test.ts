import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { CallError, type ErrorCode, outcomes } from '../../src/errors.ts'
import { type PaymentRequired, PaymentRequiredError } from '../../src/payments/x402/required.ts'
import { defineTool } from '../../src/tool/tool.ts'
import { toolResultOf } from './tool-result.ts'
import { centTerms } from '../../test/harness/terms.ts'
import { testTool } from '../../test/harness/test-tool.ts'

const tool = defineTool({
  ...testTool,
  slug: 'priced',
  name: 'Priced',
  family: 'agentic',
  category: 'test',
  access: { mode: 'paid', usd: '0.01' },
  input: z.strictObject({}),
  output: z.strictObject({}),
  examples: [],
  run: () => ({}),
})

const challenge: PaymentRequired = {
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'mcp://tool/priced', description: 'Costs money.', mimeType: 'application/json' },
  accepts: [centTerms],
  extensions: {},
}

/** The result of a call that ends with this error. */
async function resultOf(error: unknown): Promise<Readonly<Record<string, unknown>>> {
  const text = await toolResultOf(
    {
      call: async () => {
        throw error
      },
      newRequestId: () => 'request-1',
    },
    { tool, input: {}, meta: {}, headerOf: () => undefined, ip: '', signal: new AbortController().signal },
  )
  return JSON.parse(text) as Readonly<Record<string, unknown>>
}

const others = Object.keys(outcomes).filter((code) => code !== 'payment_required') as ErrorCode[]

describe('a failed call', () => {
  it.each(others)('%s is told in text only, so that no client takes it for a request to pay', async (code) => {
    const result = await resultOf(new CallError(code, 'It failed.', { charged: 'unknown', retryAfterSeconds: 2 }))
    expect(Object.keys(result).sort()).toEqual(['content', 'isError'])
    const [content] = result['content'] as [{ readonly text: string }]
    expect(JSON.parse(content.text)).toMatchObject({
      error: { code, charged: 'unknown', retryAfterSeconds: 2, requestId: 'request-1' },
    })
    expect(content.text).not.toContain('x402Version')
  })

  it('does not pass on the message of an unknown error', async () => {
    const result = await resultOf(new Error('password=hunter2'))
    expect(JSON.stringify(result)).not.toContain('hunter2')
    expect(JSON.stringify(result)).toContain('internal')
  })

  it('is a request to pay only where money would help', async () => {
    const refused = { success: false, errorReason: 'expired', transaction: '', network: 'eip155:8453' } as const
    expect(await resultOf(new PaymentRequiredError(challenge, refused))).toMatchObject({
      isError: true,
      structuredContent: challenge,
      _meta: {
        'x402/error': { accepts: [{ network: 'eip155:8453' }, { network: 'base', maxAmountRequired: '10000' }] },
        'x402/payment-response': refused,
      },
    })
  })
})
