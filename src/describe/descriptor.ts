import { maxTimeoutSeconds, priceOf } from '../payments/terms.ts'
import { usdOf } from '../tool/access.ts'
import type { AgenticTool } from '../tool/tools.ts'
import { endpointOf, manifestUrlOf } from '../tool/urls.ts'
import { codeSamplesOf } from './code-samples.ts'
import type { DescribeConfig } from './config.ts'
import { inputSchemaOf, outputSchemaOf } from './schemas.ts'

/** Everything a buyer wants to know about one pay-per-call tool. */
export function descriptorOf(tool: AgenticTool, config: DescribeConfig) {
  const listed = !config.sandbox
  return {
    slug: tool.slug,
    name: tool.name,
    version: tool.version,
    category: tool.category,
    description: tool.description,
    agentReadableSummary: tool.agentReadableSummary ?? tool.description,
    tags: tool.tags,
    priceUsd: Number(usdOf(tool.access)),
    x402: {
      network: config.networkName,
      asset: config.asset,
      payTo: config.payTo,
      maxAmountRequired: priceOf(tool).toString(),
      maxTimeoutSeconds,
    },
    endpoint: endpointOf(tool, config.baseUrl),
    mcpName: tool.slug,
    manifestUrl: manifestUrlOf(tool, config.baseUrl),
    inputSchema: inputSchemaOf(tool),
    outputSchema: outputSchemaOf(tool),
    examples: tool.examples.map(({ input, output }) => ({ input, output })),
    codeSamples: codeSamplesOf(tool, config),
    latencySlaMs: tool.latencySlaMs,
    freshness: tool.freshness,
    trustSignals: { dataSources: tool.sources, ...evidenceSignalOf(tool) },
    // The bazaar lists what it has seen paid, by what the payment request said of it.
    marketplace: {
      bazaar: { discoverable: listed && config.bazaarTools?.has(tool.slug) === true },
      agenticMarket: { eligible: listed },
      mcpRegistry: { name: config.mcpRegistryName },
      smithery: { qualifiedName: config.smitheryName },
      x402Index: { autoCrawl: listed },
    },
    deprecation: null,
    recurringHint: tool.recurringHint ?? null,
    owner: { name: config.ownerName, wallet: config.payTo },
    supportUrl: config.supportUrl,
    ...(config.sandbox ? { sandbox: true } : {}),
  } as const
}

// Said only of tools whose answers know the field at all.
function evidenceSignalOf(tool: AgenticTool): { readonly evidenceFieldRequired?: boolean } {
  const { properties, required } = outputSchemaOf(tool)
  if (typeof properties !== 'object' || properties === null || !('evidence' in properties)) return {}
  return { evidenceFieldRequired: Array.isArray(required) && required.includes('evidence') }
}
