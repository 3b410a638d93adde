import { afterEach } from 'vitest'

import { sharedByTests } from '../harness/shared.ts'
import { type ServerOptions, type ServerProcess, startServer } from './server.ts'
import { startSurroundings, type Surroundings } from './surroundings.ts'

/**
 * Surroundings that the tests of a file share, and servers in them: those that a test has started are killed after it.
 */
export function surroundingsOfTests(): {
  readonly around: () => Surroundings
  readonly start: (options: ServerOptions) => Promise<ServerProcess>
} {
  const around = sharedByTests(async (atEnd) => {
    const open = await startSurroundings()
    atEnd(open.close)
    return open
  })
  const alive: ServerProcess[] = []
  afterEach(async () => {
    await Promise.all(alive.splice(0).map((server) => server.kill()))
  })
  return {
    around,
    start: async (options) => {
      const server = await startServer(options)
      alive.push(server)
      return server
    },
  }
}
