/**
 * How long the workflow designer takes for one plan: input read, catalog and index built, plan made, output checked.
 *
 *     node bench/designer.ts
 *
 * Ends with 1 when a median is above the target.
 */
import { performance } from 'node:perf_hooks'

import { z } from 'zod'

import { labelledSets } from '../test/harness/judge.ts'
import { planOrNone } from '../test/harness/workflow-plans.ts'

const targetMs = 20
const labelled = new URL('../tools/agentic/multi-agent-workflow-designer/labelled/', import.meta.url)
const goalsOf = (prefix: string): readonly string[] =>
  labelledSets(labelled, prefix, z.object({ goal: z.string() })).flatMap(({ cases }) => cases.map(({ goal }) => goal))

const long =
  'gas price; honeypot; approvals; net worth; trust score; burn stats; top stakers; whales; floor price; abi; odds of rain; narratives'
const sets = {
  'first call (search library loaded)': ['check the gas price'],
  'one-tool goals': goalsOf('goals-'),
  'goals with several tools': goalsOf('plans-').flatMap((goal) => Array.from({ length: 10 }, () => goal)),
  'twelve steps, over budget': Array.from({ length: 100 }, () => long),
}

for (const [name, texts] of Object.entries(sets)) {
  const times: number[] = []
  for (const goal of texts) {
    const start = performance.now()
    await planOrNone({ goal, max_steps: 12, ...(goal === long ? { budget_usd: 0.1 } : {}) })
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Infinity
  console.log(`${name}: ${at(0.5).toFixed(1)} ms median, ${at(0.95).toFixed(1)} ms p95, ${String(times.length)} plans`)
  // The first call loads the library; every later one has to meet the target.
  if (times.length > 1 && at(0.5) > targetMs) process.exitCode = 1
}
