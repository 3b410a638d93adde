import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A server on loopback that counts what reaches it; `close` ends its connections too. */
export type Loopback = {
  readonly url: string
  readonly port: number
  readonly hits: () => number
  /** Connections made, whether or not a request came over them. */
  readonly connections: () => number
  /** Connections that are open now. */
  readonly open: () => number
  /** Ends every connection, as a server does with those that were idle for too long. */
  readonly hangUp: () => void
  readonly close: () => Promise<void>
}

/** Serves on a free port of this machine. */
export async function serveLoopback(listener: RequestListener, host = '127.0.0.1'): Promise<Loopback> {
  let hits = 0
  let connections = 0
  const open = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    hits += 1
    listener(request, response)
  })
  server.on('connection', (socket) => {
    connections += 1
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    hits: () => hits,
    connections: () => connections,
    open: () => open.size,
    hangUp: () => open.forEach((socket) => socket.destroy()),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
