import { openFolder } from '../harness/opening.ts'
import { sharedByTests } from '../harness/shared.ts'
import { type AccessServer, startAccessServer } from './access-server.ts'

/**
 * An access server that the tests of a file share, and a folder for what buyers keep; both are there once the tests
 * begin.
 */
export function accessServerOfTests(): { readonly server: () => AccessServer; readonly folder: () => string } {
  const shared = sharedByTests(async (atEnd) => {
    const folder = await openFolder(atEnd, 'tollgate-buyers-')
    const server = await startAccessServer()
    atEnd(server.stop)
    return { server, folder }
  })
  return { server: () => shared().server, folder: () => shared().folder }
}
