import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Log } from '../../src/platform/log.ts'
import type { PaidHouse } from '../house.ts'

export type McpRouteParts = {
  readonly house: PaidHouse
  readonly trustProxy: number
  readonly newRequestId: () => string
  readonly log: Log
}

export function createMcpRoute(_parts: McpRouteParts): (request: IncomingMessage, response: ServerResponse) => void {
  return (_request, response) => {
    response.writeHead(503)
    response.end()
  }
}
