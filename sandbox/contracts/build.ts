/** Compiles the contracts to `artifacts.json`: `node sandbox/contracts/build.ts`. It takes about 15 seconds. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { compilerSettings, contractNames, hashSources, readSources } from './sources.ts'

type Compiled = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<
    Record<
      string,
      Record<
        string,
        { abi: unknown; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } } | undefined
      >
    >
  >
}

const require = createRequire(import.meta.url)
const solc = require('solc') as {
  version(): string
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string
}

const sources = readSources()
const output = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: Object.fromEntries([...sources].map(([name, content]) => [name, { content }])),
      settings: compilerSettings,
    }),
    {
      import: (path) => {
        try {
          return { contents: readFileSync(require.resolve(path), 'utf8') }
        } catch {
          return { error: `"${path}" is not installed.` }
        }
      },
    },
  ),
) as Compiled

const errors = (output.errors ?? []).filter((problem) => problem.severity === 'error')
if (errors.length > 0) throw new Error(errors.map((problem) => problem.formattedMessage).join('\n'))
for (const warning of output.errors ?? []) console.error(warning.formattedMessage)

const compiled = new Map(Object.values(output.contracts ?? {}).flatMap((contracts) => Object.entries(contracts)))
const contracts = contractNames.map((name) => {
  const contract = compiled.get(name)
  if (contract === undefined) throw new Error(`The sources hold no contract named ${name}.`)
  return [
    name,
    {
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
      deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
    },
  ]
})

const artifacts = { sourcesHash: hashSources(sources), compiler: solc.version(), ...Object.fromEntries(contracts) }
writeFileSync(new URL('artifacts.json', import.meta.url), `${JSON.stringify(artifacts)}\n`)
