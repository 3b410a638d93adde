import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { labelledSets } from '../../../test/harness/judge.ts'
import { plan, slugsOf } from '../../../test/harness/workflow-plans.ts'

const folder = new URL('labelled/', import.meta.url)
const goalSchema = z.object({ goal: z.string(), any: z.array(z.string()) })
const planSchema = z.object({ goal: z.string(), steps: z.array(z.string()), ordered: z.boolean() })
type Goal = z.infer<typeof goalSchema>
const setOf = (name: string): readonly Goal[] => labelledSets(folder, name, goalSchema)[0]?.cases ?? []
const goals = {
  tuning: setOf('goals-tuning'),
  heldOut: setOf('goals-held-out'),
  fresh: setOf('goals-fresh'),
  later: setOf('goals-later'),
  plans: labelledSets(folder, 'plans-first', planSchema)[0]?.cases ?? [],
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
