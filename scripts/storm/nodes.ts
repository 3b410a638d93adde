import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { type ServerProcess, spawnServer } from '../../test/money/server.ts'
import type { Dice } from './dice.ts'
import type { Disk, DiskMode } from './disk.ts'

/** Which of two releases a server is. */
export type Release = 'older' | 'newer'

/** What happens to servers; each of it is counted. */
export type NodeEvent =
  | 'start'
  | 'start of the older release'
  | 'upgrade'
  | 'downgrade'
  | 'kill'
  | 'freeze'
  | 'freeze of a minute'
  | 'thaw'
  | 'kill while frozen'
  | 'clock an hour ahead'
  | 'clock an hour behind'
  | 'clock seconds off'
  | 'clock right again'
  | 'disk full'
  | 'disk read-only'
  | 'disk well again'
  | 'no start on such a disk'
  | 'power lost'

/** One server of the storm: always at the same address, and dead every now and then. */
export type Node = {
  readonly name: string
  readonly url: string
  readonly kills: () => number
  /** Whether its clock was wrong at any time since a moment. */
  readonly wasClockWrong: (since: number) => boolean
  /** Kills at random moments until told to calm down; then the server is up and stays. */
  readonly calm: () => Promise<void>
  /** From now on its clock is this far ahead; for the end of a storm, when nothing else happens to it. */
  readonly setAhead: (ms: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export type NodeParts = {
  readonly name: string
  readonly port: number
  /** The bundle of each release. */
  readonly bundles: { readonly newer: string; readonly older: string | undefined }
  readonly env: Readonly<Record<string, string>>
  /** File that says how far off the server's clock is. */
  readonly clockFile: string
  /** Several servers on one machine take longer to get to work. */
  readonly longestLifeMs: number
  /** How often a server that is frozen stays so for longer than the leases of its payments last. */
  readonly longFreezes: number
  /** From these moments on, the next server of the newer release is frozen for a minute, and wakes up again. */
  readonly minuteFreezes: readonly number[]
  readonly dice: Dice
  /**
   * The disk under its ledger, where that can be made to fail; and what keeps the operator's commands away meanwhile.
   */
  readonly disk: Disk | undefined
  readonly alone: (work: () => Promise<void>) => Promise<void>
  /** Told of every line that a server wrote. */
  readonly onLine: (node: string, line: string) => void
  /** Told of what happened to the server. */
  readonly onEvent: (node: string, event: NodeEvent) => void
  /** A server ended that nobody had killed. */
  readonly onFall: (node: string, log: string) => void
}

type Running = Omit<ServerProcess, 'url'> & { readonly ready: Promise<string | undefined>; readonly release: Release }

const preload = fileURLToPath(new URL('preload.mjs', import.meta.url))
const hourMs = 3_600_000
const minuteMs = 60_000

export function startNode(parts: NodeParts): Node {
  const { name, dice, bundles } = parts
  const url = `http://127.0.0.1:${parts.port}`
  const tell = (event: NodeEvent): void => parts.onEvent(name, event)
  let kills = 0
  const calming = new AbortController()
  let current: Running | undefined
  let isFrozen = false
  let offset = 0
  let wrongUntil = Number.NEGATIVE_INFINITY
  let disk: DiskMode = 'well'
  /** Whether the disk was not well at any time since the last start. */
  let wasDiskBad = false
  const minuteFreezes = [...parts.minuteFreezes].sort((a, b) => a - b)
  const isMinuteDue = (): boolean => (minuteFreezes[0] ?? Infinity) <= Date.now()
  /** How long the last start took: where the machine is slow, lives are longer, or nobody would ever be served. */
  let startMs = 0

  const setClock = (ms: number): void => {
    if (offset !== 0) wrongUntil = Date.now() + 100
    offset = ms
    writeFileSync(parts.clockFile, String(ms))
  }

  const setDisk = (mode: DiskMode): void => {
    if (mode !== disk) tell(mode === 'well' ? 'disk well again' : mode === 'full' ? 'disk full' : 'disk read-only')
    disk = mode
    wasDiskBad ||= mode !== 'well'
    parts.disk?.set(mode)
  }

  const start = (release: Release): Running => {
    wasDiskBad = disk !== 'well'
    tell('start')
    if (release === 'older') tell('start of the older release')
    if (current !== undefined && current.release !== release) tell(release === 'newer' ? 'upgrade' : 'downgrade')
    const env = {
      ...parts.env,
      ...parts.disk?.env,
      TOLLGATE_PORT: String(parts.port),
      TOLLGATE_STORM_CLOCK: parts.clockFile,
      NODE_OPTIONS: `--import=${preload}`,
    }
    const main = (release === 'older' ? bundles.older : undefined) ?? bundles.newer
    const server = { ...spawnServer({ main, env }), release }
    current = server
    return server
  }

  const end = async (server: Running, how: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (server.hasEnded()) await judgeEnd(server)
    await server.kill(how)
    isFrozen = false
    for (const line of server.log().split('\n')) if (line !== '') parts.onLine(name, line)
  }

  /** Nobody has to start on a disk that cannot be written. */
  const judgeEnd = async (server: Running): Promise<void> => {
    if (wasDiskBad && (await server.ready) === undefined) tell('no start on such a disk')
    else parts.onFall(name, server.log().slice(-4_000))
  }

  /** Kills it, now and then as a loss of power does: what was not flushed is gone. */
  const kill = async (server: Running): Promise<void> => {
    tell(isFrozen ? 'kill while frozen' : 'kill')
    kills += 1
    const { disk: itsDisk } = parts
    const isOlder = server.release === 'older'
    if (itsDisk === undefined || !(isOlder || dice.chance(0.4))) return end(server, 'SIGKILL')
    await parts.alone(async () => {
      await end(server, 'SIGKILL')
      // What the older release told before it flushed it is no promise of the newer one.
      if (isOlder) return itsDisk.flush()
      itsDisk.losePower(dice)
      tell('power lost')
    })
  }

  /** Stops the process in the middle of whatever it does; it knows nothing of it. */
  const freeze = async (server: Running): Promise<void> => {
    tell('freeze')
    process.kill(server.pid, 'SIGSTOP')
    isFrozen = true
    await sleep(dice.chance(parts.longFreezes) ? dice.between(31_000, 40_000) : dice.between(200, 4_000))
    if (dice.chance(0.3)) return
    process.kill(server.pid, 'SIGCONT')
    isFrozen = false
    tell('thaw')
    await sleep(dice.between(200, 2_000))
  }

  /** Every lease of its payments ends meanwhile and every call is given up; then it goes on where it was. */
  const freezeForAMinute = async (server: Running): Promise<void> => {
    minuteFreezes.shift()
    tell('freeze of a minute')
    process.kill(server.pid, 'SIGSTOP')
    isFrozen = true
    await sleep(minuteMs)
    process.kill(server.pid, 'SIGCONT')
    isFrozen = false
    tell('thaw')
    await sleep(dice.between(2_000, 5_000))
  }

  const jump = async (): Promise<void> => {
    const how = dice.weighted({ ahead: 2, behind: 2, seconds: 1 })
    tell(how === 'seconds' ? 'clock seconds off' : how === 'ahead' ? 'clock an hour ahead' : 'clock an hour behind')
    setClock(how === 'seconds' ? dice.between(-20_000, 20_000) : how === 'ahead' ? hourMs : -hourMs)
    await sleep(dice.between(300, 3_000))
    if (dice.chance(0.3)) return
    setClock(0)
    tell('clock right again')
    await sleep(dice.between(500, 4_000))
  }

  const spoil = async (mode: DiskMode): Promise<void> => {
    setDisk(mode)
    await sleep(dice.between(300, 4_000))
    if (dice.chance(0.3)) return
    setDisk('well')
    await sleep(dice.between(200, 3_000))
  }

  const live = async (server: Running): Promise<void> => {
    await sleep(dice.between(200, Math.max(parts.longestLifeMs, 4 * startMs)))
    if (server.hasEnded() || calming.signal.aborted) return
    if (server.release === 'newer' && isMinuteDue()) return freezeForAMinute(server)
    // The older release is only there to be followed by the newer one: it is held to no more than it promised.
    const spoilt = parts.disk === undefined ? 0 : 12
    const jumps = server.release === 'older' ? 0 : 22
    const fate = dice.weighted({ plain: 60, frozen: 18, jump: jumps, full: spoilt, 'read-only': spoilt })
    if (fate === 'frozen') await freeze(server)
    if (fate === 'jump') await jump()
    if (fate === 'full' || fate === 'read-only') await spoil(fate)
  }

  const storm = async (): Promise<void> => {
    while (!calming.signal.aborted) {
      // A clock that is off stays so over a restart, now and then.
      if (offset !== 0 && dice.chance(0.7)) setClock(0)
      if (disk !== 'well' && dice.chance(0.7)) setDisk('well')
      const isOlder = bundles.older !== undefined && offset === 0 && !isMinuteDue() && dice.chance(0.35)
      const server = start(isOlder ? 'older' : 'newer')
      // Most servers get to work; some die while they start or take up what the last one left.
      const startedAt = Date.now()
      if (isMinuteDue() || dice.chance(0.8)) {
        await server.ready
        startMs = Date.now() - startedAt
      }
      await live(server)
      if (calming.signal.aborted && !isFrozen) return
      await kill(server)
      await sleep(dice.between(0, 200))
    }
  }
  const over = storm()

  return {
    name,
    url,
    kills: () => kills,
    wasClockWrong: (since) => offset !== 0 || wrongUntil >= since,
    calm: async () => {
      calming.abort()
      await over
      setClock(0)
      setDisk('well')
      if (current !== undefined && !current.hasEnded() && current.release === 'older') await end(current, 'SIGTERM')
      if (current === undefined || current.hasEnded()) start('newer')
      await current?.ready
    },
    setAhead: async (ms) => {
      setClock(ms)
      await sleep(100)
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
