/**
 * Stands sets of labelled contracts up on a local chain, for those who write them: says which do not deploy, and which
 * of their steps revert. Nothing is scanned.
 *
 *     node scripts/stand-contracts.ts <folder> [--proof]   with the calls that prove each fault as well
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { setBuilder } from '../test/harness/contract-set.ts'
import { openZoo } from '../test/harness/contract-zoo.ts'
import { outsideContracts } from '../test/harness/outside-contracts.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { proof: { type: 'boolean' } } })
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder of the set: node scripts/stand-contracts.ts <folder>')

for (const { name: set, cases, compiled } of await outsideContracts(pathToFileURL(`${resolve(folder)}/`))) {
  const levels = [...new Set(cases.map(({ level }) => level))]
  const counts = levels.map((level) => `${cases.filter((one) => one.level === level).length} ${level}`)
  console.log(`${set}: ${counts.join(', ')}`)
  const zoo = await openZoo()
  try {
    const { add, act } = setBuilder(zoo, compiled)
    for (const one of cases) {
      try {
        await add(one)
        if (values.proof === true) await act(one.proof)
      } catch (error) {
        process.exitCode = 1
        console.log(`${one.name}: ${error instanceof Error ? error.message.slice(0, 400) : 'failed'}`)
      }
    }
  } finally {
    await zoo.stop()
  }
}
