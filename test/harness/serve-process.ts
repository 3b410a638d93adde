import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { paths } from '../../src/tool/urls.ts'
import { startServer } from '../money/server.ts'

/** `tollgate serve` as a process of its own, configured for a sandbox that lives in this one. */
export type ServeProcess = {
  readonly sandbox: Sandbox
  readonly baseUrl: string
  readonly mcpUrl: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

export async function startServeProcess(env: Readonly<Record<string, string>> = {}): Promise<ServeProcess> {
  const sandbox = await startSandbox()
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  const close = async (): Promise<void> => {
    await sandbox.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const server = await startServer({
      env: { ...sandbox.env, TOLLGATE_CHECK_SECONDS: '180', TOLLGATE_DATA_DIR: dataDir, ...env },
    })
    return {
      sandbox,
      baseUrl: server.url,
      mcpUrl: `${server.url}${paths.mcp}`,
      pid: server.pid,
      stop: async () => {
        // Without the seconds in which a balancer is told: what stops here has no other node.
        await server.kill()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
