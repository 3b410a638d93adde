/**
 * What `tollgate connect` costs the machine of a buyer: its start, beside the start of the plain stdio server, and
 * all that it computes for a paid call, signature and journal included. CPU is user and system time of its whole
 * process, in turns in one run; server and facilitator are processes of their own and do not count.
 *
 *     node bench/connect.ts
 *     node bench/connect.ts --rounds 15 --json
 *
 * Ends with 1 where a figure is above its target.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

import { walletOf } from '../sandbox/wallets.ts'
import { buildTollgate } from './support/build.ts'
import { bareEnv, cpuMsOf } from './support/process.ts'
import { type Listening, paidInput, paidPath, startFacilitator, startTollgate } from './support/servers.ts'
import { median, note, report, type Row } from './support/table.ts'

const { values: options } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    rounds: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const callsInRound = 40
const startGoal = 1.3
const callGoalMs = 15

type Message = Readonly<Record<string, unknown>>

/** An MCP server over stdio, spoken to by hand: a client that costs something would be measured, too. */
function startServer(launcher: string, args: readonly string[], home: string) {
  const child = spawn(options.node, [launcher, ...args], {
    env: {
      ...bareEnv(),
      HOME: home,
      TOLLGATE_WALLET_KEY: walletOf('payer').privateKey,
      TOLLGATE_MAX_PER_DAY: '10000',
      TOLLGATE_MAX_PER_HOUR: '10000',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (message: Message) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line) as Message
    waiting.get(Number(message['id']))?.(message)
  })
  let id = 0
  const ask = (method: string, params: unknown): Promise<Message> => {
    id += 1
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  return {
    ask,
    begin: async () => {
      await ask('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      })
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
    },
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    stop: async () => {
      const ended = once(child, 'close')
      child.stdin.end()
      await ended
    },
  }
}

/** CPU from the start of a process to its first answer. */
async function startCost(launcher: string, args: readonly string[], home: string): Promise<number> {
  const server = startServer(launcher, args, home)
  await server.begin()
  const ms = server.cpuMs()
  await server.stop()
  return ms
}

type Costs = { readonly connectMs: number; readonly plainMs: number; readonly callMs: number }

async function measureRound(launcher: string, url: string, home: string, isFirst: boolean): Promise<Costs> {
  const connecting = ['connect', url]
  const before = isFirst ? await startCost(launcher, connecting, home) : undefined
  const plainMs = await startCost(launcher, [], home)
  const connectMs = before ?? (await startCost(launcher, connecting, home))
  return { connectMs, plainMs, callMs: await callCost(launcher, url, home) }
}

/** CPU of a paid call, where calls come one after the other. */
async function callCost(launcher: string, url: string, home: string): Promise<number> {
  const server = startServer(launcher, ['connect', url], home)
  await server.begin()
  const pay = async (): Promise<void> => {
    const { result } = await server.ask('tools/call', { name: tool, arguments: JSON.parse(paidInput) })
    const text = JSON.stringify(result)
    if (!text.includes('"paid"') && !text.includes('/paid"')) throw new Error(`Not paid: ${text.slice(0, 600)}`)
  }
  // The first calls compile.
  for (let call = 0; call < callsInRound / 4; call += 1) await pay()
  const before = server.cpuMs()
  for (let call = 0; call < callsInRound; call += 1) await pay()
  const ms = (server.cpuMs() - before) / callsInRound
  await server.stop()
  return ms
}

const tool = paidPath.split('/').at(-1)
const work = await mkdtemp(join(tmpdir(), 'tollgate-connect-'))
const running: Listening[] = []
try {
  const launcher = await buildTollgate()
  const facilitator = await startFacilitator(options.node)
  running.push(facilitator)
  const server = await startTollgate(options.node, facilitator, join(work, 'data'))
  running.push(server)
  const url = `http://127.0.0.1:${server.port}/api/agentic/mcp`
  const costs: Costs[] = []
  for (let round = -1; round < rounds; round += 1) {
    // The first round fills the caches of the disk and of the compiler.
    const cost = await measureRound(launcher, url, join(work, 'home'), round % 2 === 0)
    if (round >= 0) costs.push(cost)
  }
  const ratios = costs.map(({ connectMs, plainMs }) => connectMs / plainMs)
  note(`start: ${ratios.map((one) => one.toFixed(2)).join(' ')}`)
  note(`paid call, ms: ${costs.map(({ callMs }) => callMs.toFixed(1)).join(' ')}`)
  const ratio = median(ratios)
  const callMs = median(costs.map((one) => one.callMs))
  const rows: readonly Row[] = [
    {
      what: 'connect: start to first answer, beside plain stdio',
      ours: `${median(costs.map((one) => one.connectMs)).toFixed(0)} ms`,
      theirs: `${median(costs.map((one) => one.plainMs)).toFixed(0)} ms`,
      ratio,
      goal: `≤ ${startGoal}`,
      reached: ratio <= startGoal,
    },
    {
      what: 'connect: all that it computes for a paid call',
      ours: `${callMs.toFixed(1)} ms`,
      theirs: '',
      ratio: undefined,
      goal: `≤ ${callGoalMs} ms`,
      reached: callMs <= callGoalMs,
    },
  ]
  report(rows)
  if (rows.some(({ reached }) => !reached)) process.exitCode = 1
} finally {
  for (const one of running.toReversed()) await one.running.stop()
  await rm(work, { recursive: true, force: true })
}
