import type { DescribeConfig } from '../../src/describe/config.ts'
import { manifestOf, toolManifestOf } from '../../src/describe/manifest.ts'
import { inputSchemaOf, outputSchemaOf } from '../../src/describe/schemas.ts'
import type { ToolList } from '../../src/tool/tools.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { packageInfo } from '../../src/platform/package-info.ts'
import { toolUriOf } from './tool-uri.ts'

/** The long documents that would cost too many tokens in the list of tools; a host reads them when it wants to. */
export type McpResources = {
  readonly listed: readonly McpResource[]
  /** The document at an address, as JSON; undefined where there is none. */
  readonly read: (uri: string) => string | undefined
}

export type McpResource = {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly mimeType: 'application/json'
}

const manifestUri = 'agentic://manifest'

/** The documents of a server that sells calls: the same manifests as over HTTP. */
export function remoteResources(
  toolList: Pick<ToolList, 'agentic'>,
  config: DescribeConfig,
  generatedAt: Date,
): McpResources {
  return resourcesOf(
    toolList.agentic,
    () => manifestOf(toolList, config, generatedAt),
    (tool) => toolManifestOf(tool, config, generatedAt),
  )
}

/** The documents of a process that runs the tools for its own user, where nothing has a price or an address. */
export function localResources(
  toolList: Pick<ToolList, 'all'>,
  missing: readonly { readonly slug: string; readonly reason: string }[] = [],
): McpResources {
  return resourcesOf(
    toolList.all,
    () => ({
      server: { name: packageInfo.serverName, version: packageInfo.version, transport: 'stdio' },
      count: toolList.all.length,
      tools: toolList.all.map((tool) => ({
        slug: tool.slug,
        name: tool.name,
        description: tool.description,
        tags: tool.tags,
        documentation: toolUriOf(tool.slug),
      })),
      // Those that a setting would bring.
      missing,
    }),
    (tool) => ({
      slug: tool.slug,
      name: tool.name,
      version: tool.version,
      description: tool.description,
      tags: tool.tags,
      freshness: tool.freshness,
      latencySlaMs: tool.latencySlaMs,
      sources: tool.sources,
      ...(tool.limits === undefined ? {} : { limits: tool.limits }),
      inputSchema: inputSchemaOf(tool),
      outputSchema: outputSchemaOf(tool),
      examples: tool.examples,
    }),
  )
}

function resourcesOf<T extends Tool>(
  tools: readonly T[],
  manifest: () => unknown,
  documentOf: (tool: T) => unknown,
): McpResources {
  // Made at the first reading: a process that is asked for none must not pay for them at its start.
  const makers = new Map<string, () => unknown>([
    [manifestUri, manifest],
    ...tools.map((tool): [string, () => unknown] => [toolUriOf(tool.slug), () => documentOf(tool)]),
  ])
  const made = new Map<string, string>()
  return {
    listed: [
      {
        uri: manifestUri,
        name: 'manifest',
        title: 'Manifest',
        description: 'Every tool of this server in one document.',
        mimeType: 'application/json',
      },
      ...tools.map((tool) => ({
        uri: toolUriOf(tool.slug),
        name: tool.slug,
        title: `${tool.name}: schemas and examples`,
        mimeType: 'application/json' as const,
      })),
    ],
    read: (uri) => {
      const known = made.get(uri)
      const maker = makers.get(uri)
      if (known !== undefined || maker === undefined) return known
      const text = JSON.stringify(maker())
      made.set(uri, text)
      return text
    },
  }
}
