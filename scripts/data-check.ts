/**
 * Checks every dated data file: the form and age of each row, and where there is a network also its source.
 *
 *     node scripts/data-check.ts                 as of today; rows older than 90 days are named
 *     node scripts/data-check.ts --days 30
 *     node scripts/data-check.ts --at 2027-01-15
 *     node scripts/data-check.ts --offline       form and ages only
 *     node scripts/data-check.ts --json
 *
 * It never writes a date: a page that answers is not a page that somebody read. It fails where a row is wrong in itself
 * or its source is gone.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { knownNodes } from '../src/upstream/chain/known-nodes.ts'
import { checkRows, readDatedRows, rowsOf } from './data-rows.ts'

const { values } = parseArgs({
  options: {
    at: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    days: { type: 'string', default: '90' },
    offline: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const mostDays = Number(values.days)
if (Number.isNaN(Date.parse(values.at))) throw new Error(`--at takes a date such as 2027-01-15, not "${values.at}".`)
if (!(mostDays >= 0)) throw new Error(`--days takes a number of days, not "${values.days}".`)

const rows = [
  ...readDatedRows(join(import.meta.dirname, '..')),
  ...rowsOf('src/upstream/chain/known-nodes.ts', { rows: knownNodes }),
]
const { findings, hasNetwork } = await checkRows(rows, values.at, values.offline)

if (values.json) {
  console.log(JSON.stringify({ hasNetwork, findings }))
} else {
  for (const { row, state, ageDays, why } of findings) {
    const age = ageDays > mostDays ? `older than ${mostDays} days (${ageDays})` : `${ageDays} days old`
    console.log(`${state.padEnd(9)} ${row.file} ${row.name}: ${age}; ${why}\n          ${row.source}`)
  }
  const old = findings.filter(({ ageDays }) => ageDays > mostDays).length
  console.log(`${findings.length} rows, ${old} older than ${mostDays} days.`)
  if (!hasNetwork) console.log('No network: form and ages were checked, no source was read.')
}
if (findings.some(({ state }) => state === 'wrong' || state === 'gone')) process.exitCode = 1
