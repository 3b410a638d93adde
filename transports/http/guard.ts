import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { CallError } from '../../src/errors.ts'
import { isLoopbackHost } from '../../src/platform/loopback.ts'
import type { Callers } from '../../src/server/callers.ts'

export type GuardParts = {
  readonly callers: Callers
  readonly addressOf: (request: IncomingMessage) => string
  /**
   * Whether the server listens on this machine for this machine: then a request that names another host comes from a
   * page elsewhere that had its own name pointed here (DNS rebinding).
   */
  readonly isLocal: boolean
  /** Whether connections are a proxy's, and so not those of one caller. */
  readonly isBehindProxy: boolean
}

export type Guard = {
  /** Lets a request in, or throws why not. @throws CallError */
  readonly enter: (request: IncomingMessage, response: ServerResponse) => void
  /** A body turned out to be large: that is remembered until the answer is sent. @throws CallError */
  readonly carry: (request: IncomingMessage, response: ServerResponse) => void
  /** Refuses connections beyond what one address, or all together, may have open. */
  readonly watch: (server: Server) => void
}

/** Stands before every route, and asks what the caller may. */
export function createGuard({ callers, addressOf, isBehindProxy, isLocal }: GuardParts): Guard {
  const counted = new WeakMap<Socket, number>()
  /** Almost every request names the same host as the one before. */
  let lastOfThisMachine: string | undefined
  const namesThisMachine = ({ headers: { host } }: IncomingMessage): boolean => {
    // HTTP/1.0 knows no host, and no browser speaks it.
    if (host === undefined || host === lastOfThisMachine) return true
    if (!isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? '')) return false
    lastOfThisMachine = host
    return true
  }
  /** What went over a connection since it was last asked. A request has begun to arrive before anybody hears of it. */
  const newBytesOf = (socket: Socket): number => {
    const bytes = socket.bytesRead + socket.bytesWritten
    const before = counted.get(socket) ?? 0
    counted.set(socket, bytes)
    return bytes - before
  }
  return {
    enter: (request, response) => {
      if (hostsOf(request) > 1) throw twoHosts()
      if (isLocal && !namesThisMachine(request)) throw anotherHost()
      const leave = callers.enter(addressOf(request), { showsCredential: showsCredential(request) })
      if (leave === undefined) return
      const { socket } = request
      response.once('close', () => {
        leave(newBytesOf(socket))
      })
    },
    carry: (request, response) => {
      if (response.closed) return
      const leave = callers.carry(addressOf(request))
      if (leave !== undefined) response.once('close', leave)
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

function showsCredential({ headers }: IncomingMessage): boolean {
  return (
    headers['payment-signature'] !== undefined ||
    headers['x-payment'] !== undefined ||
    headers.authorization !== undefined ||
    headers['sign-in-with-x'] !== undefined
  )
}

/** Node keeps the first of several, and whatever stands in between may have heeded another (RFC 9112). */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

function twoHosts(): CallError {
  return new CallError('invalid_input', 'The request names more than one host.', {
    nextStep: 'Send one Host header.',
  })
}

function anotherHost(): CallError {
  return new CallError('forbidden', 'The Host header names another server than this one.', {
    nextStep: 'Ask it by the address that it listens on, or set TOLLGATE_PUBLIC_URL to the address that callers use.',
  })
}
