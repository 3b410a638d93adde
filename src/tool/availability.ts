import { isPassOnly } from './access.ts'
import type { Tool, ToolSettings } from './tool.ts'

/** Why a tool is not offered here, as a sentence; undefined where it is. */
export function unavailableReasonOf(tool: Tool, settings: ToolSettings): string | undefined {
  const missing = tool.missing?.(settings)
  if (missing !== undefined) return missing
  // Money does not open it and nobody can show a pass that does not exist.
  return isPassOnly(tool.access) && settings.toolPass === undefined
    ? 'This server has no access pass configured, and this tool opens to nothing else.'
    : undefined
}
