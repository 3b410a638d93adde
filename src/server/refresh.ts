import { toCallError } from '../errors.ts'
import type { Tool, ToolSettings } from '../tool/tool.ts'
import type { UpstreamClients } from '../upstream/upstreams.ts'

/** How the refresh of one tool ended; `found` says what is in the new snapshot, or why there is none. */
export type Refreshed = {
  readonly slug: string
  readonly outcome: 'made' | 'failed' | 'not configured'
  readonly found: string
}

export type RefreshParts = {
  readonly tools: readonly Tool[]
  readonly settings: ToolSettings
  readonly upstreams: UpstreamClients
  readonly now: () => Date
  readonly signal: AbortSignal
}

/** One job reads a few dozen pages of services that answer slowly on purpose. */
const jobMs = 300_000

/** Runs every refresh job there is, one after the other; one that fails leaves its old snapshot and stops no other. */
export async function refreshAll(parts: RefreshParts): Promise<readonly Refreshed[]> {
  const done: Refreshed[] = []
  for (const tool of parts.tools) {
    if (tool.refresh !== undefined) done.push(await refreshOne(tool.slug, tool.refresh, tool.missing, parts))
  }
  return done
}

async function refreshOne(
  slug: string,
  refresh: NonNullable<Tool['refresh']>,
  missing: Tool['missing'],
  { settings, upstreams, now, signal }: RefreshParts,
): Promise<Refreshed> {
  const lacking = missing?.(settings)
  if (lacking !== undefined) return { slug, outcome: 'not configured', found: lacking }
  const ending = AbortSignal.any([signal, AbortSignal.timeout(jobMs)])
  try {
    return {
      slug,
      outcome: 'made',
      found: await refresh({ ...upstreams.bind(ending), now, signal: ending, settings }),
    }
  } catch (error) {
    return { slug, outcome: 'failed', found: reasonOf(error) }
  }
}

/** A job has no caller to be careful with: the person at the terminal sees what is behind it. */
function reasonOf(error: unknown): string {
  const { code, message } = toCallError(error)
  if (code === 'internal') return error instanceof Error ? error.message : message
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message.slice(0, 300)})` : ''
  return message + cause
}
