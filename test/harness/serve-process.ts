import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { paths } from '../../src/tool/urls.ts'
import { startServer } from '../money/server.ts'
import { openFolder, type Opened, opening } from './opening.ts'

/** `tollgate serve` as a process of its own, configured for a sandbox that lives in this one. */
export type ServeProcess = Opened<{
  readonly sandbox: Sandbox
  readonly baseUrl: string
  readonly mcpUrl: string
  readonly pid: number
}>

export async function startServeProcess(env: Readonly<Record<string, string>> = {}): Promise<ServeProcess> {
  return opening(async (atEnd) => {
    const sandbox = await startSandbox()
    atEnd(sandbox.stop)
    const dataDir = await openFolder(atEnd, 'tollgate-test-')
    const { url, pid, kill } = await startServer({
      env: { ...sandbox.env, TOLLGATE_CHECK_SECONDS: '180', TOLLGATE_DATA_DIR: dataDir, ...env },
    })
    // Without the seconds in which a balancer is told: what stops here has no other node.
    atEnd(() => kill())
    return { sandbox, baseUrl: url, mcpUrl: `${url}${paths.mcp}`, pid }
  })
}
