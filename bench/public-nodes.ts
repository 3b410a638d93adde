/**
 * Every tool that reads a chain, with its published example, behind four nodes with the limits of the public ones and
 * 80 ms on the way to each: how long it takes against what it promises, and how many requests it makes.
 *
 *     node bench/public-nodes.ts [--delay 80] [--json]
 */
import { parseArgs } from 'node:util'

import { startSandbox } from '../sandbox/start.ts'
import { servePublicNodes } from '../sandbox/public-nodes.ts'
import { parseConfig } from '../src/platform/config.ts'
import { systemClock } from '../src/platform/clock.ts'
import { noFailpoints } from '../src/platform/failpoint.ts'
import { silentLog } from '../src/platform/log.ts'
import { createLocalServer } from '../src/server/local.ts'
import { createPooledFetch } from '../src/upstream/http/dispatcher.ts'
import { loadTools } from '../tools/load.ts'

const { values } = parseArgs({
  options: { delay: { type: 'string', default: '80' }, json: { type: 'boolean', default: false } },
})
const delayMs = Number(values.delay)
const sandbox = await startSandbox()
const base = await servePublicNodes(sandbox.chain.rpcUrl, delayMs)
const ethereum = await servePublicNodes(sandbox.env['TOLLGATE_MAINNET_RPC_URLS'] ?? '', delayMs)
const nodes = [...base, ...ethereum]
const pooled = createPooledFetch()
const requests = (): number => nodes.reduce((sum, node) => sum + node.requests(), 0)
const urlsOf = (list: typeof base): string => list.map(({ url }) => url).join(',')

const rows: { slug: string; ms: number; slaMs: number; requests: number }[] = []
// What answers from a snapshot asks nobody.
for (const tool of (await loadTools()).filter(({ refresh }) => refresh === undefined)) {
  // A server of its own for each: nothing is remembered from the tool before.
  const server = createLocalServer({
    config: parseConfig({
      ...sandbox.env,
      TOLLGATE_BASE_RPC_URLS: urlsOf(base),
      TOLLGATE_MAINNET_RPC_URLS: urlsOf(ethereum),
    }),
    tools: await loadTools(),
    clock: systemClock,
    log: silentLog,
    failpoint: noFailpoints,
    fetch: pooled.fetch,
  })
  const [before, started] = [requests(), performance.now()]
  try {
    await server.answer(tool, tool.examples[0]?.input)
    const made = requests() - before
    const ms = Math.round(performance.now() - started)
    if (made > 0) rows.push({ slug: tool.slug, ms, slaMs: tool.latencySlaMs, requests: made })
  } catch (error) {
    console.error(`${tool.slug}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  } finally {
    await server.upstreams.close()
  }
}
await pooled.close()
await Promise.all(nodes.map((node) => node.stop()))
await sandbox.stop()

if (values.json) console.log(JSON.stringify({ delayMs, rows }))
else {
  console.log(`${'tool'.padEnd(30)} ${'ms'.padStart(6)} ${'promised'.padStart(9)} ${'requests'.padStart(9)}`)
  for (const { slug, ms, slaMs, requests: made } of rows) {
    const mark = ms > slaMs ? '  TOO LATE' : made > 40 ? '  TOO MANY' : ''
    console.log(
      `${slug.padEnd(30)} ${String(ms).padStart(6)} ${String(slaMs).padStart(9)} ${String(made).padStart(9)}${mark}`,
    )
  }
}
if (rows.some(({ ms, slaMs }) => ms > slaMs)) process.exitCode = 1
