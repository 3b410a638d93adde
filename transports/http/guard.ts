import type { IncomingMessage, Server, ServerResponse } from 'node:http'

import type { Callers } from '../../src/server/callers.ts'

export type GuardParts = {
  readonly callers: Callers
  readonly addressOf: (request: IncomingMessage) => string
  /** Whether connections are a proxy's, and so not those of one caller. */
  readonly isBehindProxy: boolean
}

export type Guard = {
  /** Lets a request in, or throws why not. @throws CallError */
  readonly enter: (request: IncomingMessage, response: ServerResponse) => void
  /** Refuses connections beyond what one address, or all together, may have open. */
  readonly watch: (server: Server) => void
}

/** Stands before every route, and asks what the caller may. */
export function createGuard({ callers, addressOf, isBehindProxy }: GuardParts): Guard {
  return {
    enter: (request, response) => {
      const leave = callers.enter(addressOf(request), { showsCredential: showsCredential(request) })
      const { socket } = request
      const sentBefore = socket.bytesWritten
      response.once('close', () => leave(socket.bytesWritten - sentBefore))
    },
    watch: (server) => {
      server.maxConnections = callers.mostConnections
      server.on('connection', (socket) => {
        if (isBehindProxy) return
        const leave = callers.connect(socket.remoteAddress ?? '')
        if (leave === undefined) socket.destroy()
        else socket.once('close', leave)
      })
    },
  }
}

const credentialHeaders = ['payment-signature', 'x-payment', 'authorization', 'sign-in-with-x'] as const

function showsCredential({ headers }: IncomingMessage): boolean {
  return credentialHeaders.some((name) => headers[name] !== undefined)
}
