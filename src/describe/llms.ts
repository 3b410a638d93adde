import type { AgenticTool, Registry } from '../tool/registry.ts'
import { manifestUrlOf } from '../tool/urls.ts'
import type { DescribeConfig } from './config.ts'
import { addressesOf, summary } from './documents.ts'
import { priceTextOf } from './price-text.ts'

/** The page for language models: what is here, what it costs, where to read more. */
export function llmsTextOf(registry: Pick<Registry, 'agentic'>, config: DescribeConfig): string {
  const { root, mcp, manifest, openapi, health } = addressesOf(config)
  return [
    `# ${config.serverName}`,
    '',
    `> ${summary} No account, no key.`,
    '',
    ...(config.sandbox ? ['This is a sandbox: its money is worthless and its data is made up.', ''] : []),
    `Call a tool with POST ${root}/tools/<slug> and a JSON body, or over MCP at ${mcp}.`,
    'A priced call without payment is answered with 402 and the terms. Sign the amount as an EIP-3009',
    `transferWithAuthorization of USDC on ${config.network} and send the request again with the PAYMENT-SIGNATURE header.`,
    'Wrong input is refused before payment. A call that fails costs nothing.',
    '',
    '## Tools',
    '',
    ...registry.agentic.map((tool) => lineOf(tool, config)),
    '',
    '## Documents',
    '',
    `- [Manifest](${manifest}): every tool with schemas, prices, examples and code`,
    `- [OpenAPI](${openapi}): the same as an OpenAPI 3.1 description`,
    `- [Health](${health}): whether the server is well`,
    `- [Support](${config.supportUrl})`,
    '',
  ].join('\n')
}

function lineOf(tool: AgenticTool, { baseUrl }: DescribeConfig): string {
  return `- [${tool.name}](${manifestUrlOf(tool, baseUrl)}): ${tool.description} ${priceTextOf(tool.access)}`
}
