import type { ToolList } from '../tool/tools.ts'
import type { DescribeConfig } from './config.ts'
import { addressesOf, mcpProtocolVersions, namespaceOf, summary } from './documents.ts'

/** The card by which MCP clients learn how to connect, before they do. */
export function serverCardOf(config: DescribeConfig) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: config.mcpRegistryName,
    version: config.version,
    title: config.serverName,
    description: summary,
    websiteUrl: config.baseUrl,
    repository: { url: config.repository, source: 'github' },
    remotes: [
      {
        type: 'streamable-http',
        url: addressesOf(config).mcp,
        supportedProtocolVersions: mcpProtocolVersions,
      },
    ],
    ...(config.sandbox ? { _meta: { [`${namespaceOf(config)}/sandbox`]: true } } : {}),
  } as const
}

/** The list of cards this host has, at the one address that needs no guessing. */
export function aiCatalogOf(config: DescribeConfig) {
  const { serverCard } = addressesOf(config)
  const { hostname } = new URL(config.baseUrl)
  return {
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:${config.npmName}`,
        type: 'application/mcp-server-card+json',
        url: serverCard,
      },
      {
        identifier: `urn:air:${hostname}:a2a:${config.npmName}`,
        type: 'application/a2a-agent-card+json',
        url: `${config.baseUrl}/.well-known/agent-card.json`,
      },
    ],
  } as const
}

/**
 * The A2A agent card, version 1. No A2A method is served here: the one interface names MCP as its binding, as the
 * open list of bindings allows, so that a directory learns the skills and an A2A client does not try to connect.
 */
export function agentCardOf(toolList: Pick<ToolList, 'agentic'>, config: DescribeConfig) {
  const { mcp, openapi } = addressesOf(config)
  return {
    name: config.serverName,
    description: `${summary} Call the skills as MCP tools or over HTTP.`,
    version: config.version,
    supportedInterfaces: [
      { url: mcp, protocolBinding: 'https://modelcontextprotocol.io/specification/2025-11-25', protocolVersion: '1.0' },
    ],
    provider: { organization: config.ownerName, url: config.supportUrl },
    documentationUrl: openapi,
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: toolList.agentic.map((tool) => ({
      id: tool.slug,
      name: tool.name,
      description: tool.description,
      tags: tool.tags,
      examples: tool.examples.slice(0, 1).map(({ input }) => JSON.stringify(input)),
    })),
  } as const
}

/** What the Glama directory looks for, or undefined where no maintainer is configured. */
export function glamaConnectorOf({ maintainerEmail }: DescribeConfig) {
  if (maintainerEmail === undefined) return undefined
  return { $schema: 'https://glama.ai/mcp/schemas/connector.json', maintainers: [{ email: maintainerEmail }] } as const
}
