import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll } from 'vitest'

import { type AccessServer, startAccessServer } from './access-server.ts'

/**
 * An access server that the tests of a file share, and a folder for what buyers keep; both are there once the tests
 * begin.
 */
export function accessServerOfTests(): { readonly server: () => AccessServer; readonly folder: () => string } {
  let server: AccessServer | undefined
  let folder: string | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-buyers-'))
    server = await startAccessServer()
  })
  afterAll(async () => {
    await server?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The server is there once the tests have begun.')
    return value
  }
  return { server: () => present(server), folder: () => present(folder) }
}
