import { z } from 'zod'

import { type Call, type CallParts, type CallResult, createCall } from '../call/call.ts'
import { toAtomic, toUsd } from '../payments/terms.ts'
import { prepaidLimits } from '../describe/prepaid.ts'
import { topUpSlug } from '../store/accounts.ts'
import { defineTool, InvalidInputError, type Tool } from '../tool/tool.ts'

/** Takes a payment for money that calls are drawn from later. @throws CallError, always. */
export type TopUp = (request: Omit<Parameters<Call>[0], 'tool'>) => Promise<CallResult>

export type TopUpParts = Omit<CallParts, 'runTool'> & {
  /** What stands around every call: limits, and what is said while no payment can be taken. */
  readonly wrap: (call: Call) => Call
}

const amount = z
  .string()
  .regex(/^\d{1,6}(?:\.\d{1,6})?$/)
  .describe(`Dollars as a decimal string, from ${prepaidLimits.minUsd} to ${prepaidLimits.maxUsd}.`)
const input = z.strictObject({ usd: amount.default(prepaidLimits.usualUsd) })
const output = z.strictObject({ usd: z.string() })

/**
 * A top-up goes the way of a call, at the price that its input names: it is paid for, settled, repeated and recovered
 * alike.
 */
export function createTopUp({ wrap, ...parts }: TopUpParts): TopUp {
  const call = wrap(
    createCall({
      ...parts,
      runTool: async ({ input: checked }) => Buffer.from(JSON.stringify(input.parse(checked)), 'utf8'),
    }),
  )
  return (request) => {
    const usd = usdIn(request.input)
    // However an amount is written, it is the same call.
    const asked = usd === undefined ? request.input : { usd }
    return call({ ...request, input: asked, tool: toolFor(usd ?? prepaidLimits.usualUsd) })
  }
}

/** The amount in an input, in the one way to write it; undefined where it names none that can be paid. */
function usdIn(raw: unknown): string | undefined {
  const parsed = input.safeParse(raw)
  if (!parsed.success || typeof raw !== 'object' || raw === null || !('usd' in raw)) return undefined
  return isWithin(parsed.data.usd) ? toUsd(toAtomic(parsed.data.usd)) : undefined
}

function isWithin(usd: string): boolean {
  const atomic = toAtomic(usd)
  return atomic >= toAtomic(prepaidLimits.minUsd) && atomic <= toAtomic(prepaidLimits.maxUsd)
}

function toolFor(usd: string): Tool {
  return defineTool({
    family: 'agentic',
    slug: topUpSlug,
    name: 'Prepaid balance',
    version: '1.0.0',
    category: 'prepaid',
    tags: ['prepaid'],
    description: 'Tops up the balance of the paying wallet. Calls are then drawn from it without a payment each.',
    access: { mode: 'paid', usd },
    freshness: { mode: 'live' },
    latencySlaMs: 5_000,
    sources: [],
    input,
    output,
    examples: [{ input: { usd: prepaidLimits.usualUsd }, output: { usd: prepaidLimits.usualUsd } }],
    check: ({ usd: asked }) => {
      if (isWithin(asked)) return
      const { minUsd, maxUsd } = prepaidLimits
      throw new InvalidInputError('/usd', `A balance is topped up with $${minUsd} to $${maxUsd} at a time.`)
    },
    run: ({ usd: paid }) => ({ usd: paid }),
  })
}
