import type { AiToolDocument } from './manifest.ts'
import type { RegistryEntry } from './client.ts'
import { ownEntriesOf } from './registered.ts'

/** One way in which the registry is not as the definitions are. */
export type Difference = {
  readonly kind: 'missing' | 'changed-uri' | 'changed-hash' | 'wrong-predicate' | 'wrong-collections' | 'unknown-extra'
  readonly slug: string
  readonly toolId: number | null
  readonly onChain: string | null
  readonly wanted: string | null
}

/** One transaction that brings the registry nearer to the definitions. */
export type RegistryAction =
  | { readonly kind: 'register'; readonly tool: AiToolDocument }
  | { readonly kind: 'update'; readonly toolId: bigint; readonly tool: AiToolDocument }
  | { readonly kind: 'set-predicate'; readonly toolId: bigint; readonly tool: AiToolDocument }
  | { readonly kind: 'set-collections'; readonly toolId: bigint; readonly tool: AiToolDocument }
  | { readonly kind: 'deregister'; readonly toolId: bigint; readonly slug: string }

export type RegistryPlan = { readonly differences: readonly Difference[]; readonly actions: readonly RegistryAction[] }

export type RegistryState = {
  readonly entries: readonly RegistryEntry[]
  /** Collections that the pass predicate knows, by tool id, in lower case; left out where they were not read. */
  readonly collections?: ReadonlyMap<bigint, readonly string[]>
}

export type Wanted = {
  readonly tools: readonly AiToolDocument[]
  readonly baseUrl: string
  readonly creator: string
}

/**
 * Compares the registry with what it should say. An entry of our wallet at another origin is this server's only where
 * no entry names this origin: then the tool has moved, or another server of the same wallet has a tool of the same
 * name.
 */
export function planOf({ entries, collections }: RegistryState, { tools, baseUrl, creator }: Wanted): RegistryPlan {
  const own = ownEntriesOf(entries, { baseUrl, creator })
  const differences: Difference[] = []
  const actions: RegistryAction[] = []

  for (const tool of tools) {
    const entry = own.get(tool.slug) ?? movedEntryOf(entries, tool, creator)
    if (entry === undefined) {
      differences.push({ kind: 'missing', slug: tool.slug, toolId: null, onChain: null, wanted: tool.hash })
      actions.push({ kind: 'register', tool })
      continue
    }
    const { toolId } = entry
    const differs = (kind: Difference['kind'], onChain: string, wanted: string): boolean => {
      if (onChain === wanted) return false
      differences.push({ kind, slug: tool.slug, toolId: Number(toolId), onChain, wanted })
      return true
    }
    const moved = differs('changed-uri', entry.metadataUri, tool.url)
    const changed = differs('changed-hash', entry.manifestHash, tool.hash)
    if (moved || changed) actions.push({ kind: 'update', toolId, tool })
    if (differs('wrong-predicate', entry.accessPredicate, tool.predicate)) {
      actions.push({ kind: 'set-predicate', toolId, tool })
    }
    const known = collections?.get(toolId) ?? (collections === undefined ? tool.collections : [])
    if (tool.collections.length > 0 && differs('wrong-collections', listOf(known), listOf(tool.collections))) {
      actions.push({ kind: 'set-collections', toolId, tool })
    }
  }

  const wanted = new Set(tools.map(({ slug }) => slug))
  for (const entry of entries) {
    if (entry.creator !== creator.toLowerCase() || !entry.metadataUri.startsWith(`${baseUrl}/`)) continue
    const [slug] = [...own].find(([, one]) => one.toolId === entry.toolId) ?? []
    if (slug !== undefined && wanted.has(slug)) continue
    const name = slug ?? entry.metadataUri
    const toolId = Number(entry.toolId)
    differences.push({ kind: 'unknown-extra', slug: name, toolId, onChain: entry.metadataUri, wanted: null })
    actions.push({ kind: 'deregister', toolId: entry.toolId, slug: name })
  }
  return { differences, actions }
}

function movedEntryOf(
  entries: readonly RegistryEntry[],
  { slug }: AiToolDocument,
  creator: string,
): RegistryEntry | undefined {
  return entries.find(
    (entry) =>
      entry.creator === creator.toLowerCase() && entry.metadataUri.endsWith(`/.well-known/ai-tool/${slug}.json`),
  )
}

function listOf(addresses: readonly string[]): string {
  return addresses.toSorted().join(',')
}
