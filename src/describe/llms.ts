import type { ToolList } from '../tool/tools.ts'
import type { Tool } from '../tool/tool.ts'
import { endpointOf } from '../tool/urls.ts'
import type { DescribeConfig } from './config.ts'
import { addressesOf, catalogPaths, summary, toolTextPath } from './documents.ts'
import { prepaidLimits, prepaidOf } from './prepaid.ts'
import { priceTextOf } from './price-text.ts'

/** The page for language models: what is here, what it costs, where to read more. */
export function llmsTextOf(toolList: Pick<ToolList, 'agentic' | 'site'>, config: DescribeConfig): string {
  const { mcp, manifest, openapi, health } = addressesOf(config)
  const prepaid = prepaidOf(config)
  return [
    `# ${config.serverName}`,
    '',
    `> ${summary} No account, no key.`,
    '',
    ...(config.sandbox ? ['This is a sandbox: its money is worthless and its data is made up.', ''] : []),
    `Call a tool with POST ${endpointOf({ family: 'agentic', slug: '<slug>' }, config.baseUrl)} and a JSON body, or over MCP at ${mcp}.`,
    'A priced call without payment is answered with 402 and the terms. Sign the amount as an EIP-3009',
    `transferWithAuthorization of USDC on ${config.network} and send the request again with the PAYMENT-SIGNATURE header.`,
    'Wrong input is refused before payment. A call that fails costs nothing.',
    'Clients of x402 version 1 (x402-fetch, x402-axios below 2.0) send X-402-Version: 1 with the unpaid request, to get terms that they can read.',
    `From an MCP client without a wallet: npx -y tollgate connect ${mcp} (pays from your own wallet, within a budget).`,
    'With ?dryRun=1 in the address a tool checks the input, quotes the price and says whether it can answer now, for',
    'nothing; ?example=1 gives the published example. After a lost answer send the same payment with the same',
    'Idempotency-Key again: it is charged once.',
    '',
    '## Many calls, one payment',
    '',
    `Pay $${prepaidLimits.minUsd} to $${prepaidLimits.maxUsd} ahead: POST ${prepaid.balance} {"usd":"${prepaidLimits.usualUsd}"} is answered with 402 like a tool,`,
    'and once paid with the balance and a session token. Then send each call with Authorization: Bearer <token>, or over MCP',
    'with _meta["tollgate/session"], and an Idempotency-Key: the price is set aside before the run and taken only for an answer.',
    `A new token costs a signature (EIP-4361 with URI ${prepaid.balance}) at POST ${prepaid.session.url}; GET ${prepaid.balance} shows what is left.`,
    'A charge that delivered nothing becomes a credit, which the next call spends: its signed payment is then not settled.',
    '',
    '## Tools',
    '',
    'Each line leads to the tool’s page as text: inputs, outputs, an example, and how to call it from code.',
    '',
    ...toolList.agentic.map((tool) => lineOf(tool, config)),
    '',
    ...(toolList.site.length === 0 ? [] : siteLines(toolList.site, config)),
    '## Documents',
    '',
    `- [Manifest](${manifest}): every tool with schemas, prices, examples and code`,
    `- [Catalog](${config.baseUrl}${catalogPaths.api}): the site tools with schemas, prices, ways in and ids in the registry`,
    `- [OpenAPI](${openapi}): the same as an OpenAPI 3.1 description`,
    `- [Health](${health}): whether the server is well`,
    `- [Support](${config.supportUrl})`,
    '',
  ].join('\n')
}

function siteLines(tools: ToolList['site'], config: DescribeConfig): readonly string[] {
  return [
    '## Site tools',
    '',
    `Call these with POST ${endpointOf({ family: 'site', slug: '<slug>' }, config.baseUrl)} and a JSON body, or with GET and the input in the query.`,
    'Where a Tool Pass is taken, its holder signs in with Ethereum (Authorization: SIWE <base64url(message)>.<0xsignature>,',
    'or the same message as base64 JSON in SIGN-IN-WITH-X, with an expiration at most an hour ahead)',
    'or sends a signed payment of 0 in PAYMENT-SIGNATURE, and pays nothing.',
    '',
    ...tools.map((tool) => lineOf(tool, config)),
    '',
  ]
}

function lineOf(tool: Tool, { baseUrl }: DescribeConfig): string {
  return `- [${tool.name}](${baseUrl}${toolTextPath(tool)}): ${tool.description} ${priceTextOf(tool.access)}`
}
