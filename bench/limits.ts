/**
 * What the limits cost: as a share of the CPU time of a 402 and of a paid call, what the monitor of the event loop
 * costs, and what a scan costs more in a thread than in place.
 *
 *     node bench/limits.ts
 *     node bench/limits.ts --json
 *
 * The limits are measured by themselves, because their share is smaller than what two runs of a server differ by; the
 * calls they are a share of are measured in the same run, from an address that is limited.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import { createLimits } from '../src/access/limits.ts'
import { createRunTool } from '../src/call/run-tool.ts'
import { systemClock } from '../src/platform/clock.ts'
import type { Limit, LimitTable } from '../src/platform/limits.ts'
import { silentLog } from '../src/platform/log.ts'
import { parseConfig } from '../src/platform/config.ts'
import { type Callers, createCallers } from '../src/server/callers.ts'
import { openUpstreams, settingsOf } from '../src/server/from-config.ts'
import type { ToolThreadData } from '../src/server/threads/offers.ts'
import { createToolThreads } from '../src/server/threads/tool-threads.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'
import scanner from '../tools/agentic/mcp-security-scanner/tool.ts'
import { load, postBytes } from './support/load.ts'
import { paidPath, paidRequests, startFacilitator, startTollgate } from './support/servers.ts'
import { median, note, report, type Row } from './support/table.ts'

const connections = 16
const paidCalls = 1_600
const address = '8.8.8.8'
const free: Limit = { perSecond: 1e6, burst: 1e9 }
const endless: LimitTable = {
  requests: free,
  challenges: free,
  rejections: free,
  failures: free,
  freeCalls: free,
  kilobytes: free,
}

const repeats = 200_000

/** CPU time of one of many, in microseconds: the middle of seven rounds. */
function cpuOf(one: () => void): number {
  const times = Array.from({ length: 8 }, () => {
    const before = process.cpuUsage()
    for (let index = 0; index < repeats; index += 1) one()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / repeats
  })
  return median(times.slice(1))
}

const rows: Row[] = []
const shareRow = (what: string, costUs: number, wholeUs: number): void => {
  const share = costUs / (wholeUs - costUs)
  rows.push({
    what,
    ours: `${costUs.toFixed(2)} µs`,
    theirs: `${wholeUs.toFixed(0)} µs with them`,
    ratio: share,
    goal: '≤ 0.03',
    reached: share <= 0.03,
  })
}

const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
const stops: (() => Promise<void>)[] = []
try {
  const facilitator = await startFacilitator(process.execPath)
  stops.push(facilitator.running.stop)
  const tollgate = await startTollgate(process.execPath, facilitator, folder, [], {
    TOLLGATE_TRUST_PROXY: '1',
    TOLLGATE_LIMITS: JSON.stringify(endless),
  })
  stops.push(tollgate.running.stop)
  const { port, running } = tollgate
  const headers = { 'x-forwarded-for': address }

  const cpuPer = async (todo: Parameters<typeof load>[0]): Promise<number> => {
    const before = running.cpuMs()
    const { answers } = await load(todo)
    return ((running.cpuMs() - before) * 1_000) / answers
  }
  const unpaid = postBytes(paidPath, '', headers)
  const challenges: number[] = []
  const paid: number[] = []
  for (let round = 0; round < 5; round += 1) {
    challenges.push(await cpuPer({ port, connections, next: () => unpaid, status: 402, forMs: 1_000 }))
    const next = await paidRequests(port, { connections, calls: paidCalls / 2, headers })
    paid.push(await cpuPer({ port, connections, next, status: 200 }))
  }

  const callersOf = (isShared: boolean): Callers =>
    createCallers({ limits: createLimits({ clock: systemClock, table: endless, isShared }) })
  const quoteOf =
    (callers: Callers): (() => void) =>
    () => {
      const leave = callers.enter(address, { showsCredential: false })
      callers.quoted(address)
      leave?.(5_000)
    }
  const callers = callersOf(false)
  const quote = quoteOf(callers)
  const answered = Promise.resolve({ body: new Uint8Array(), entry: 'payment', headers: {}, replayed: false } as const)
  const call = callers.limited(() => answered)
  const asked = { tool: scanner, input: {}, credentials: { payment: '' }, ip: address, resourceUrl: '', requestId: '' }
  const pay = (): void => {
    const leave = callers.enter(address, { showsCredential: true })
    void call(asked)
    leave?.(5_000)
  }
  shareRow('limits in a 402', cpuOf(quote), median(challenges.slice(1)))
  shareRow('limits in a 402, with other nodes', cpuOf(quoteOf(callersOf(true))), median(challenges.slice(1)))
  shareRow('limits in a paid call', cpuOf(pay), median(paid.slice(1)))

  const idle = async (): Promise<number> => {
    const before = process.cpuUsage()
    await pause(2_000)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 2e6
  }
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  const [without, watched]: [number[], number[]] = [[], []]
  for (let round = 0; round < 4; round += 1) {
    without.push(await idle())
    histogram.enable()
    watched.push(await idle())
    histogram.disable()
  }
  const monitor = median(watched) - median(without)
  rows.push({
    what: 'monitor of the event loop, of one core',
    ours: `${(median(watched) * 100).toFixed(2)} % of an idle process`,
    theirs: `${(median(without) * 100).toFixed(2)} % without it`,
    ratio: monitor,
    goal: '≤ 0.03',
    reached: monitor <= 0.03,
  })

  const store = await openSqliteStore(join(folder, 'counters.db'))
  const begun = performance.now()
  for (let index = 0; index < 500; index += 1) await store.counters.take(address, 'day', 1e9)
  const storeUs = ((performance.now() - begun) * 1_000) / 500
  await store.close()
  note(
    `a counter in the store (SQLite) takes ${storeUs.toFixed(0)} µs; all limits of a 402 ${cpuOf(quote).toFixed(2)} µs`,
  )

  rows.push(await scanRow())
  report(rows)
  process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1
} finally {
  for (const stop of stops.toReversed()) await stop()
  await rm(folder, { recursive: true, force: true })
}

/** The same scans here and in a thread, in turns. */
async function scanRow(): Promise<Row> {
  const config = parseConfig({ TOLLGATE_PAY_TO: '0x2096bc6c1ea2c0e79c9f5a9b38ba1d6d7a8e0d31' })
  const baseUrl = 'http://127.0.0.1'
  const upstreams = openUpstreams({ config, clock: systemClock, fetch }, { refuseHosts: [] })
  const settings = settingsOf(config, baseUrl)
  const here = createRunTool({
    clock: systemClock,
    upstreams: upstreams.bind,
    settings,
    catalog: () => [],
    toolOf: () => undefined,
  })
  const threads = createToolThreads({
    module: new URL('../transports/tool-thread.ts', import.meta.url),
    data: { config, baseUrl, gates: [] } satisfies ToolThreadData,
    clock: systemClock,
    log: silentLog,
  })
  const tools = Array.from({ length: 20 }, (_, index) => ({
    name: `tool_${index}`,
    description: `Reads the tides of harbour ${index} and tells them by the hour.`,
    inputSchema: { type: 'object', properties: { harbour: { type: 'string' } } },
  }))
  const input = scanner.input.parse({ manifestJson: { name: 'tides', tools } })
  const times: Record<'here' | 'thread', number[]> = { here: [], thread: [] }
  for (let round = 0; round < 60; round += 1) {
    for (const [where, run] of [
      ['here', here],
      ['thread', threads.runTool],
    ] as const) {
      const startedAt = performance.now()
      await run({ tool: scanner, input, entry: 'payment', signal: AbortSignal.timeout(60_000) })
      if (round >= 20) times[where].push(performance.now() - startedAt)
    }
  }
  await threads.close()
  await upstreams.close()
  // On a busy machine a thread waits for its turn; the quicker half tells what the way there and back takes.
  const quick = (all: readonly number[]): number => median(all.toSorted((a, b) => a - b).slice(0, all.length / 2))
  const [thread, inPlace] = [quick(times.thread), quick(times.here)]
  const more = thread - inPlace
  return {
    what: 'a scan in a thread',
    ours: `${thread.toFixed(1)} ms`,
    theirs: `${inPlace.toFixed(1)} ms in place`,
    ratio: thread / inPlace,
    goal: '≤ 3 ms more',
    reached: more <= 3,
  }
}
