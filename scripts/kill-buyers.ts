/**
 * Kills a program that pays, again and again, wherever it happens to be, and looks what is left: every signature that
 * reached the server stands in the journal, no call was signed for twice, and the budget was kept.
 *
 *     node scripts/kill-buyers.ts [--kills 100]
 */
import { parseArgs } from 'node:util'

import { killBuyers } from '../test/harness/kill-buyers.ts'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' } } })
const { kills, calls, signatures, resent, wrong } = await killBuyers(Number(values.kills))
process.stdout.write(
  `${kills} kills, ${calls} calls, ${signatures} signatures seen by the server, ${resent} sent again\n`,
)
for (const one of wrong) process.stdout.write(`✗ ${one}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
