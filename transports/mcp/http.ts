import type { IncomingMessage, ServerResponse } from 'node:http'

import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'

import { remoteMcpTools } from '../../src/describe/mcp-tools.ts'
import type { Log } from '../../src/platform/log.ts'
import { cors, ipOf, preflight } from '../http/headers.ts'
import type { PaidHouse } from '../house.ts'
import { instructionsOf } from './instructions.ts'
import { createMcpServer } from './server.ts'

export type McpRouteParts = {
  readonly house: PaidHouse
  readonly trustProxy: number
  readonly newRequestId: () => string
  readonly log: Log
}

const maxBodyBytes = 1_048_576 + 65_536

/** MCP over streamable HTTP, stateless: every request gets a server of its own, so that no answer can meet another caller. */
export function createMcpRoute(parts: McpRouteParts): (request: IncomingMessage, response: ServerResponse) => void {
  const { house, log } = parts
  const { registry } = house
  const listed = remoteMcpTools(registry.agentic, house.describe)
  const instructions = instructionsOf(registry, true)
  const onerror = (error: Error): void => log.warn('mcp.error', { message: error.message })

  return (request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, preflight)
      response.end()
      return
    }
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value)
    response.setHeader('cache-control', 'no-store')
    const handler = createMcpHandler(
      () =>
        createMcpServer({
          registry,
          listed,
          call: house.call,
          instructions,
          newRequestId: parts.newRequestId,
          ip: ipOf(request, parts.trustProxy),
        }),
      { onerror, maxRequestBodySize: maxBodyBytes },
    )
    toNodeHandler(handler)(
      Object.assign(request, { method: request.method ?? 'GET', url: request.url ?? '/' }),
      response,
    ).catch((error: unknown) => {
      log.error('mcp.failed', { error })
      response.destroy()
    })
  }
}
