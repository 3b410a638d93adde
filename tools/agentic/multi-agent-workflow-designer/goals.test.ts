import { expect, it } from 'vitest'
import { z } from 'zod'

import { labelledSets } from '../../../test/harness/judge.ts'
import { plan, slugsOf } from '../../../test/harness/workflow-plans.ts'

const planSchema = z.object({ goal: z.string(), steps: z.array(z.string()), ordered: z.boolean() })
const plans = labelledSets(new URL('labelled/', import.meta.url), 'plans-first', planSchema)[0]?.cases ?? []

it.each(plans)('plans "$goal"', async ({ goal, steps, ordered }) => {
  const output = await plan({ goal })
  expect(slugsOf(output).toSorted()).toEqual(steps.toSorted())
  if (!ordered) return
  const [first, second] = steps.map((slug) => output.steps.find(({ tool_slug }) => tool_slug === slug))
  expect(second?.depends_on).toEqual([first?.step_id])
})
