import type { CatalogEntry } from '../../../src/tool/tool.ts'
import { subjectsOf } from '../../../src/understanding/understanding.ts'
import { type PlanTool, templateOf } from './plan-tool.ts'
import { publicTools, publicToolsVersion } from './public-tools.ts'

export type Catalog = { readonly version: string; readonly tools: readonly PlanTool[] }

/** Where this server's own tools are called. */
export type Place = {
  /** Address of the MCP server that has them all, where plans are to speak MCP. */
  readonly mcpUrl?: string | undefined
  /** Whether they run in the user's own process, where nothing is paid. */
  readonly isLocal: boolean
}

/** Joins this server's registry with the reviewed public tools. Pass-only tools are left out: no payment opens them. */
export async function createCatalog(registry: readonly CatalogEntry[], place: Place): Promise<Catalog> {
  const own = registry.filter(({ mode }) => mode !== 'pass').toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
  const subjects = await subjectsOf(own)
  return {
    version: `${publicToolsVersion}+${String(own.length)}`,
    tools: [
      ...own.flatMap((tool, index) => {
        const subject = subjects[index]
        return subject === undefined ? [] : [ownTool(tool, subject, place)]
      }),
      ...publicTools,
    ],
  }
}

function ownTool(tool: CatalogEntry, subject: PlanTool['subject'], { mcpUrl, isLocal }: Place): PlanTool {
  // A tiered tool answers everybody; what its payment opens beside that is not what a plan is for.
  const isFree = isLocal || tool.mode === 'free' || tool.mode === 'tiered'
  const priceMicroUsd = isFree ? 0n : microUsd(tool.priceUsd)
  const http = { url: tool.endpoint, protocol: priceMicroUsd === 0n ? 'rest' : 'x402' } as const
  return {
    slug: tool.slug,
    category: subject.knowledge.category,
    subject,
    template: templateOf(subject),
    ...(isLocal ? localCall(tool.slug) : mcpUrl === undefined ? http : mcpCall(tool.slug, mcpUrl)),
    method: 'POST',
    priceMicroUsd,
    latencyMs: Math.min(60_000, Math.max(50, tool.latencySlaMs)),
    isOwn: true,
    standsInFor: [],
    ...(tool.knowledge === undefined ? { caveat: 'Its inputs are in its manifest.' } : {}),
  }
}

/** In the user's own process a tool has no address but its name on the MCP server that runs there. */
function localCall(slug: string) {
  return { url: `mcp://tool/${slug}`, protocol: 'mcp', mcpTool: slug } as const
}

function mcpCall(slug: string, url: string) {
  return { url, protocol: 'mcp', mcpTool: slug } as const
}

/** Micro-dollars of a decimal string with at most six decimals. */
export function microUsd(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}
