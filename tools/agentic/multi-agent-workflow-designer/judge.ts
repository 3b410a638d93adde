import { z } from 'zod'

import { type Judge, labelledSets, scoreOf } from '../../../test/harness/judge.ts'
import { planOrNone, slugsOf } from '../../../test/harness/workflow-plans.ts'

const goal = z.string()
const caseSchema = z.union([
  /** One of these tools serves the goal. */
  z.strictObject({ goal, any: z.array(z.string()) }),
  /** These tools and no others, a list where several are as good; in this order where it is `ordered`. */
  z.strictObject({
    goal,
    steps: z.array(z.union([z.string(), z.array(z.string())])),
    ordered: z.boolean().default(false),
  }),
])
type Case = z.infer<typeof caseSchema>

/** Helpers that a plan may need beside what the goal asks for: a name is resolved before its address is used. */
const helpers = new Set(['ens-resolver'])

const judge: Judge = async ({ folder }) => {
  const own = labelledSets(new URL('labelled/', import.meta.url), '', caseSchema)
  const foreign = folder === undefined ? [] : labelledSets(folder, 'goals-', caseSchema)
  const sets = [...own, ...foreign.map(({ name, cases }) => ({ name: `outside/${name}`, cases }))]
  const scores = []
  for (const { name, cases } of sets) {
    if (cases.some((one) => 'any' in one)) scores.push(await scoreOf(`${name}: first three`, cases, missed))
    const plans = cases.filter((one) => 'steps' in one)
    if (plans.length > 0) scores.push(await scoreOf(`${name}: exact`, plans, inexact))
  }
  return scores
}
export default judge

async function missed(one: Case): Promise<string | undefined> {
  const got = await toolsFor(one.goal)
  const wanted = 'any' in one ? one.any : one.steps.flat()
  return wanted.some((slug) => got.slice(0, 3).includes(slug)) ? undefined : `“${one.goal}” got ${got.join(', ')}`
}

async function inexact(one: Case): Promise<string | undefined> {
  if (!('steps' in one)) return undefined
  const asked = one.steps.flat()
  const got = (await toolsFor(one.goal)).filter((slug) => !helpers.has(slug) || asked.includes(slug))
  const wanted = one.steps.map((step) => [step].flat())
  const isExact = one.ordered
    ? got.length === wanted.length && wanted.every((step, index) => step.includes(got[index] ?? ''))
    : got.length === wanted.length && wanted.every((step) => step.some((slug) => got.includes(slug)))
  return isExact ? undefined : `“${one.goal}” got ${got.join(', ') || 'none'}, not ${wanted.map(String).join(', ')}`
}

async function toolsFor(text: string): Promise<readonly string[]> {
  const output = await planOrNone({ goal: text })
  return output === undefined ? [] : slugsOf(output)
}
