import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { firstJsonLine, runMain } from './sandbox-process.ts'

/** The real server as a process of its own, configured for a sandbox that lives in this one. */
export type ServeProcess = {
  readonly sandbox: Sandbox
  readonly baseUrl: string
  readonly mcpUrl: string
  readonly stop: () => Promise<void>
}

export async function startServeProcess(env: Readonly<Record<string, string>> = {}): Promise<ServeProcess> {
  const sandbox = await startSandbox()
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  const child = runMain(['serve', '--json'], {
    ...sandbox.env,
    TOLLGATE_PORT: '0',
    TOLLGATE_CHECK_SECONDS: '180',
    TOLLGATE_DATA_DIR: dataDir,
    ...env,
  })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString()}`.slice(-20_000)
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await sandbox.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const { baseUrl, mcpUrl } = (await firstJsonLine(child, () => stderr)) as {
      readonly baseUrl: string
      readonly mcpUrl: string
    }
    return { sandbox, baseUrl, mcpUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
