/**
 * How long the tools that ask nobody take for one call: input read, run, output checked.
 *
 *     node bench/deterministic-tools.ts
 *
 * Ends with 1 when a median is above the target.
 */
import { performance } from 'node:perf_hooks'

import grantFinder from '../tools/agentic/base-builder-grant-finder/tool.ts'
import { categories, stages } from '../tools/agentic/base-builder-grant-finder/programs.ts'
import tokenStrategy from '../tools/agentic/agent-token-strategy/tool.ts'
import { patterns } from '../tools/agentic/agent-token-strategy/templates.ts'
import { runTool } from '../test/harness/run-tool.ts'

const targetMs = 20
const calls = 500
const fixture = { note: 'Written by hand for this project.', now: '2026-11-21T12:00:00.000Z', exchanges: [] }

const timesOf = async (call: (index: number) => Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = []
  for (let index = 0; index < calls; index += 1) {
    const start = performance.now()
    await call(index)
    times.push(performance.now() - start)
  }
  return times
}

const pick = <T>(list: readonly [T, ...T[]], index: number): T => list[index % list.length] ?? list[0]

const runs = {
  'agent-token-strategy': await timesOf((index) =>
    runTool(
      tokenStrategy,
      { agent_name: `Agent ${index}`, symbol: 'BENCH', pattern: pick(patterns, index), include_nft: index % 2 === 0 },
      fixture,
    ),
  ),
  'base-builder-grant-finder': await timesOf((index) =>
    runTool(grantFinder, { category: pick(categories, index), stage: pick(stages, index), max_results: 25 }, fixture),
  ),
}

for (const [slug, times] of Object.entries(runs)) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  console.log(
    `${slug}: median ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms, ${calls} calls, target ${targetMs} ms`,
  )
  if (!(at(0.5) <= targetMs)) process.exitCode = 1
}
