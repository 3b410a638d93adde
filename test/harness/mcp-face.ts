import { remoteMcpTools } from '../../src/describe/mcp-tools.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { parseConfig } from '../../src/platform/config.ts'
import { noFailpoints } from '../../src/platform/failpoint.ts'
import { silentLog } from '../../src/platform/log.ts'
import { randomPrefix } from '../../src/platform/request-id.ts'
import { createLocalServer, type LocalServer } from '../../src/server/local.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { instructionsOf } from '../../transports/mcp/instructions.ts'
import { promptsOf } from '../../transports/mcp/prompts.ts'
import { remoteResources } from '../../transports/mcp/resources.ts'
import type { McpFace } from '../../transports/mcp/server.ts'
import { describeConfig } from './describe-config.ts'

/** Tools on a server without money, as MCP shows them over HTTP. */
export function mcpFaceOf(tools: readonly Tool[]): { readonly parts: LocalServer; readonly face: McpFace } {
  const parts = createLocalServer({
    config: parseConfig({}),
    tools,
    clock: systemClock,
    log: silentLog,
    failpoint: noFailpoints,
    fetch,
  })
  const { toolList, call } = parts
  const face: McpFace = {
    toolList,
    listed: remoteMcpTools(toolList.all, describeConfig),
    resources: remoteResources(toolList, describeConfig, new Date('2026-11-21T12:00:00Z')),
    prompts: promptsOf(toolList.all),
    call,
    instructions: instructionsOf(toolList.agentic, true),
    newRequestId: randomPrefix(),
  }
  return { parts, face }
}
