import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../..')

/** The Node that develops this project; the one that is on the machine may be older. */
export const node = join(root, 'node_modules/.bin/node')

/** A file of this project by its path in it. */
export const pathOf = (name: string): string => join(root, name)

/** What is started: the package as it was built for these tests, or the sources where nobody built it. */
export const program = process.env['PROGRAM_UNDER_TEST'] ?? pathOf('transports/main.ts')

export type Wallet = { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }

/** What `tollgate sandbox --json` says when it is ready. */
export type Ready = {
  readonly baseUrl: string
  readonly mcpUrl: string
  readonly chain: { readonly rpcUrl: string; readonly usdc: `0x${string}` }
  readonly payTo: string
  /** Where its ledger is. */
  readonly dataDir: string
  readonly wallets: { readonly payer: Wallet; readonly holder: Wallet; readonly stranger: Wallet }
}

export type SandboxProcess = Ready & {
  readonly pid: number
  readonly isAlive: () => boolean
  /** Everything written to stderr so far. */
  readonly stderr: () => string
  readonly stop: () => Promise<void>
}

/** A command of this project as a child process. */
export function runMain(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  main = program,
  cwd = process.cwd(),
): ChildProcess {
  return spawn(node, [main, ...args], {
    cwd,
    // Outside services are asked by themselves only where a test has put them on this machine.
    env: { ...process.env, TOLLGATE_CHECK_SECONDS: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Waits for the first line of output, which is JSON; the error has what was written to stderr. */
export async function firstJsonLine(child: ChildProcess, stderr: () => string): Promise<unknown> {
  const { stdout } = child
  if (stdout === null) throw new Error('The process was started without a pipe to its output.')
  const lines = createInterface({ input: stdout })
  try {
    const line = await Promise.race([
      once(lines, 'line').then(([first]) => String(first)),
      once(child, 'exit').then(() => undefined),
    ])
    if (line === undefined) throw new Error(`The process ended before it was ready:\n${stderr()}`)
    return JSON.parse(line)
  } finally {
    lines.close()
    stdout.resume()
  }
}

/** Starts the whole server on a chain of its own, as a user would. */
export async function startSandboxProcess(env: Readonly<Record<string, string>> = {}): Promise<SandboxProcess> {
  const child = runMain(['sandbox', '--json', '--port', '0'], { TOLLGATE_CHECK_SECONDS: '180', ...env })
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-100_000)
  })
  const ready = (await firstJsonLine(child, () => errors)) as Ready
  return {
    ...ready,
    pid: child.pid ?? 0,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stderr: () => errors,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(timer)
    },
  }
}
