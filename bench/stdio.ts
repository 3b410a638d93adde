/**
 * What it costs an MCP client to start the server: from spawn to the first answer, beside a server that can only say
 * hello.
 *
 *     node bench/stdio.ts                       on this Node
 *     node bench/stdio.ts --node /usr/bin/node  on another one
 *     node bench/stdio.ts --json                the row as a line of JSON
 *
 * CPU is user and system time of the whole process, from start to its end after stdin was closed.
 */
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

import { buildTollgate, root } from './support/build.ts'
import { bareEnv } from './support/process.ts'
import { median, note, report } from './support/table.ts'

const { values: options } = parseArgs({
  options: { node: { type: 'string', default: process.execPath }, json: { type: 'boolean', default: false } },
})

const rounds = 15

const hello = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
const server = new McpServer({ name: 'hello', version: '1.0.0' })
server.registerTool('hello', { description: 'Says hello.', inputSchema: { name: z.string() } }, async ({ name }) => ({
  content: [{ type: 'text', text: 'Hello ' + name }],
}))
await server.connect(new StdioServerTransport())
`
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})

type Start = { readonly wallMs: number; readonly cpuMs: number }

/**
 * Starts a server through a shell that reports the CPU time of what it ran, and closes stdin after the first answer.
 */
async function startOnce(script: string): Promise<Start> {
  const timed = 'TIMEFORMAT="%3U %3S"; time "$0" "$1" 2>/dev/null'
  const startedAt = performance.now()
  // Nothing of the environment is passed on: NODE_EXTRA_CA_CERTS alone would add the same tenth of a second to both
  // sides.
  const shell = spawn('bash', ['-c', timed, options.node, script], { env: bareEnv(), stdio: 'pipe' })
  let times = ''
  shell.stderr.on('data', (chunk: Buffer) => (times += chunk.toString()))
  shell.stdin.write(`${initialize}\n`)
  const answer = await new Promise<string>((resolve) => createInterface(shell.stdout).once('line', resolve))
  const wallMs = performance.now() - startedAt
  if (!answer.includes('"protocolVersion"')) throw new Error(`${script} answered: ${answer.slice(0, 200)}`)
  const ended = new Promise((resolve) => shell.once('close', resolve))
  shell.stdin.end()
  await ended
  const [user = Number.NaN, system = Number.NaN] = times.trim().split(' ').map(Number)
  return { wallMs, cpuMs: (user + system) * 1_000 }
}

const tollgate = await buildTollgate()
// Beside the bundle, below node_modules, so that it finds the SDK as it is installed.
const bare = join(root, 'node_modules/.cache/bench/hello.mjs')
await mkdir(dirname(bare), { recursive: true })
await writeFile(bare, hello)

const ours: Start[] = []
const theirs: Start[] = []
// The first of each fills the disk cache, and the compile cache where Node has one: as it is from the second start on.
await startOnce(tollgate)
await startOnce(bare)
for (let round = 0; round < rounds; round += 1) {
  if (round % 2 === 0) ours.push(await startOnce(tollgate))
  theirs.push(await startOnce(bare))
  if (round % 2 === 1) ours.push(await startOnce(tollgate))
}

const text = (starts: readonly Start[]): string =>
  `${median(starts.map((one) => one.cpuMs)).toFixed(0)} ms CPU, ${median(starts.map((one) => one.wallMs)).toFixed(0)} ms`
const ratio = median(ours.map((one, index) => one.cpuMs / (theirs[index]?.cpuMs ?? Number.NaN)))
const wallRatio = median(ours.map((one, index) => one.wallMs / (theirs[index]?.wallMs ?? Number.NaN)))
note(`stdio start: ${ratio.toFixed(2)} in CPU, ${wallRatio.toFixed(2)} in time`)
report([
  {
    what: 'stdio start to first answer',
    ours: text(ours),
    theirs: text(theirs),
    ratio,
    goal: '≤ 0.6',
    reached: ratio <= 0.6,
  },
])
