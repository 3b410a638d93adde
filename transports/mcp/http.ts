import type { IncomingMessage } from 'node:http'

import { remoteMcpTools } from '../../src/describe/mcp-tools.ts'
import type { Log } from '../../src/platform/log.ts'
import { headerOf, ipOf } from '../http/headers.ts'
import type { PaidHouse } from '../house.ts'
import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts'
import { instructionsOf } from './instructions.ts'
import { promptsOf } from './prompts.ts'
import { remoteResources } from './resources.ts'
import { createMcpServer, type McpCaller, type McpFace } from './server.ts'
import { createShortcut } from './shortcut.ts'

export type McpRouteParts = {
  readonly house: PaidHouse
  readonly trustProxy: number
  readonly newRequestId: () => string
  readonly startedAt: Date
  readonly log: Log
}

/** The tools of a house that sells calls, over streamable HTTP. The list is the same for everybody. */
export function createMcpRoute(parts: McpRouteParts): McpEndpoint {
  const { house } = parts
  const { registry } = house
  const face: McpFace = {
    registry,
    listed: remoteMcpTools(registry.agentic, house.describe),
    resources: remoteResources(registry, house.describe, parts.startedAt),
    prompts: promptsOf(registry.agentic),
    call: house.call,
    instructions: instructionsOf(registry, true),
    newRequestId: parts.newRequestId,
  }
  const callerOf = (request: IncomingMessage): McpCaller => ({
    ip: ipOf(request, parts.trustProxy),
    headerOf: (name) => headerOf(request, name),
  })
  return createMcpEndpoint({
    baseUrl: house.baseUrl,
    createServer: (request) => createMcpServer(face, callerOf(request)),
    shortcut: createShortcut(face, callerOf),
    log: parts.log,
  })
}
