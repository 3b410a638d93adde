/**
 * What a run of a tool costs that asks a chain three questions, without money: in this thread, in this thread by a
 * `fetch` as questions once were sent, and in a thread of its own, in turns in one run.
 *
 *     node bench/questions.ts [--json]
 */
import { createRunTool, type RunTool } from '../src/call/run-tool.ts'
import { systemClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { openUpstreams, settingsOf } from '../src/server/from-config.ts'
import { silentLog } from '../src/platform/log.ts'
import { createToolThreads } from '../src/server/threads/tool-threads.ts'
import { createPooledFetch, type PooledFetch } from '../src/upstream/http/dispatcher.ts'
import { loadTools } from '../tools/load.ts'
import { askingInput, askingPath, startFacilitator } from './support/servers.ts'
import { note, report } from './support/table.ts'

const rounds = 60
const warmUps = 20
const runsOfRound = 200
const atOnce = 4

const chain = await startFacilitator(process.execPath)
const url = `http://127.0.0.1:${chain.port}`
const config = parseConfig({ TOLLGATE_BASE_RPC_URLS: url, TOLLGATE_FACILITATOR_URL: url })
const tools = await loadTools()
const [tool] = tools.filter(({ slug }) => askingPath.endsWith(`/${slug}`))
if (tool === undefined) throw new Error(`There is no tool at ${askingPath}.`)
const asked = { tool, input: JSON.parse(askingInput), entry: 'payment' } as const

function runOver(pooled: Partial<PooledFetch> & Pick<PooledFetch, 'fetch'>): RunTool {
  const upstreams = openUpstreams({ config, clock: systemClock, ...pooled }, { refuseHosts: [] })
  return createRunTool({
    clock: systemClock,
    upstreams: upstreams.bind,
    settings: settingsOf(config, url),
    catalog: () => [],
    toolOf: () => undefined,
  })
}

/** Microseconds of the processor for one run. */
async function costOf(run: RunTool): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < runsOfRound; index += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, () => {
        const { signal } = new AbortController()
        return run({ ...asked, requestId: `bench-${index}`, signal })
      }),
    )
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / runsOfRound
}

const pooled = createPooledFetch()
const threads = createToolThreads({
  module: new URL('../transports/tool-thread.ts', import.meta.url),
  data: { config, baseUrl: url, gates: [] },
  clock: systemClock,
  log: silentLog,
})
const ways = {
  'in this thread': runOver(pooled),
  'by a fetch': runOver({ fetch: pooled.fetch }),
  'in a thread of its own': threads.runTool,
}
const costs = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]))
for (let round = -warmUps; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(ways)) {
    const cost = await costOf(run)
    if (round >= 0) costs.get(name)?.push(cost)
  }
}
/** Whatever else the machine does only adds. */
const cheap = (of: readonly number[] = []): number => of.toSorted((a, b) => a - b)[Math.floor(rounds / 4)] ?? Number.NaN
const here = cheap(costs.get('in this thread'))
for (const [name, of] of costs) note(`${name}: ${Math.min(...of).toFixed(0)} µs in its cheapest round`)
report(
  [...costs].slice(1).map(([name, of]) => ({
    what: `three questions in this thread, beside ${name}`,
    ours: `${here.toFixed(0)} µs`,
    theirs: `${cheap(of).toFixed(0)} µs`,
    ratio: here / cheap(of),
    goal: '',
    reached: true,
  })),
)
await threads.close()
await pooled.close()
await chain.running.stop()
process.exit()
