/**
 * Buys plans from the workflow designer of a sandbox as bash scripts, runs each of them with bash and curl against it,
 * signs what a script asks to have signed, and says which ran to their end.
 *
 *     node scripts/plans-in-sandbox.ts [--goal "…"]
 */
import { parseArgs } from 'node:util'

import { runPlans } from '../test/harness/sandbox-plans.ts'

const { values } = parseArgs({ options: { goal: { type: 'string', multiple: true } } })
const results = await runPlans(values.goal)
for (const { goal, steps, answers, paid, trouble } of results) {
  const end = trouble === undefined ? 'ran to its end' : `✗ ${trouble}`
  process.stdout.write(`${goal}\n    ${steps.join(', ')}: ${answers} answers, ${paid} paid; ${end}\n`)
}
const ended = results.filter(({ trouble }) => trouble === undefined).length
process.stdout.write(`${ended} of ${results.length} plans ran to their end\n`)
process.exitCode = ended === results.length ? 0 : 1
