import type { IncomingMessage, ServerResponse } from 'node:http'

import { remoteMcpTools } from '../../src/describe/mcp-tools.ts'
import { isInToolset, readToolsets, toolsets } from '../../src/describe/toolsets.ts'
import { InvalidInputError } from '../../src/errors.ts'
import type { Log } from '../../src/platform/log.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { sendError } from '../http/answers.ts'
import { headerOf, ipOf } from '../http/headers.ts'
import type { PaidServer } from '../../src/server/paid.ts'
import type { PayPages } from '../../src/server/pay-pages.ts'
import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts'
import { createElicit } from './elicit.ts'
import { instructionsOf } from './instructions.ts'
import { promptsOf } from './prompts.ts'
import { remoteResources } from './resources.ts'
import { createMcpServer, type McpCaller, type McpFace } from './server.ts'
import { createShortcut } from './shortcut.ts'

export type McpRouteParts = {
  readonly server: PaidServer
  readonly payPages: PayPages
  readonly trustProxy: number
  readonly newRequestId: () => string
  readonly startedAt: Date
  /** Told of requests with a large body. @throws CallError where there are too many. */
  readonly carry: (request: IncomingMessage, response: ServerResponse) => void
  readonly log: Log
}

/** The pay-per-call tools of a server over streamable HTTP. The list is the same for everybody. */
export function createMcpRoute(parts: McpRouteParts): McpEndpoint {
  return endpointOf(parts, parts.server.toolList.agentic)
}

/** Every tool of a server at one address, `?toolsets=` choosing among them: an address has one list, whoever asks. */
export function createSiteMcpRoute(parts: McpRouteParts): Pick<McpEndpoint, 'handle' | 'close'> {
  const { offered } = parts.server
  // There are few groups, so there are few lists, each made when it is first asked for.
  const endpoints = new Map<string, McpEndpoint>()
  return {
    handle: (request, response) => {
      const chosen = readToolsets(new URL(request.url ?? '/', parts.server.baseUrl).searchParams.get('toolsets'))
      if (chosen === undefined) {
        const error = new InvalidInputError('toolsets', `There is no such toolset. There are: ${toolsets.join(', ')}.`)
        sendError(response, error, { requestId: parts.newRequestId(), version: 2, withBody: true })
        return
      }
      const key = chosen.join()
      const endpoint =
        endpoints.get(key) ??
        endpointOf(
          parts,
          offered.filter((tool) => chosen.some((toolset) => isInToolset(tool, toolset))),
        )
      endpoints.set(key, endpoint)
      endpoint.handle(request, response)
    },
    close: () => {
      for (const endpoint of endpoints.values()) endpoint.close()
    },
  }
}

function endpointOf(parts: McpRouteParts, tools: readonly Tool[]): McpEndpoint {
  const { server } = parts
  const { toolList } = server
  const face: McpFace = {
    toolList,
    listed: remoteMcpTools(tools, server.describe),
    resources: remoteResources(toolList, server.describe, parts.startedAt),
    prompts: promptsOf(tools),
    call: server.call,
    previews: server.previews,
    instructions: instructionsOf(tools, true),
    newRequestId: parts.newRequestId,
    elicit: createElicit({ payPages: parts.payPages, baseUrl: server.baseUrl, settings: server.settings }),
  }
  const callerOf = (request: IncomingMessage): McpCaller => ({
    ip: ipOf(request, parts.trustProxy),
    headerOf: (name) => headerOf(request, name),
  })
  return createMcpEndpoint({
    baseUrl: server.baseUrl,
    createServer: (request, input) => createMcpServer(face, callerOf(request), input),
    readLarge: server.readLarge,
    carry: parts.carry,
    shortcut: createShortcut(face, callerOf),
    log: parts.log,
  })
}
