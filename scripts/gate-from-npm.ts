/**
 * Sells MCP servers that others wrote, as npm has them: each is installed into a folder of its own, gets a gate file by
 * `tollgate gate --init`, is sold in the sandbox, and is called for money. An answer has to be the one that the
 * official client gets from the same server directly, a failure has to cost nothing, and the ledger has to hold what
 * was paid.
 *
 *     node scripts/gate-from-npm.ts [--json]
 *
 * Needs npm's registry. Ends with 1 where something differs.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs, promisify } from 'node:util'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'

import { firstJsonLine, node, program } from '../test/harness/sandbox-process.ts'
import { createPayer, type Payer, paymentOf } from '../transports/client/client.ts'

const { values: flags } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
const run = promisify(execFile)

type Try = {
  /** The server's own name of the tool. */
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** Whether the server says that this fails. */
  readonly fails?: true
}

type Server = {
  readonly name: string
  /** What follows its program; `%` is a folder with a file in it. */
  readonly words: readonly string[]
  /** What the server that is asked directly gets of its own, where both would write into one file. */
  readonly apart?: Readonly<Record<string, string>>
  readonly tries: readonly Try[]
}

const servers: readonly Server[] = [
  {
    name: '@modelcontextprotocol/server-everything',
    words: [],
    tries: [
      { tool: 'echo', input: { message: 'a cent for this' } },
      { tool: 'get-sum', input: { a: 2, b: 40 } },
      { tool: 'get-tiny-image', input: {} },
      { tool: 'get-structured-content', input: { location: 'Chicago' } },
    ],
  },
  {
    name: '@modelcontextprotocol/server-filesystem',
    words: ['%'],
    tries: [
      { tool: 'read_text_file', input: { path: '%/note.txt' } },
      { tool: 'list_directory', input: { path: '%' } },
      { tool: 'read_text_file', input: { path: '/etc/passwd' }, fails: true },
    ],
  },
  {
    name: '@modelcontextprotocol/server-memory',
    words: [],
    apart: { MEMORY_FILE_PATH: '%/apart.jsonl' },
    tries: [
      { tool: 'create_entities', input: { entities: [{ name: 'ann', entityType: 'person', observations: ['pays'] }] } },
      { tool: 'read_graph', input: {} },
      { tool: 'add_observations', input: { observations: [{ entityName: 'nobody', contents: ['x'] }] }, fails: true },
    ],
  },
  {
    name: '@modelcontextprotocol/server-sequential-thinking',
    words: [],
    tries: [
      {
        tool: 'sequentialthinking',
        input: { thought: 'Who pays?', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      },
    ],
  },
]

const listing = z.object({ tools: z.array(z.object({ slug: z.string(), name: z.string() })) })
const earned = z.object({ rows: z.array(z.object({ payments: z.number(), usd: z.string() })) })
const failure = z.object({ error: z.object({ charged: z.literal(false) }) })
const ready = z.object({
  baseUrl: z.string(),
  mcpUrl: z.string(),
  dataDir: z.string(),
  wallets: z.object({ payer: z.object({ privateKey: z.templateLiteral(['0x', z.string()]) }) }),
})

type Outcome = {
  readonly server: string
  readonly version: string
  readonly tools: number
  readonly offered: number
  readonly answered: number
  readonly uncharged: number
  readonly earnedUsd: string
  /** From the first command to the first paid answer. */
  readonly seconds: number
  readonly differences: readonly string[]
}

/** Fills in the folder. */
function placed<T>(value: T, folder: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll('%', folder))
}

async function sell(server: Server): Promise<Outcome> {
  const home = await mkdtemp(join(tmpdir(), 'tollgate-npm-'))
  const folder = join(home, 'files')
  await mkdir(folder)
  await writeFile(join(folder, 'note.txt'), 'What the file says.')
  await writeFile(join(home, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', server.name], { cwd: home })
  const installed: unknown = JSON.parse(
    (await run('npm', ['ls', server.name, '--json'], { cwd: home, maxBuffer: 1e7 })).stdout,
  )
  const version = z.object({ dependencies: z.record(z.string(), z.object({ version: z.string() })) }).parse(installed)
    .dependencies[server.name]?.version
  const command = join(home, 'node_modules/.bin', `mcp-${server.name.split('/')[1] ?? ''}`)
  const words = placed(server.words, folder)
  const differences: string[] = []
  const started = performance.now()
  await run(node, [program, 'gate', '--init', '--', command, ...words], { cwd: home })
  const shop = spawn(node, [program, 'gate', 'gate.yaml', '--sandbox', '--port', '0', '--json'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  shop.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const client = new Client({ name: 'check', version: '1' })
  let payer: Payer | undefined
  try {
    const { baseUrl, dataDir, wallets } = ready.parse(await firstJsonLine(shop, () => said))
    await client.connect(
      new StdioClientTransport({
        command,
        args: [...words],
        env: { PATH: process.env['PATH'] ?? '', ...placed(server.apart ?? {}, folder) },
        stderr: 'ignore',
      }),
    )
    const { tools } = await client.listTools()
    const offered = await fetch(`${baseUrl}/api/agentic/manifest`).then(async (answer) =>
      listing.parse(await answer.json()),
    )
    payer = await createPayer({ wallet: wallets.payer.privateKey, journal: ':memory:' })
    let [answered, uncharged, seconds] = [0, 0, 0]
    for (const one of placed(server.tries, folder)) {
      const direct = await client.callTool({ name: one.tool, arguments: one.input })
      const slug = one.tool.replaceAll('_', '-')
      const response = await payer.fetch(`${baseUrl}/api/agentic/tools/${slug}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(one.input),
      })
      const body: unknown = await response.json()
      if (one.fails === true) {
        if (direct.isError !== true) differences.push(`${one.tool}: the server itself does not fail`)
        if (response.ok || !failure.safeParse(body).success) differences.push(`${one.tool}: a failure was not told`)
        uncharged += 1
        continue
      }
      if (seconds === 0) seconds = Math.round((performance.now() - started) / 100) / 10
      const wanted = direct.structuredContent ?? { content: direct.content }
      if (!isDeepStrictEqual(body, wanted)) differences.push(`${one.tool}: ${JSON.stringify(body).slice(0, 300)}`)
      if (paymentOf(response)?.usd !== '0.01') differences.push(`${one.tool}: was not paid a cent`)
      answered += 1
    }
    const { stdout } = await run(node, [program, 'revenue', '--by', 'total', '--json'], {
      cwd: home,
      env: { ...process.env, TOLLGATE_DATA_DIR: dataDir },
    })
    const [total] = earned.parse(JSON.parse(stdout)).rows
    if (total?.payments !== answered) differences.push(`the ledger has ${total?.payments ?? 0} payments`)
    return {
      server: server.name,
      version: version ?? '',
      tools: tools.length,
      offered: offered.tools.length,
      answered,
      uncharged,
      earnedUsd: total?.usd ?? '0',
      seconds,
      differences,
    }
  } finally {
    payer?.close()
    await client.close()
    const ended = new Promise((resolve) => shop.once('close', resolve))
    shop.kill('SIGTERM')
    await ended
    await rm(home, { recursive: true, force: true })
  }
}

const outcomes: Outcome[] = []
for (const server of servers) outcomes.push(await sell(server))
if (flags.json) process.stdout.write(`${JSON.stringify(outcomes, null, 2)}\n`)
for (const one of flags.json ? [] : outcomes) {
  process.stdout.write(
    `${one.server} ${one.version}: ${one.offered} of ${one.tools} tools offered, ${one.answered} calls paid, ` +
      `${one.uncharged} failed uncharged, $${one.earnedUsd} in the ledger; first paid answer after ${one.seconds} s\n`,
  )
  for (const difference of one.differences) process.stdout.write(`  DIFFERS  ${difference}\n`)
}
if (outcomes.some(({ differences }) => differences.length > 0)) process.exitCode = 1
