import type { AgenticTool, ToolList } from '../tool/tools.ts'
import { mcpClientsOf } from './code-samples.ts'
import type { DescribeConfig } from './config.ts'
import { descriptorOf } from './descriptor.ts'
import { addressesOf, index402Path, namespaceOf } from './documents.ts'
import { prepaidOf, refundPolicyOf } from './prepaid.ts'

const schemaVersion = 'agentic.tools/v1'

/** The document that lists every pay-per-call tool; `src/describe/manifest.schema.json` is its schema. */
export function manifestOf(toolList: Pick<ToolList, 'agentic'>, config: DescribeConfig, generatedAt: Date) {
  const addresses = addressesOf(config)
  const tools = toolList.agentic.map((tool) => descriptorOf(tool, config))
  return {
    schemaVersion,
    generatedAt: generatedAt.toISOString(),
    fallback: false,
    ...(config.sandbox ? { sandbox: true } : {}),
    baseUrl: config.baseUrl,
    server: {
      name: config.serverName,
      version: config.version,
      transport: 'streamable-http',
      // The interface has the manifest name the older of the two revisions; the OpenAPI description names the newer.
      mcpProtocolVersion: '2025-06-18',
      mcpEndpoint: addresses.mcp,
      manifestEndpoint: addresses.manifest,
      openapiEndpoint: addresses.openapi,
      healthEndpoint: addresses.health,
    },
    facilitator: {
      url: config.facilitatorUrl,
      network: config.network,
      asset: config.asset,
      payTo: config.payTo,
    },
    discovery: discoveryOf(config),
    mcpClient: mcpClientsOf(config),
    prepaid: prepaidOf(config),
    refundPolicy: refundPolicyOf(config),
    count: tools.length,
    tools,
  } as const
}

/** The document about one tool, as served at the tool's own address. */
export function toolManifestOf(tool: AgenticTool, config: DescribeConfig, generatedAt: Date) {
  return { schemaVersion, generatedAt: generatedAt.toISOString(), ...descriptorOf(tool, config) } as const
}

// A sandbox moves play money, so no directory may list it.
function discoveryOf(config: DescribeConfig) {
  const eligible = !config.sandbox
  return {
    agenticMarket: { eligible },
    bazaar: { eligible },
    x402Index: { eligible: eligible && config.index402Hash !== undefined, verifyPath: index402Path },
    mcpRegistry: { eligible, namespace: namespaceOf(config) },
    smithery: {
      eligible,
      qualifiedName: config.smitheryName,
      listingUrl: `https://smithery.ai/server/${config.smitheryName}`,
    },
  } as const
}
