import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'

export type Anvil = { readonly rpcUrl: string; readonly pid: number; readonly stop: () => Promise<void> }

export type AnvilOptions = {
  readonly chainId: number
  /** 0 takes a free port. */
  readonly port: number
  /** Path of the program; found among the installed packages unless given. */
  readonly binary?: string
  /** Seconds since 1970 of the first block. */
  readonly genesisTimestamp: number
}

const startTimeoutMs = 20_000
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The npm package that holds the program for this machine, and where it is in there. */
export const anvilPackage = {
  name: `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`,
  version: '1.7.1',
  program: process.platform === 'win32' ? 'bin/anvil.exe' : 'bin/anvil',
} as const

/**
 * Path of the installed anvil. The package's own launcher costs more than a second at each start, so this is the
 * program itself. @throws when it is not installed, with the way to install it.
 * @param from a file or its URL; packages are looked for from there on upwards.
 */
export function findAnvil(from: string = import.meta.url): string {
  try {
    return createRequire(from).resolve(`${anvilPackage.name}/${anvilPackage.program}`)
  } catch (cause) {
    throw new Error(
      `The sandbox needs the local chain "anvil", which is not installed (${anvilPackage.name}). ` +
        'Install it with "npm install @foundry-rs/anvil" and start again.',
      { cause },
    )
  }
}

/** Starts an empty chain on loopback that ends when this process does, however it ends. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const anvil = spawn(
    options.binary ?? findAnvil(),
    [
      '--host=127.0.0.1',
      `--port=${options.port}`,
      `--chain-id=${options.chainId}`,
      `--timestamp=${options.genesisTimestamp}`,
      '--block-base-fee-per-gas=6000000',
      '--accounts=0',
      // Blocks come every two seconds, as on Base, and at once when there is a transaction. Without the regular ones
      // an idle chain would judge every authorization by the time of its last block.
      '--block-time=2',
      '--mixed-mining',
    ],
    // Out of the terminal's process group: Ctrl-C is for this process, which then stops the chain in its own order.
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  const { pid } = anvil
  const ended = new Promise<void>((resolve) => anvil.once('close', () => resolve()))
  const watchdog = pid === undefined ? undefined : watch(pid)
  const kill = (): boolean => anvil.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async (): Promise<void> => {
    process.removeListener('exit', kill)
    watchdog?.kill('SIGKILL')
    kill()
    await ended
  }

  try {
    const listening = await listeningPort(anvil)
    if (pid === undefined) throw new Error('The local chain has no process id.')
    return { rpcUrl: `http://127.0.0.1:${listening}`, pid, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Ends the process when this one is gone: the pipe that it reads closes even when this one is killed outright. */
function watch(pid: number): ChildProcess | undefined {
  // Windows has no such shell; there the chain outlives a killed parent.
  if (process.platform === 'win32') return undefined
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watchdog.unref()
  watchdog.on('error', () => {
    // Without a shell there is no watchdog; stopping in the usual way still works.
  })
  return watchdog
}

function listeningPort(anvil: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let complaints = ''
    const timer = setTimeout(() => reject(new Error('The local chain did not start in time.')), startTimeoutMs)
    anvil.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const port = /Listening on [^\s:]+:(\d+)/.exec(output)?.[1]
      if (port === undefined) return
      clearTimeout(timer)
      // The rest is read and dropped: a full pipe would stop the chain.
      anvil.stdout?.removeAllListeners('data')
      anvil.stdout?.resume()
      resolve(port)
    })
    anvil.stderr?.on('data', (chunk: Buffer) => {
      if (complaints.length < 2_000) complaints += chunk.toString()
    })
    anvil.once('error', (cause) => reject(new Error('The local chain could not be started.', { cause })))
    anvil.once('close', () => {
      clearTimeout(timer)
      reject(new Error(`The local chain ended at its start. ${complaints.trim()}`))
    })
  })
}
