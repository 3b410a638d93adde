/**
 * What a request costs this server and that of another checkout, in turns in one run: unpaid, paid, and over MCP.
 *
 *     git worktree add /tmp/before <commit>   and give it a node_modules of its own
 *     node bench/against.ts /tmp/before
 *     node bench/against.ts /tmp/before --only paid --rounds 15 --profile folder
 *
 * Rounds are short and of a fixed number of requests, and what counts is the CPU time of each server's process: the
 * median of the ratios of single rounds holds on a machine that has other work too. Ends with 1 where a ratio is above
 * the target.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { root } from './support/build.ts'
import { load, type NextRequest, postBytes } from './support/load.ts'
import {
  type Listening,
  paidInput,
  paidPath,
  paidRequests,
  startFacilitator,
  startTollgate,
} from './support/servers.ts'
import { median, note, report, type Row } from './support/table.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: process.execPath },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '9' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const other = resolve(positionals[0] ?? '')
if (other === resolve(root) || positionals[0] === undefined) throw new Error('Name the folder of another checkout.')

const target = 1.05
const connections = 16
/** The compiler is done with the path of a paid call after some five thousand of them. */
const warmUps = 6
const rounds = Number(options.rounds)
const unpaidCalls = 12_000
/** About a second's worth: short, so that the audits of settlements, half a minute later, fall on both sides alike. */
const paidCalls = 800

const mcpCall = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: paidPath.split('/').at(-1), arguments: JSON.parse(paidInput) },
})
const mcpHeaders = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }

type Kind = {
  readonly what: string
  readonly status: number
  readonly requests: (side: Listening) => Promise<NextRequest>
}

const unpaid = (path: string, body: string, headers: Readonly<Record<string, string>> = {}): Kind['requests'] => {
  const bytes = postBytes(path, body, headers)
  return () => {
    let left = unpaidCalls
    return Promise.resolve(() => (left-- > 0 ? bytes : undefined))
  }
}

const kinds: readonly Kind[] = [
  { what: '402, no body', status: 402, requests: unpaid(paidPath, '') },
  { what: '402, body {}', status: 402, requests: unpaid(paidPath, '{}') },
  { what: '402, body with input', status: 402, requests: unpaid(paidPath, paidInput) },
  { what: 'MCP call without payment', status: 200, requests: unpaid('/api/agentic/mcp', mcpCall, mcpHeaders) },
  { what: 'paid call', status: 200, requests: ({ port }) => paidRequests(port, connections, paidCalls) },
]

const folder = await mkdtemp(join(tmpdir(), 'tollgate-against-'))
const stops: (() => Promise<void>)[] = []
try {
  const facilitator = await startFacilitator(options.node)
  stops.push(facilitator.running.stop)
  const here = await startSide('here', root, facilitator)
  const there = await startSide('there', other, facilitator)
  const rows: Row[] = []
  for (const kind of kinds.filter(({ what }) => what.includes(options.only)))
    rows.push(await compare(kind, here, there))
  report(rows)
  if (rows.some(({ reached }) => !reached)) process.exitCode = 1
} finally {
  for (const stop of stops.toReversed()) await stop()
  await rm(folder, { recursive: true, force: true })
}

async function startSide(name: string, checkout: string, facilitator: Listening): Promise<Listening> {
  const data = join(folder, name)
  await mkdir(data)
  const profile = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(options.profile, name)}`]
  const side = await startTollgate(options.node, facilitator, data, profile, {}, checkout)
  stops.push(side.running.stop)
  return side
}

async function compare({ what, status, requests }: Kind, here: Listening, there: Listening): Promise<Row> {
  const cost = async (side: Listening): Promise<number> => {
    const next = await requests(side)
    const before = side.running.cpuMs()
    const { answers } = await load({ next, port: side.port, status, connections })
    return ((side.running.cpuMs() - before) * 1_000) / answers
  }
  const costs: { readonly here: number; readonly there: number }[] = []
  for (let round = -warmUps; round < rounds; round += 1) {
    const isFirst = round % 2 === 0
    const first = await cost(isFirst ? here : there)
    const second = await cost(isFirst ? there : here)
    if (round >= 0) costs.push(isFirst ? { here: first, there: second } : { here: second, there: first })
  }
  const ratios = costs.map((one) => one.here / one.there)
  note(`${what}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`)
  const ratio = median(ratios)
  return {
    what,
    ours: `${median(costs.map((one) => one.here)).toFixed(0)} µs`,
    theirs: `${median(costs.map((one) => one.there)).toFixed(0)} µs`,
    ratio,
    goal: `≤ ${target}`,
    reached: ratio <= target,
  }
}
