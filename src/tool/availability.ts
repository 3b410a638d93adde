import { isPassOnly } from './access.ts'
import type { Tool, ToolSettings } from './tool.ts'

/**
 * Why a tool that is offered cannot answer for the moment: which upstreams are down, since when, and when they are
 * asked again.
 */
export type Outage = {
  readonly upstreams: readonly string[]
  /** A word for each of them, such as `timeout`, `quota` or `key`. */
  readonly reasons: readonly string[]
  readonly since: string
  readonly retryAt: string
}

/** Why a tool is not offered here, as a sentence; undefined where it is. */
export function unavailableReasonOf(tool: Tool, settings: ToolSettings): string | undefined {
  const missing = tool.missing?.(settings)
  if (missing !== undefined) return missing
  // Money does not open it and nobody can show a pass that does not exist.
  return isPassOnly(tool.access) && settings.toolPass === undefined
    ? 'This server has no access pass configured, and this tool opens to nothing else.'
    : undefined
}
