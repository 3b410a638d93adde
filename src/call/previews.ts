import { LargeInput } from '../access/large-input.ts'
import { CallError } from '../errors.ts'
import type { PaymentRequired } from '../payments/x402/required.ts'
import { type Outage, unavailableReasonOf } from '../tool/availability.ts'
import { usdOf } from '../tool/access.ts'
import type { Tool, ToolSettings } from '../tool/tool.ts'
import type { Call, CallRequest, CallResult } from './call.ts'
import type { PreviewName } from './preview-names.ts'
import { readInput } from './run-tool.ts'

export type Previews = Readonly<Record<PreviewName, Call>>

export type PreviewParts = {
  readonly challengeOf: (tool: Tool, resourceUrl: string, error: string) => PaymentRequired
  readonly outageOf: (tool: Tool) => Outage | undefined
  /** How each service that a tool needs was found when it was last looked at. */
  readonly upstreamsOf: (tool: Tool) => Readonly<Record<string, 'ok' | 'down' | 'unknown'>>
  /** How long calls of a tool took of late; undefined where too few were made. */
  readonly latencyOf: (
    slug: string,
  ) => { readonly expectedMs: number; readonly slowMs: number; readonly calls: number } | undefined
  readonly settings: ToolSettings
  /** Whether a payment could be taken now. */
  readonly takesPayments: () => Promise<boolean>
}

/** Nothing runs, nobody is asked and nothing is charged, whatever credentials come along. */
export function createPreviews(parts: PreviewParts): Previews {
  const { challengeOf, outageOf, settings, takesPayments } = parts
  const quoteOf = async (
    { tool, resourceUrl }: CallRequest,
    input: unknown,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const outage = outageOf(tool)
    const usd = usdOf(tool.access)
    const isReady = outage === undefined && (usd === '0' || (await takesPayments()))
    return {
      dryRun: true,
      tool: tool.slug,
      // What is large is not read again to be shown.
      input: input instanceof LargeInput ? null : input,
      price: { mode: tool.access.mode, usd },
      ready: isReady,
      outage: outage ?? null,
      freshness: tool.freshness,
      upstreams: parts.upstreamsOf(tool),
      // Measured, where there is something to measure it by; what is promised stands beside it.
      latency: {
        mostMs: tool.latencySlaMs,
        ...(parts.latencyOf(tool.slug) ?? { expectedMs: null, slowMs: null, calls: 0 }),
      },
      sources: tool.sources,
      charged: false,
      // Whoever checks the answers of a priced tool over MCP takes a price for one.
      ...(usd === '0' ? {} : termsOf(challengeOf(tool, resourceUrl, 'Payment required'))),
    }
  }

  const refuseUnsold = ({ tool }: CallRequest): void => {
    const reason = unavailableReasonOf(tool, settings)
    if (reason === undefined) return
    throw new CallError('unavailable', reason, { nextStep: 'The operator has to configure this tool first.' })
  }

  return {
    dryRun: async (request) => {
      refuseUnsold(request)
      return resultOf('dry-run', await quoteOf(request, readInput(request.tool, request.input, settings)))
    },
    example: async (request) => {
      refuseUnsold(request)
      return resultOf('example', request.tool.examples[0]?.output)
    },
  }
}

function termsOf({ x402Version, error, resource, accepts }: PaymentRequired) {
  return { x402Version, error, resource, accepts }
}

function resultOf(what: string, body: unknown): CallResult {
  return {
    body: Buffer.from(JSON.stringify(body), 'utf8'),
    entry: 'free',
    // The body of an example has the shape of an answer, and says nothing of itself.
    headers: { 'tollgate-preview': what },
    replayed: false,
  }
}
