/**
 * What each of the site tools costs once it has answered: CPU time per call, and what it still asks of others.
 *
 *     node bench/site-tools.ts
 *     node bench/site-tools.ts --only contract-abi-inspector
 *     node --cpu-prof --cpu-prof-dir=<folder> bench/site-tools.ts --only <slug>   where the time of the tool alone goes
 *     node bench/site-tools.ts --json                                             a row as a line of JSON
 *
 * Chain and services are those of the sandbox: a real anvil, and replays over real connections, in a process apart.
 * Each tool is called in two ways, with the same question every time:
 *
 * - *The tool alone*: the path of a call in this process (input read, run, output checked and written), without a
 *   transport. `process.cpuUsage` before and after is what it costs; every request to a chain or a service is counted.
 * - *Over HTTP*: the built server in a process of its own, asked by a holder of the pass who signs in anew with every
 *   call, so HTTP, the check of the signature and the log are in it. The system counts that process's time in steps of
 *   10 ms, which is 10 µs of a call here.
 *
 * A tool whose answer is live keeps none, so its warm calls do ask, and their cost is that of the work. Ends with 1
 * when an answer that is kept costs more than the target, or asks somebody.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'

import { keccak256, stringToBytes } from 'viem'

import { registerTools } from '../sandbox/registry.ts'
import { walletOf } from '../sandbox/wallets.ts'
import { parseConfig } from '../src/platform/config.ts'
import { systemClock } from '../src/platform/clock.ts'
import { noFailpoints } from '../src/platform/failpoint.ts'
import { silentLog } from '../src/platform/log.ts'
import { type SiteTool } from '../src/tool/tools.ts'
import { createPooledFetch } from '../src/upstream/http/dispatcher.ts'
import { siweOf } from '../test/harness/sign-in.ts'
import { samplesOf } from '../test/harness/samples.ts'
import { loadTools } from '../tools/load.ts'
import { createLocalServer } from '../src/server/local.ts'
import { buildTollgate, root } from './support/build.ts'
import { load, postBytes } from './support/load.ts'
import { bareEnv, start } from './support/process.ts'
import { note, report } from './support/table.ts'

const samples = await samplesOf(await loadTools())

type Env = Readonly<Record<string, string>>

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, json: { type: 'boolean', default: false } },
})

const targetUs = 2_000
/** Not counted: the first calls run code that is not yet compiled. */
const warmUps = 100
const calls = { alone: 500, overHttp: 1_000 } as const
/** Equal questions that are under way together share one answer, so they are asked one after the other. */
const connections = 1

type Figures = {
  readonly slug: string
  /** Undefined where the answer is live. */
  readonly keptForSeconds: number | undefined
  readonly coldMs: number
  readonly aloneUs: number
  readonly asksPerCall: number
  readonly overHttpUs: number
}

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'tollgate-site-'))
const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  const world = await start({ node: process.execPath, args: [join(root, 'bench/peers/site-world.ts')] })
  stops.push(world.stop)
  const { env: sandboxEnv } = JSON.parse(world.ready) as { readonly env: Env }
  const env: Env = { ...sandboxEnv, TOLLGATE_PORT: '0', TOLLGATE_DATA_DIR: folder }

  const launcher = await buildTollgate()
  await run(process.execPath, [launcher, 'refresh'], { env: { ...bareEnv(), ...env } })
  const server = await start({ node: process.execPath, args: [launcher, 'serve', '--json'], env })
  stops.push(server.stop)
  const { baseUrl } = JSON.parse(server.ready) as { readonly baseUrl: string }
  await register(baseUrl, env['TOLLGATE_BASE_RPC_URLS'] ?? '')

  const alone = await openAlone(env)
  stops.push(alone.close)
  const figures: Figures[] = []
  for (const tool of alone.tools) {
    const { slug, freshness } = tool
    figures.push({
      slug,
      keptForSeconds: freshness.mode === 'cached' ? freshness.ttlSeconds : undefined,
      ...(await overHttp(tool, baseUrl, server.cpuMs)),
      ...(await alone.measure(tool)),
    })
    note(`${figures.length} of ${alone.tools.length}: ${slug}`)
  }
  tell(figures)
} finally {
  for (const stop of stops.toReversed()) await stop()
}

function questionFor({ slug }: SiteTool): Readonly<Record<string, unknown>> {
  const question = samples[slug]?.input
  if (question === undefined) throw new Error(`Add a question for ${slug}.`)
  return question
}

/** Enters the server's manifests in the registry, where the directory and the trust score look for them. */
async function register(baseUrl: string, rpcUrl: string): Promise<void> {
  const { tools } = (await (await fetch(`${baseUrl}/api/tools`)).json()) as {
    readonly tools: readonly { readonly manifest: string; readonly access: { readonly toolPass: unknown } }[]
  }
  await registerTools(
    rpcUrl,
    await Promise.all(
      tools.map(async ({ manifest, access }) => ({
        metadataURI: manifest,
        manifestHash: keccak256(stringToBytes(await (await fetch(manifest)).text())),
        opensWithPass: access.toolPass !== null,
      })),
    ),
  )
}

/**
 * The tools without a transport; what they ask of others goes over the connections of the real server, and is counted.
 */
async function openAlone(env: Env) {
  const pooled = createPooledFetch()
  let asked = 0
  const all = await loadTools()
  const local = createLocalServer({
    config: parseConfig(env),
    tools: all,
    clock: systemClock,
    log: silentLog,
    failpoint: noFailpoints,
    fetch: (input, init) => {
      asked += 1
      return pooled.fetch(input, init)
    },
  })
  const callOnce = (tool: SiteTool): Promise<unknown> => local.answer(tool, questionFor(tool))
  return {
    tools: local.toolList.site.filter(({ slug }) => slug.includes(options.only)),
    measure: async (tool: SiteTool) => {
      for (let index = 0; index < warmUps; index += 1) await callOnce(tool)
      asked = 0
      const before = process.cpuUsage()
      for (let index = 0; index < calls.alone; index += 1) await callOnce(tool)
      const { user, system } = process.cpuUsage(before)
      return { aloneUs: (user + system) / calls.alone, asksPerCall: asked / calls.alone }
    },
    close: async () => {
      await local.upstreams.close()
      await pooled.close()
    },
  }
}

/** The first call to a server that has never run the tool, and what the later ones cost it. */
async function overHttp(tool: SiteTool, baseUrl: string, cpuMs: () => number) {
  const url = new URL(`/api/tools/${tool.slug}`, baseUrl)
  const body = JSON.stringify(questionFor(tool))
  const authorization = await siweOf(walletOf('holder'), baseUrl)
  const startedAt = performance.now()
  const first = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body,
  })
  const text = await first.text()
  const coldMs = performance.now() - startedAt
  if (first.status !== 200) throw new Error(`${tool.slug} answered ${first.status}: ${text}`)

  const bytes = postBytes(url.pathname, body, { authorization })
  const ask = async (count: number): Promise<void> => {
    let left = count
    const next = (): Buffer | undefined => ((left -= 1) < 0 ? undefined : bytes)
    await load({ port: Number(url.port), connections, status: 200, next })
  }
  await ask(warmUps)
  const before = cpuMs()
  await ask(calls.overHttp)
  return { coldMs, overHttpUs: ((cpuMs() - before) * 1_000) / calls.overHttp }
}

function tell(figures: readonly Figures[]): void {
  const kept = figures.filter(({ keptForSeconds }) => keptForSeconds !== undefined)
  const asking = kept.filter(({ asksPerCall }) => asksPerCall > 0)
  const rows = [
    ['Tool', 'kept for', 'cold, over HTTP', 'warm, the tool alone', 'it asks others', 'warm, over HTTP'],
    ['---', '---', '---', '---', '---', '---'],
    ...figures.map((one) => [
      one.slug,
      one.keptForSeconds === undefined ? 'live' : `${one.keptForSeconds} s`,
      `${one.coldMs.toFixed(0)} ms`,
      `${one.aloneUs.toFixed(0)} µs`,
      one.asksPerCall.toFixed(one.asksPerCall % 1 === 0 ? 0 : 2),
      `${one.overHttpUs.toFixed(0)} µs`,
    ]),
  ]
  note(`\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`)
  const [dearest] = kept.toSorted((a, b) => b.overHttpUs - a.overHttpUs)
  if (dearest === undefined) return
  const reached = asking.length === 0 && dearest.overHttpUs <= targetUs
  report([
    {
      what: `site tools: a kept answer, the dearest of ${kept.length} (${dearest.slug})`,
      ours: `${dearest.overHttpUs.toFixed(0)} µs CPU over HTTP`,
      theirs: '',
      ratio: undefined,
      goal: `≤ ${targetUs} µs, nobody asked`,
      reached,
    },
  ])
  if (!reached) process.exitCode = 1
}
