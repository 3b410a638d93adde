import type { IncomingMessage, Server, ServerResponse } from 'node:http'

import { createDenyList, isOwnNetwork, type Limits } from '../../src/access/limits.ts'
import { CallError } from '../../src/errors.ts'

export type GuardParts = {
  readonly limits: Limits
  readonly addressOf: (request: IncomingMessage) => string
  /** Whether connections are a proxy's, and so not those of one caller. */
  readonly isBehindProxy: boolean
  /** Addresses and networks (CIDR) that the operator does not serve. */
  readonly denied: readonly string[]
}

/** Requests under way, and open connections, of one address and in all. */
const most = { requests: 64, allRequests: 2_000, connections: 256, allConnections: 10_000 } as const

export type Guard = {
  /** Lets a request in, or throws why not. @throws CallError */
  readonly enter: (request: IncomingMessage, response: ServerResponse) => void
  /** Refuses connections beyond what one address, or all together, may have open. */
  readonly watch: (server: Server) => void
}

/** Stands before every route: what one address asks for must not be at the expense of the others. */
export function createGuard({ limits, addressOf, isBehindProxy, denied }: GuardParts): Guard {
  const isDenied = createDenyList(denied)
  const requests = createCount()
  const connections = createCount()

  return {
    enter: (request, response) => {
      const address = addressOf(request)
      if (isDenied(address)) {
        throw new CallError('forbidden', 'This server does not serve your address.', {
          nextStep: 'Ask its operator.',
        })
      }
      if (isOwnNetwork(address)) return
      limits.require(address, 'requests', 'kilobytes')
      if (!showsCredential(request)) limits.require(address, 'challenges')
      limits.spend(address, 'requests')
      if (requests.of(address) >= most.requests || requests.all() >= most.allRequests) throw tooManyAtOnce()
      requests.add(address)
      const { socket } = request
      const sentBefore = socket.bytesWritten
      response.once('close', () => {
        requests.remove(address)
        limits.spend(address, 'kilobytes', (socket.bytesWritten - sentBefore) / 1_000)
      })
    },
    watch: (server) => {
      server.maxConnections = most.allConnections
      server.on('connection', (socket) => {
        const address = socket.remoteAddress ?? ''
        if (isBehindProxy || isOwnNetwork(address)) return
        if (connections.of(address) >= most.connections) {
          socket.destroy()
          return
        }
        connections.add(address)
        socket.once('close', () => connections.remove(address))
      })
    },
  }
}

const credentialHeaders = ['payment-signature', 'x-payment', 'authorization', 'sign-in-with-x'] as const

function showsCredential({ headers }: IncomingMessage): boolean {
  return credentialHeaders.some((name) => headers[name] !== undefined)
}

function tooManyAtOnce(): CallError {
  return new CallError('too_many_calls', 'Too many requests are under way.', {
    nextStep: 'Wait for the answers of those that were sent.',
    retryAfterSeconds: 1,
  })
}

/** Counts things that come and go, by a key; a key with nothing is forgotten. */
function createCount() {
  const counts = new Map<string, number>()
  let all = 0
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    all: (): number => all,
    add: (key: string): void => {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      all += 1
    },
    remove: (key: string): void => {
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
      all -= 1
    },
  }
}
