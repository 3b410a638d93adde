import { type ChildProcess, spawn } from 'node:child_process'

import { program } from '../harness/sandbox-process.ts'

export type ServerProcess = {
  readonly url: string
  readonly pid: number
  /** How the process ended, once it has. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  readonly hasEnded: () => boolean
  /** What it wrote to stderr so far. */
  readonly log: () => string
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
}

export type ServerOptions = {
  readonly env: Readonly<Record<string, string>>
  /** The file that is run; the program under test unless given. */
  readonly main?: string
  /** More of the command line. */
  readonly args?: readonly string[]
  /** A program and its arguments to run the server under, such as a shell that sets a limit. */
  readonly under?: readonly string[]
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts the real server as a process of its own. Rejects with its log where it ends before it is ready. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const server = spawnServer(options)
  const url = await server.ready
  if (url === undefined) {
    const { code, signal } = await server.ended
    throw new Error(`The server ended before it was ready (${signal ?? code}):\n${server.log()}`)
  }
  return { ...server, url }
}

/** Starts the server; `ready` resolves to undefined where it ends before it is ready. */
export function spawnServer({ env, under = [], main = program, args: more = [] }: ServerOptions): Omit<
  ServerProcess,
  'url'
> & {
  readonly ready: Promise<string | undefined>
} {
  const [command, ...args] = [...under, process.execPath, main, 'serve', '--json', ...more]
  const child = spawn(command ?? process.execPath, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TOLLGATE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let log = ''
  let over = false
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('error', () => resolve({ code: -1, signal: null }))
    child.once('close', (code, signal) => {
      over = true
      running.delete(child)
      resolve({ code, signal })
    })
  })
  const ready = new Promise<string | undefined>((resolve) => {
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const url = /"baseUrl":"([^"]+)"/.exec(out)?.[1]
      if (url !== undefined) resolve(url)
    })
    void ended.then(() => resolve(undefined))
  })
  return {
    ready,
    pid: child.pid ?? -1,
    ended,
    hasEnded: () => over,
    log: () => log,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await ended
    },
  }
}

/** Calls `read` until it returns something. @throws when it never does. */
export async function until<T>(what: string, read: () => Promise<T | undefined>, timeoutMs = 60_000): Promise<T> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
