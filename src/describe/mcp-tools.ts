import { maxTimeoutSeconds, toAtomic } from '../payments/terms.ts'
import { isPriced, probeNeedsPayment } from '../tool/access.ts'
import type { Tool } from '../tool/tool.ts'
import type { DescribeConfig } from './config.ts'
import { namespaceOf } from './documents.ts'
import { priceTextOf } from './price-text.ts'
import type { JsonSchema } from './schemas.ts'
import { mcpAnswerSchemaOf, mcpInputSchemaOf, mcpOutputSchemaOf } from './schemas.ts'

/** A tool as `tools/list` shows it. */
export type McpTool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** Absent where the answer is content and no data. */
  readonly outputSchema?: JsonSchema
  readonly annotations: Readonly<Record<string, boolean>>
  readonly _meta?: Readonly<Record<string, unknown>>
}

type Terms = Pick<DescribeConfig, 'network' | 'asset' | 'assetDomain' | 'payTo' | 'mcpRegistryName'>

/** The list over HTTP, where calls are paid for: prices, and schemas that admit a payment request. */
export function remoteMcpTools(tools: readonly Tool[], terms: Terms): readonly McpTool[] {
  return tools.map((tool) => ({
    name: tool.slug,
    title: tool.name,
    description: `${tool.description} ${priceTextOf(tool.access)}`,
    inputSchema: mcpInputSchemaOf(tool),
    ...(tool.gated?.isContent === true ? {} : { outputSchema: mcpOutputSchemaOf(tool) }),
    annotations: { ...annotationsOf(tool), ...chargingHintsOf(tool) },
    _meta: priceHintsOf(tool, terms),
  }))
}

/** A call that may cost money is no read-only call: a host that lets read-only tools run has to ask its user first. */
function chargingHintsOf({ access }: Tool) {
  return isPriced(access) ? ({ readOnlyHint: false, paymentHint: true } as const) : {}
}

/** The list over stdio, where the user's own process runs the tools and nothing is paid. */
export function localMcpTools(tools: readonly Tool[]): readonly McpTool[] {
  return tools.map((tool) => ({
    name: tool.slug,
    title: tool.name,
    description: tool.description,
    inputSchema: mcpInputSchemaOf(tool),
    ...(tool.gated?.isContent === true ? {} : { outputSchema: mcpAnswerSchemaOf(tool) }),
    annotations: annotationsOf(tool),
  }))
}

/**
 * Hints for hosts that ask before a call. Every tool of this package only reads: payment is signed by the caller's own
 * wallet, never by the server. Asking a live source twice may answer differently, so only the others are called
 * idempotent.
 */
function annotationsOf(tool: Tool) {
  if (tool.gated !== undefined) return tool.gated.effects
  const live = tool.freshness.mode === 'live'
  return {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: !live,
    openWorldHint: live || (tool.untrusted ?? []).length > 0,
  } as const
}

// The first three are what the paying clients of others look for; the last says how the tool is opened, under our own
// name.
function priceHintsOf({ access }: Tool, terms: Terms): Readonly<Record<string, unknown>> {
  const namespace = namespaceOf(terms)
  if (!isPriced(access)) return { [`${namespace}/price`]: { mode: access.mode, usd: '0' } }
  return {
    x402: { paymentRequired: probeNeedsPayment(access), ...x402TermsOf(access.usd, terms) },
    'agents-x402/paymentRequired': probeNeedsPayment(access),
    'agents-x402/priceUSD': Number(access.usd),
    [`${namespace}/price`]: { mode: access.mode, usd: access.usd },
  }
}

/** The terms as they stand in `accepts`, for clients that pay without asking first. */
function x402TermsOf(usd: string, { network, asset, assetDomain, payTo }: Terms) {
  return {
    scheme: 'exact',
    network,
    amount: toAtomic(usd).toString(),
    asset,
    payTo,
    maxTimeoutSeconds,
    ...(assetDomain === undefined ? {} : { extra: assetDomain }),
  } as const
}
