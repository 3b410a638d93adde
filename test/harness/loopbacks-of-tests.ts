import { afterEach } from 'vitest'

import { type Loopback, serveLoopback } from './loopback.ts'

/** Serves during one test: what a test of this file has served is closed after it. */
export function loopbacksOfTests(): typeof serveLoopback {
  const open: Loopback[] = []
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close()
  })
  return async (listener, host) => {
    const server = await serveLoopback(listener, host)
    open.push(server)
    return server
  }
}
