/**
 * Lists the funding programs that a person has to look at before anyone relies on them.
 *
 *     node scripts/grants-check.ts                    as of today
 *     node scripts/grants-check.ts --at 2027-01-15    as of another day
 *     node scripts/grants-check.ts --json
 */
import { parseArgs } from 'node:util'

import { dayOf, dayOfDate } from '../tools/agentic/base-builder-grant-finder/days.ts'
import { programs } from '../tools/agentic/base-builder-grant-finder/programs.ts'
import { rowsForAPerson } from '../tools/agentic/base-builder-grant-finder/review.ts'

const { values } = parseArgs({ options: { at: { type: 'string' }, json: { type: 'boolean', default: false } } })
const today = values.at === undefined ? dayOf(new Date()) : dayOfDate(values.at)
if (Number.isNaN(today)) throw new Error(`--at takes a date such as 2027-01-15, not "${values.at}".`)

const rows = rowsForAPerson(programs, today)
if (values.json) {
  console.log(
    JSON.stringify(rows.map(({ program, reasons }) => ({ id: program.id, source_url: program.sourceUrl, reasons }))),
  )
} else {
  for (const { program, reasons } of rows) console.log(`${program.id}\n  ${program.sourceUrl}\n  ${reasons.join('; ')}`)
  console.log(`${rows.length} of ${programs.length} rows need a person.`)
}
