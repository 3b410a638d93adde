import { type ServerProcess, spawnServer } from '../../test/money/server.ts'
import type { Dice } from './dice.ts'

/** One server of the storm: always at the same address, and dead every now and then. */
export type Node = {
  readonly name: string
  readonly url: string
  readonly kills: () => number
  /** Kills at random moments until told to calm down; then the server is up and stays. */
  readonly calm: () => Promise<void>
  readonly stop: () => Promise<void>
}

export type NodeParts = {
  readonly name: string
  readonly port: number
  /** The bundle that is run. */
  readonly main: string
  readonly env: Readonly<Record<string, string>>
  readonly dice: Dice
  /** Told of every line that a server wrote. */
  readonly onLine: (node: string, line: string) => void
  /** Told of what happened to the server. */
  readonly onEvent: (node: string, event: 'start' | 'kill') => void
  /** A server ended that nobody had killed. */
  readonly onFall: (node: string, log: string) => void
}

type Running = Omit<ServerProcess, 'url'> & { readonly ready: Promise<string | undefined> }

export function startNode(parts: NodeParts): Node {
  const { name, dice } = parts
  const url = `http://127.0.0.1:${parts.port}`
  let kills = 0
  const calming = new AbortController()
  let current: Running | undefined

  const start = (): Running => {
    parts.onEvent(name, 'start')
    const server = spawnServer({ main: parts.main, env: { ...parts.env, TOLLGATE_PORT: String(parts.port) } })
    current = server
    return server
  }

  const end = async (server: Running, how: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (server.hasEnded()) parts.onFall(name, server.log().slice(-4_000))
    await server.kill(how)
    for (const line of server.log().split('\n')) if (line !== '') parts.onLine(name, line)
  }

  const storm = async (): Promise<void> => {
    while (!calming.signal.aborted) {
      const server = start()
      // Most servers get to work; some die while they start or take up what the last one left.
      if (dice.chance(0.8)) await server.ready
      await sleep(dice.between(200, 3_000))
      if (calming.signal.aborted) return
      parts.onEvent(name, 'kill')
      kills += 1
      await end(server, 'SIGKILL')
      await sleep(dice.between(0, 200))
    }
  }
  const over = storm()

  return {
    name,
    url,
    kills: () => kills,
    calm: async () => {
      calming.abort()
      await over
      if (current === undefined || current.hasEnded()) start()
      await current?.ready
    },
    stop: async () => {
      calming.abort()
      await over
      if (current !== undefined) await end(current, 'SIGTERM')
    },
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
