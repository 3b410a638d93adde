/**
 * What a call of an MCP server costs through the gate, next to the official client that calls it directly over HTTP:
 * processor time of all processes together, client, gate and server, in turns in one run; what counts is the median of
 * the ratios of single rounds. The tools are free here, so that what is measured is the way; a call that is paid from a
 * balance costs what bench/prepaid.ts says in addition.
 *
 * "A bare hop" is the least that anything in front of such a server can cost: it receives a request, sends it on and
 * gives back the answer, and looks into nothing (bench/peers/hop.ts). What a gate costs beyond it is the gate's own.
 *
 *     node bench/gate.ts [calls in a round] [--json]
 *
 * Ends with 1 where a gate costs more than its goal.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { pathOf } from '../test/harness/sandbox-process.ts'
import { buildTollgate } from './support/build.ts'
import { median, note, report, type Row } from './support/table.ts'

const calls = Number(process.argv[2]?.startsWith('-') === false ? process.argv[2] : '1000')
const rounds = 9
/**
 * For compilers. The server is called in several ways and is compiled after a few thousand calls, a gate only in one:
 * with two rounds of each, the figures were those of a gate's first minute.
 */
const warmUps = 10
const goal = 1.25
const serverFile = pathOf('test/harness/gated-server-start.ts')
const ticksMs = 10

/** Milliseconds that a process and its threads have computed. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * ticksMs
}

/** What a call costs each process: the client first, then those of the way. */
type Cost = readonly number[]

/** A process is the child of the thread that started it. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(threads.map((one) => readFile(`/proc/${pid}/task/${one}/children`, 'utf8')))
  const text = lists.join(' ')
  const own = text
    .trim()
    .split(/ +/)
    .filter((one) => one !== '')
    .map(Number)
  return [...own, ...(await Promise.all(own.map(childrenOf))).flat()]
}

type Way = { readonly name: string; readonly client: Client; readonly tool: string; readonly pids: readonly number[] }

async function measure({ client, tool, pids }: Way): Promise<Cost> {
  const others = (): Promise<readonly number[]> => Promise.all(pids.map(cpuOf))
  const [own, before] = [process.cpuUsage(), await others()]
  for (let call = 0; call < calls; call += 1) {
    const answer = await client.request({
      method: 'tools/call',
      params: { name: tool, arguments: { text: 'A sentence of some length.' } },
    })
    if (answer.isError === true) throw new Error(JSON.stringify(answer))
  }
  const { user, system } = process.cpuUsage(own)
  const after = await others()
  const ofOthers = after.map((ms, index) => (ms - (before[index] ?? Number.NaN)) / calls)
  return [(user + system) / 1_000 / calls, ...ofOthers]
}

function sumOf(cost: Cost): number {
  return cost.reduce((sum, one) => sum + one, 0)
}

/** What each process takes of a call, in the median round. */
function sharesOf(costs: readonly Cost[]): string {
  const processes = costs[0]?.map((_, index) => median(costs.map((cost) => cost[index] ?? Number.NaN))) ?? []
  return processes.map((ms) => ms.toFixed(3)).join(' + ')
}

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(transport)
  return client
}

async function firstLine(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  if (child.stdout === null) throw new Error('no output')
  const lines = createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  return JSON.parse(String(line))
}

const folder = await mkdtemp(join(tmpdir(), 'gate-bench-'))
const started: ChildProcess[] = []
const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess => {
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  started.push(child)
  return child
}

try {
  const launcher = await buildTollgate()
  const web = start([serverFile, '', 'http'])
  const url = `http://127.0.0.1:${String((await firstLine(web))['port'])}/mcp`
  const gates = {
    stdio: { command: process.execPath, args: [serverFile] },
    http: { url, headers: { 'x-key': 'secret' } },
  }
  const ways: Way[] = []

  const stdio = new StdioClientTransport({ command: process.execPath, args: [serverFile] })
  ways.push({ name: 'direct, stdio', client: await connect(stdio), tool: 'sayAgain', pids: [stdio.pid ?? 0] })
  const http = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { 'x-key': 'secret' } } })
  ways.push({ name: 'direct, HTTP', client: await connect(http), tool: 'sayAgain', pids: [web.pid ?? 0] })

  const hop = start([pathOf('bench/peers/hop.ts'), url])
  const { port } = await firstLine(hop)
  const hopped = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${String(port)}/mcp`), {
    requestInit: { headers: { 'x-key': 'secret' } },
  })
  ways.push({
    name: 'a bare hop in front of http',
    client: await connect(hopped),
    tool: 'sayAgain',
    pids: [hop.pid ?? 0, web.pid ?? 0],
  })

  for (const [name, server] of Object.entries(gates)) {
    const file = join(folder, `${name}.json`)
    await writeFile(file, JSON.stringify({ server, tools: { sayAgain: { price: 'free' } } }))
    const gate = start([launcher, 'gate', file, '--json'], {
      TOLLGATE_PAY_TO: '0x52908400098527886E0F7030069857D2E4169EE7',
      TOLLGATE_PORT: '0',
      TOLLGATE_DATA_DIR: join(folder, name),
      TOLLGATE_CHECK_SECONDS: '0',
      TOLLGATE_FACILITATOR_URL: 'http://127.0.0.1:9',
      TOLLGATE_BASE_RPC_URLS: 'http://127.0.0.1:9',
    })
    const { mcpUrl } = await firstLine(gate)
    const client = await connect(new StreamableHTTPClientTransport(new URL(String(mcpUrl))))
    await client.request({ method: 'tools/call', params: { name: 'say-again', arguments: { text: 'First.' } } })
    const pids = [gate.pid ?? 0, ...(await childrenOf(gate.pid ?? 0)), ...(name === 'http' ? [web.pid ?? 0] : [])]
    ways.push({ name: `gate in front of ${name}`, client, tool: 'say-again', pids })
  }

  const costs = new Map<string, Cost[]>(ways.map(({ name }) => [name, []]))
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const cost = await measure(way)
      if (round >= 0) costs.get(way.name)?.push(cost)
    }
  }
  const direct = costs.get('direct, HTTP')?.map(sumOf) ?? []
  const rows = [...costs].map(([name, of]): Row => {
    const ms = of.map(sumOf)
    const ratios = ms.map((one, index) => one / (direct[index] ?? Number.NaN))
    const isHeld = name.startsWith('gate')
    note(
      `${name}: ${Math.min(...ms).toFixed(2)} to ${Math.max(...ms).toFixed(2)} ms; client and others: ${sharesOf(of)}`,
    )
    if (isHeld) note(`  beside direct, HTTP: ${ratios.map((one) => one.toFixed(2)).join(' ')}`)
    return {
      what: name,
      ours: `${median(ms).toFixed(2)} ms`,
      theirs: `${median(direct).toFixed(2)} ms`,
      ratio: median(ratios),
      goal: isHeld ? `≤ ${goal}` : '',
      reached: !isHeld || median(ratios) <= goal,
    }
  })
  report(rows)
  if (rows.some(({ reached }) => !reached)) process.exitCode = 1
  await Promise.all(ways.map(({ client }) => client.close()))
} finally {
  for (const child of started) child.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
}
process.exit()
