/**
 * What a request costs this server and that of another checkout, in turns in one run: unpaid, paid, and over MCP.
 *
 *     git worktree add /tmp/before <commit>   and give it a node_modules of its own
 *     node bench/against.ts /tmp/before
 *     node bench/against.ts /tmp/before --only paid --starts 1 --profile folder
 *     node bench/against.ts same                               this checkout twice: what the figures are good for
 *     node bench/against.ts /tmp/before --this /tmp/after      two other checkouts, such as those around one change
 *
 * What counts is the CPU time of each server's process. A turn is a fixed number of requests that take a twentieth
 * of a second of it (a fifth where they are paid), so that whatever else the machine does falls on both sides of a
 * round alike. Two processes of one and the same server differ by up to a third for as long as they live, by what
 * the compiler made of them, where it came to lie and who was beside them. All of that only adds, so each side is
 * started several times, and a figure is that of its cheapest start: of one server twice, these are within 3
 * hundredths of each other. Ends with 1 where a ratio is above the target.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { root } from './support/build.ts'
import { load, type NextRequest, postBytes } from './support/load.ts'
import {
  askingInput,
  askingPath,
  type Listening,
  paidInput,
  paidPath,
  paidRequests,
  startFacilitator,
  startTollgate,
} from './support/servers.ts'
import { note, report, type Row } from './support/table.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: process.execPath },
    this: { type: 'string', default: root },
    only: { type: 'string', default: '' },
    starts: { type: 'string', default: '9' },
    rounds: { type: 'string', default: '9' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
if (positionals[0] === undefined) throw new Error('Name the folder of another checkout, or "same".')
const here = resolve(options.this)
const other = positionals[0] === 'same' ? here : resolve(positionals[0])

const target = 1.05
const connections = 16
const starts = Number(options.starts)
const rounds = Number(options.rounds)
/** What a turn consists of, and how many come before the first round: the compiler takes its time. */
type Turn = { readonly calls: number; readonly warmUps: number }
const unpaidTurn: Turn = { calls: 1_600, warmUps: 12 }
const paidTurn: Turn = { calls: 160, warmUps: 20 }

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
  readonly turn: Turn
  readonly requests: (side: Listening) => Promise<NextRequest>
}

const unpaid = (path: string, body: string, headers: Readonly<Record<string, string>> = {}): Kind['requests'] => {
  const bytes = postBytes(path, body, headers)
  return () => {
    let left = unpaidTurn.calls
    return Promise.resolve(() => (left-- > 0 ? bytes : undefined))
  }
}

const paid = (path: string, input: string): Pick<Kind, 'status' | 'turn' | 'requests'> => ({
  status: 200,
  turn: paidTurn,
  requests: ({ port }) => paidRequests(port, { connections, calls: paidTurn.calls, path, input }),
})
const unpaid402 = (body: string): Pick<Kind, 'status' | 'turn' | 'requests'> => ({
  status: 402,
  turn: unpaidTurn,
  requests: unpaid(paidPath, body),
})

const kinds: readonly Kind[] = [
  { what: '402, no body', ...unpaid402('') },
  { what: '402, body {}', ...unpaid402('{}') },
  { what: '402, body with input', ...unpaid402(paidInput) },
  {
    what: 'MCP call without payment',
    status: 200,
    turn: unpaidTurn,
    requests: unpaid('/api/agentic/mcp', mcpCall, mcpHeaders),
  },
  { what: 'paid call of a tool that asks nobody', ...paid(paidPath, paidInput) },
  { what: 'paid call of a tool that asks', ...paid(askingPath, askingInput) },
]

type Cost = { readonly here: number; readonly there: number }

const folder = await mkdtemp(join(tmpdir(), 'tollgate-against-'))
const facilitator = await startFacilitator(options.node)
try {
  const costs = new Map<Kind, Cost[]>(kinds.filter(({ what }) => what.includes(options.only)).map((kind) => [kind, []]))
  for (let index = 0; index < starts; index += 1) await compareOnce(index, costs)
  const rows = [...costs].map(([kind, of]) => rowOf(kind, of))
  report(rows)
  if (rows.some(({ reached }) => !reached)) process.exitCode = 1
} finally {
  await facilitator.running.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Starts both sides, in turns the one and the other first, and measures every kind with them. */
async function compareOnce(index: number, costs: ReadonlyMap<Kind, Cost[]>): Promise<void> {
  const sides: Listening[] = []
  try {
    for (const isHere of index % 2 === 0 ? [true, false] : [false, true]) sides.push(await startSide(index, isHere))
    const [here, there] = index % 2 === 0 ? sides : sides.toReversed()
    if (here === undefined || there === undefined) throw new Error('A side is missing.')
    for (const [kind, of] of costs) of.push(await compare(kind, here, there))
  } finally {
    for (const side of sides) await side.running.stop()
  }
}

async function startSide(index: number, isHere: boolean): Promise<Listening> {
  const name = isHere ? 'here' : 'there'
  const data = join(folder, `${name}-${index}`)
  await mkdir(data)
  const profile = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(options.profile, name)}`]
  return startTollgate(options.node, facilitator, data, profile, {}, isHere ? here : other)
}

/** The quarter of the turns of one start that nothing disturbed ends here. */
async function compare({ status, turn, requests }: Kind, here: Listening, there: Listening): Promise<Cost> {
  const cost = async (side: Listening): Promise<number> => {
    const next = await requests(side)
    const before = side.running.fineCpuMs()
    const { answers } = await load({ next, port: side.port, status, connections })
    return ((side.running.fineCpuMs() - before) * 1_000) / answers
  }
  const costs: Cost[] = []
  for (let round = -turn.warmUps; round < rounds; round += 1) {
    const isFirst = round % 2 === 0
    const first = await cost(isFirst ? here : there)
    const second = await cost(isFirst ? there : here)
    if (round >= 0) costs.push(isFirst ? { here: first, there: second } : { here: second, there: first })
  }
  return { here: lowerQuartile(costs.map((one) => one.here)), there: lowerQuartile(costs.map((one) => one.there)) }
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN
}

function rowOf({ what }: Kind, costs: readonly Cost[]): Row {
  // Not paired: a process is as cheap as it happens to be, whatever the one beside it is.
  const ours = Math.min(...costs.map(({ here }) => here))
  const theirs = Math.min(...costs.map(({ there }) => there))
  const all = (of: (cost: Cost) => number): string => costs.map((cost) => of(cost).toFixed(1)).join(' ')
  note(`${what}: ${all(({ here }) => here)}; beside it ${all(({ there }) => there)}`)
  return {
    what,
    ours: `${ours.toFixed(1)} µs`,
    theirs: `${theirs.toFixed(1)} µs`,
    ratio: ours / theirs,
    goal: `≤ ${target}`,
    reached: ours / theirs <= target,
  }
}
