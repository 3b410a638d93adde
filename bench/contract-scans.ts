/**
 * How long the contract safety scanner takes over its labelled contracts with 80 ms between this machine and the node,
 * and how many requests it makes.
 *
 *     node bench/contract-scans.ts [set …] [--ms 80]
 *
 * Ends with 1 when a scan takes longer than the tool promises or asks the node more than sixty times.
 */
import { parseArgs } from 'node:util'

import { safetySets, scanSet } from '../test/harness/safety-sets.ts'
import tool from '../tools/site/contract-safety-scanner/tool.ts'

const { values, positionals } = parseArgs({
  options: { ms: { type: 'string', default: '80' } },
  allowPositionals: true,
})
const mostRequests = 60
const sets = safetySets.filter((set) => positionals.length === 0 || positionals.includes(set))

console.log('| Set | Scans | Half within | 95 of 100 within | Slowest | CPU of one | Most requests |')
console.log('|---|---|---|---|---|---|---|')
for (const set of sets) {
  const before = process.cpuUsage()
  const told = await scanSet(set, () => true, { delayMs: Number(values.ms) })
  const { user, system } = process.cpuUsage(before)
  const times = told.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const seconds = (share: number): string =>
    `${((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0) / 1_000).toFixed(1)} s`
  const requests = Math.max(...told.map((one) => one.requests))
  const cpu = Math.round((user + system) / 1_000 / told.length)
  console.log(
    `| ${set} | ${told.length} | ${seconds(0.5)} | ${seconds(0.95)} | ${seconds(1)} | ${cpu} ms | ${requests} |`,
  )
  if ((times.at(-1) ?? 0) > tool.latencySlaMs || requests > mostRequests) process.exitCode = 1
}
