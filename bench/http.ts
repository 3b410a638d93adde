/**
 * What a request costs the server: the 402 of an unpaid call, and a paid call with the ledger on disk, side by side
 * with
 * @x402/express in one run.
 *
 *     node bench/http.ts                       both servers on this Node
 *     node bench/http.ts --node /usr/bin/node  both servers on another one
 *     node bench/http.ts --profile folder      writes CPU profiles of both servers
 *     node bench/http.ts --json                the rows as lines of JSON
 *
 * Each side runs in a process of its own, in turns; what counts is the CPU time of that process per request.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { buildPeer } from './support/build.ts'
import { load, postBytes, type NextRequest } from './support/load.ts'
import { start } from './support/process.ts'
import {
  challengeAt,
  type Listening,
  paidInput,
  paidPath,
  paidRequests,
  portOf,
  startFacilitator,
  startTollgate,
} from './support/servers.ts'
import { median, note, report, type Row } from './support/table.ts'

const { values: options } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    profile: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})

const connections = 16
const warmUps = 3
const rounds = 5
const unpaidMs = 1_000
/**
 * About a second's worth each: all rounds are over before the first audit of a settlement is due, half a minute later.
 */
const paidCalls = { tollgate: 1_600, express: 480 } as const

type Round = { readonly cpuUs: number; readonly perSecond: number }

const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
const stops: (() => Promise<void>)[] = []
try {
  const facilitator = await startFacilitator(options.node)
  stops.push(facilitator.running.stop)
  const tollgate = await startTollgate(options.node, facilitator, folder, profileArgs('tollgate'))
  stops.push(tollgate.running.stop)
  const terms = await challengesOf(tollgate)
  const express = await startPeer('x402-express', facilitator, terms)
  const sides = [tollgate, express] as const

  const rows: Row[] = []
  const unpaid = async (what: string, body: string): Promise<void> => {
    if (!what.includes(options.only)) return
    const bytes = postBytes(paidPath, body)
    const [ours, theirs] = await inTurns(sides, async ({ port }) => ({
      next: () => bytes,
      port,
      status: 402,
      forMs: unpaidMs,
    }))
    rows.push(rowOf(what, ours, theirs, 5))
  }
  await unpaid('402, no body', '')
  await unpaid('402, body {}', '{}')
  await unpaid('402, body with input', paidInput)
  if ('paid call, ledger on disk'.includes(options.only)) {
    const [ours, theirs] = await inTurns(sides, async (side) => ({
      next: await paidRequests(side.port, {
        connections,
        calls: side === tollgate ? paidCalls.tollgate : paidCalls.express,
      }),
      port: side.port,
      status: 200,
    }))
    rows.push(rowOf('paid call, ledger on disk', ours, theirs, 8))
  }
  if ('the least a paid call can be'.includes(options.only)) {
    // Not ours: what is possible at all with this machine, this runtime and two questions to a facilitator.
    const least = await startPeer('least', facilitator, terms)
    const [bare, theirs] = await inTurns([least, express], async (side) => ({
      next: await paidRequests(side.port, {
        connections,
        calls: side === least ? paidCalls.tollgate : paidCalls.express,
      }),
      port: side.port,
      status: 200,
    }))
    rows.push(rowOf('the least a paid call can be', bare, theirs, 8))
  }
  report(rows)
} finally {
  for (const stop of stops.toReversed()) await stop()
  await rm(folder, { recursive: true, force: true })
}

async function startPeer(name: 'x402-express' | 'least', { port }: Listening, terms: unknown): Promise<Listening> {
  const running = await start({
    node: options.node,
    args: [...profileArgs(name), await buildPeer(name)],
    env: {
      BENCH_FACILITATOR: `http://127.0.0.1:${port}`,
      BENCH_TERMS: JSON.stringify(terms),
      BENCH_LEDGER: join(folder, `${name}.db`),
    },
  })
  stops.push(running.stop)
  return { running, port: portOf(running) }
}

function profileArgs(name: string): readonly string[] {
  return options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(options.profile, name)}`]
}

/** What every priced tool asks for; the other side is given the same terms at the same paths. */
async function challengesOf({ port }: Listening): Promise<unknown> {
  const origin = `http://127.0.0.1:${port}`
  const { resources } = (await (await fetch(`${origin}/.well-known/x402`)).json()) as { resources: readonly string[] }
  return Promise.all(
    resources.map(async (url) => {
      const { resource, accepts, extensions } = await challengeAt(url)
      return { ...accepts[0], path: new URL(url).pathname, description: resource.description, extensions }
    }),
  )
}

type Work = { readonly next: NextRequest; readonly port: number; readonly status: number; readonly forMs?: number }

/** Some rounds to warm up, then rounds that alternate and swap who begins. */
async function inTurns(
  sides: readonly [Listening, Listening],
  work: (side: Listening) => Promise<Work>,
): Promise<readonly [readonly Round[], readonly Round[]]> {
  const results = new Map<Listening, Round[]>(sides.map((side) => [side, []]))
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    for (const side of Math.abs(round) % 2 === 0 ? sides : sides.toReversed()) {
      const todo = await work(side)
      const before = side.running.cpuMs()
      const { answers, wallMs } = await load({ ...todo, connections })
      const cpuUs = ((side.running.cpuMs() - before) * 1_000) / answers
      if (round > 0) results.get(side)?.push({ cpuUs, perSecond: (answers * 1_000) / wallMs })
    }
  }
  return [results.get(sides[0]) ?? [], results.get(sides[1]) ?? []]
}

function rowOf(what: string, ours: readonly Round[], theirs: readonly Round[], goal: number): Row {
  const ratios = ours.map((one, index) => (theirs[index]?.cpuUs ?? Number.NaN) / one.cpuUs)
  const text = (rounds: readonly Round[]): string =>
    `${median(rounds.map((one) => one.cpuUs)).toFixed(0)} µs, ${median(rounds.map((one) => one.perSecond)).toFixed(0)}/s`
  const ratio = median(ratios)
  note(`${what}: ${ratios.map((one) => one.toFixed(1)).join(' ')}`)
  return { what, ours: text(ours), theirs: text(theirs), ratio, goal: `≥ ${goal}`, reached: ratio >= goal }
}
