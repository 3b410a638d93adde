import { readdirSync, readFileSync } from 'node:fs'

import { z } from 'zod'

import { compileSolidity } from '../../sandbox/contracts/solc.ts'
import { solidityOfStrangers } from '../../scripts/labelled-contracts.ts'
import { type Labelled, labelledSchema } from './contract-set.ts'

/** A set of labelled contracts that is not part of this project. */
export type OutsideContracts = {
  readonly name: string
  readonly cases: readonly Labelled[]
  readonly compiled: Readonly<Record<string, unknown>>
}

/**
 * The sets of a folder and of the folders in it: each file `contracts-<set>.json` (`{ "contracts": […] }`, in the order
 * in which they are deployed), with the `*.sol` beside it. A level `helper` marks what others need and nobody judges.
 * @throws with what the compiler says, or with the field that is wrong.
 */
export async function outsideContracts(folder: URL): Promise<readonly OutsideContracts[]> {
  const sets: OutsideContracts[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => a.name.localeCompare(b.name))) {
    if (entry.isDirectory()) sets.push(...(await outsideContracts(new URL(`${entry.name}/`, folder))))
    const name = /^contracts-(.+)\.json$/.exec(entry.name)?.[1]
    if (name === undefined) continue
    const { contracts: cases } = fileSchema.parse(JSON.parse(readFileSync(new URL(entry.name, folder), 'utf8')))
    const sources = readdirSync(folder)
      .filter((file) => file.endsWith('.sol'))
      .map((file) => [file, readFileSync(new URL(file, folder), 'utf8')] as const)
    const { contracts } = await compileSolidity(sources, solidityOfStrangers)
    sets.push({ name, cases, compiled: Object.fromEntries(contracts.map((one) => [one.name, one.artifact])) })
  }
  return sets
}

const fileSchema = z.object({ contracts: z.array(labelledSchema) })
