import { CallError, toCallError } from '../src/errors.ts'
import type { Tool, ToolSettings } from '../src/tool/tool.ts'
import type { UpstreamsHouse } from '../src/upstream/upstreams.ts'
import { createLocalHouse, type HouseParts, settingsOf } from './local-house.ts'

export type RefreshCommand = {
  readonly args: readonly string[]
  readonly parts: HouseParts
  readonly out: (text: string) => void
  readonly untilStopped: () => Promise<void>
}

/** How the refresh of one tool ended; `found` says what is in the new snapshot, or why there is none. */
export type Refreshed = {
  readonly slug: string
  readonly outcome: 'made' | 'failed' | 'not configured'
  readonly found: string
}

export type RefreshParts = {
  readonly tools: readonly Tool[]
  readonly settings: ToolSettings
  readonly upstreams: UpstreamsHouse
  readonly now: () => Date
  readonly signal: AbortSignal
}

/** One job reads a few dozen pages of services that answer slowly on purpose. */
const jobMs = 300_000
/** A service that was busy may answer soon; a day without a snapshot is long. */
const retryMs = 600_000
const shortestMs = 60_000
const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Makes the snapshots that tools answer from, once or on a schedule. Exit code 1 where one could not be made, or none. */
export async function runRefresh({ args, parts, out, untilStopped }: RefreshCommand): Promise<number> {
  const everyMs = everyOf(args)
  const { registry, upstreams } = createLocalHouse(parts)
  const settings = settingsOf(parts.config, parts.config.publicUrl ?? 'http://127.0.0.1')
  const stopping = new AbortController()
  if (everyMs !== undefined) void untilStopped().then(() => stopping.abort())
  const now = (): Date => new Date(parts.clock.now())
  try {
    for (;;) {
      const done = await refreshAll({ tools: registry.all, settings, upstreams, now, signal: stopping.signal })
      if (stopping.signal.aborted) return 0
      for (const one of done) out(args.includes('--json') ? JSON.stringify({ at: now(), ...one }) : lineOf(one))
      const isWhole =
        done.some(({ outcome }) => outcome === 'made') && !done.some(({ outcome }) => outcome === 'failed')
      if (everyMs === undefined) return isWhole ? 0 : 1
      await parts.clock.sleep(isWhole ? everyMs : Math.min(everyMs, retryMs), stopping.signal)
      if (stopping.signal.aborted) return 0
    }
  } finally {
    await upstreams.close()
  }
}

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

function lineOf({ slug, outcome, found }: Refreshed): string {
  return `${outcome.padEnd(14)}  ${slug}: ${found}`
}

function everyOf(args: readonly string[]): number | undefined {
  const at = args.indexOf('--every')
  if (at === -1) return undefined
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(args[at + 1] ?? '') ?? []
  const everyMs = unit === 'm' || unit === 'h' || unit === 'd' ? Number(count) * unitMs[unit] : 0
  if (everyMs < shortestMs) {
    throw new CallError('invalid_input', '--every takes a time such as 24h, 90m or 1d.', { nextStep: '' })
  }
  return everyMs
}
