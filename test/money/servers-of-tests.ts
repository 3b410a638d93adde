import { afterEach } from 'vitest'

import { startTestServer, type TestServer } from './test-server.ts'

/** Starts servers for single tests: those that a test of this file has started are stopped after it. */
export function serversOfTests(): typeof startTestServer {
  const open: TestServer[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.stop()))
  })
  return async (options) => {
    const server = await startTestServer(options)
    open.push(server)
    return server
  }
}
