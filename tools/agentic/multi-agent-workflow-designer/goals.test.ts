import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { plan, slugsOf } from '../../../test/harness/workflow-plans.ts'

type Goal = { readonly goal: string; readonly any: readonly string[] }
type PlanGoal = { readonly goal: string; readonly steps: readonly string[]; readonly ordered: boolean }
const linesOf = <T>(name: string): readonly T[] =>
  readFileSync(new URL(`labelled/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
const goals = {
  tuning: linesOf<Goal>('goals-tuning'),
  heldOut: linesOf<Goal>('goals-held-out'),
  fresh: linesOf<Goal>('goals-fresh'),
  later: linesOf<Goal>('goals-later'),
  plans: linesOf<PlanGoal>('plans-first'),
}

describe.each(['tuning', 'heldOut', 'fresh', 'later'] as const)('of the %s goals', (set) => {
  it('at least 90 % get a right tool first when one step is asked for', async () => {
    expect(await missed(goals[set], async (goal) => slugsOf(await plan({ goal, max_steps: 1 })))).toSatisfy(
      (missing: readonly string[]) => missing.length <= goals[set].length * 0.1,
    )
  })

  it('at least 97 % get a right tool among the first three steps of a plan', async () => {
    expect(await missed(goals[set], async (goal) => slugsOf(await plan({ goal })).slice(0, 3))).toSatisfy(
      (missing: readonly string[]) => missing.length <= goals[set].length * 0.03,
    )
  })

  it('at most 10 % get a step that nobody asked for', async () => {
    const lengths = await Promise.all(goals[set].map(async ({ goal }) => (await plan({ goal })).steps.length))
    const names = goals[set].filter(({ goal }) => /\.eth\b/.test(goal)).length
    expect(lengths.filter((length) => length > 1).length - names).toBeLessThanOrEqual(goals[set].length * 0.1)
  })
})

it.each(goals.plans)('plans "$goal"', async ({ goal, steps, ordered }) => {
  const output = await plan({ goal })
  expect(slugsOf(output).toSorted()).toEqual(steps.toSorted())
  if (!ordered) return
  const [first, second] = steps.map((slug) => output.steps.find(({ tool_slug }) => tool_slug === slug))
  expect(second?.depends_on).toEqual([first?.step_id])
})

async function missed(set: readonly Goal[], answer: (goal: string) => Promise<readonly string[]>) {
  const answers = await Promise.all(set.map(async ({ goal }) => await answer(goal)))
  return set.filter(({ any }, index) => !any.some((slug) => answers[index]?.includes(slug))).map(({ goal }) => goal)
}
