/** Compiles the contracts to `artifacts.json`: `node sandbox/contracts/build.ts`. It takes about 15 seconds. */
import { writeFileSync } from 'node:fs'

import { compileSolidity } from './solc.ts'
import { compilerSettings, contractNames, hashSources, readSources } from './sources.ts'

const sources = readSources()
const { contracts, warnings, compiler } = await compileSolidity(sources, compilerSettings)
for (const warning of warnings) console.error(warning)
const compiled = new Map(contracts.map(({ name, artifact }) => [name, artifact]))
const kept = contractNames.map((name) => {
  const artifact = compiled.get(name)
  if (artifact === undefined) throw new Error(`The sources hold no contract named ${name}.`)
  return [name, artifact]
})

const artifacts = { sourcesHash: hashSources(sources), compiler, ...Object.fromEntries(kept) }
writeFileSync(new URL('artifacts.json', import.meta.url), `${JSON.stringify(artifacts)}\n`)
