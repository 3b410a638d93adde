import { InvalidInputError, type RegistryListing } from '../../../src/tool/tool.ts'

/** A registered tool, with what its metadata URI says by its form. */
export type ListedTool = {
  readonly toolId: number
  readonly creator: string
  readonly metadataUri: string
  /** Null where the URI is not one that the standard allows. */
  readonly slug: string | null
  readonly manifestHash: string
  readonly accessPredicate: string
}

export type Registered = {
  readonly slots: number
  readonly entries: readonly ListedTool[]
  readonly blockNumber: number
  readonly readAt: string
}

export type Filters = { readonly owner: string | null; readonly origin: string | null }

const mostAgents = 50
const mostOrigins = 10
const manifestPath = /^\/\.well-known\/ai-tool\/([a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)\.json$/

export function registeredOf({ slots, entries, blockNumber, readAt }: RegistryListing): Registered {
  return {
    slots,
    blockNumber,
    readAt: readAt.toISOString(),
    entries: entries.map(({ toolId, ...entry }) => ({
      ...entry,
      toolId: Number(toolId),
      slug: slugOf(entry.metadataUri),
    })),
  }
}

/** The longest name that DNS knows. A URL may hold a longer one, which then is no host but a text. */
const longestHost = 253

/** The origin of an address with http or https; null for anything else. */
export function originOf(text: string): string | null {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.hostname.length <= longestHost
  return isOrigin ? url.origin : null
}

/** @throws InvalidInputError naming the field. */
export function readOrigin(path: string, text: string): string {
  const origin = originOf(text.trim())
  if (origin === null) {
    throw new InvalidInputError(path, 'Give an origin or any URL on it, such as https://tools.example.org.')
  }
  return origin
}

/** The tools that pass both filters, in their order. */
export function matching(entries: readonly ListedTool[], { owner, origin }: Filters): readonly ListedTool[] {
  return entries.filter(
    (entry) =>
      (owner === null || entry.creator === owner) && (origin === null || originOf(entry.metadataUri) === origin),
  )
}

/** The wallets behind the tools, those with most tools first. */
export function agentsOf(entries: readonly ListedTool[]) {
  const agents = new Map<string, { toolCount: number; readonly origins: Set<string> }>()
  for (const { creator, metadataUri } of entries) {
    const agent = agents.get(creator) ?? { toolCount: 0, origins: new Set<string>() }
    agents.set(creator, agent)
    agent.toolCount += 1
    const origin = originOf(metadataUri)
    if (origin !== null) agent.origins.add(origin)
  }
  return [...agents]
    .map(([address, { toolCount, origins }]) => ({
      address,
      toolCount,
      origins: [...origins].toSorted().slice(0, mostOrigins),
    }))
    .toSorted((a, b) => b.toolCount - a.toolCount || (a.address < b.address ? -1 : 1))
    .slice(0, mostAgents)
}

/** The name in `<origin>/.well-known/ai-tool/<slug>.json`, the only form that the standard allows. */
function slugOf(metadataUri: string): string | null {
  const url = URL.parse(metadataUri)
  const slug = url === null ? undefined : manifestPath.exec(url.pathname)?.[1]
  // The whole address must be what the parts say: no query, no user, no default port, no upper case.
  return slug !== undefined && metadataUri === `${url?.origin}/.well-known/ai-tool/${slug}.json` ? slug : null
}
