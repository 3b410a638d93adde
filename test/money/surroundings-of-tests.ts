import { afterAll, afterEach, beforeAll } from 'vitest'

import { type ServerOptions, type ServerProcess, startServer } from './server.ts'
import { startSurroundings, type Surroundings } from './surroundings.ts'

/**
 * Surroundings that the tests of a file share, and servers in them: those that a test has started are killed after it.
 */
export function surroundingsOfTests(): {
  readonly around: () => Surroundings
  readonly start: (options: ServerOptions) => Promise<ServerProcess>
} {
  let open: Surroundings | undefined
  const alive: ServerProcess[] = []
  beforeAll(async () => {
    open = await startSurroundings()
  })
  afterEach(async () => {
    await Promise.all(alive.splice(0).map((server) => server.kill()))
  })
  afterAll(() => open?.close())
  return {
    around: () => {
      if (open === undefined) throw new Error('The surroundings are there once the tests have begun.')
      return open
    },
    start: async (options) => {
      const server = await startServer(options)
      alive.push(server)
      return server
    },
  }
}
