/**
 * Compiles the contracts that tools are shown against to `artifacts.snap.json` in their folders.
 *
 *     node scripts/labelled-contracts.ts
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

import { z } from 'zod'

const slugs = ['contract-safety-scanner', 'erc20-approval-audit'] as const

type Slug = (typeof slugs)[number]

function folderOf(slug: Slug): URL {
  return new URL(`../tools/site/${slug}/contracts/`, import.meta.url)
}

const require = createRequire(import.meta.url)

/** Metadata stays in, as compilers leave it: what reads the code must not take it for instructions. */
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const

const hex = z.object({ object: z.string().regex(/^[0-9a-f]*$/) })
const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  // Where an error was found there are none.
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({ abi: z.array(z.unknown()), evm: z.object({ bytecode: hex, deployedBytecode: hex }) }),
      ),
    )
    .default({}),
})

function readSources(slug: Slug): readonly (readonly [name: string, content: string])[] {
  return readdirSync(folderOf(slug))
    .filter((name) => name.endsWith('.sol'))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folderOf(slug)), 'utf8')])
}

/** Changes when a source or the way it is compiled changes. */
export function sourcesHashOf(slug: Slug): string {
  return createHash('sha256')
    .update(JSON.stringify([settings, readSources(slug)]))
    .digest('hex')
}

function compile(slug: Slug): Readonly<Record<string, unknown>> {
  const solc = require('solc') as {
    compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string
  }
  const sources = Object.fromEntries(readSources(slug).map(([name, content]) => [name, { content }]))
  const answer = solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }), {
    import: (path) => {
      try {
        return { contents: readFileSync(require.resolve(path), 'utf8') }
      } catch {
        return { error: `"${path}" is not installed.` }
      }
    },
  })
  const { errors = [], contracts } = outputSchema.parse(JSON.parse(answer))
  const fatal = errors.filter(({ severity }) => severity === 'error')
  if (fatal.length > 0) throw new Error(fatal.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.entries(contracts)
      .flatMap(([path, file]) => Object.entries(file).map(([name, one]) => [name, one, !path.startsWith('@')] as const))
      // Interfaces, libraries that are inlined and what is only inherited from are not deployed.
      .filter(([name, { evm }, isOwn]) => evm.bytecode.object !== '' && (isOwn || kept.test(name)))
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` },
      ]),
  )
}

/** What is deployed of the library itself. */
const kept = /(ERC1967Proxy|TransparentUpgradeableProxy|ProxyAdmin|UpgradeableBeacon|BeaconProxy)$/

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const slug of slugs) {
    const artifacts = { sourcesHash: sourcesHashOf(slug), contracts: compile(slug) }
    writeFileSync(new URL('artifacts.snap.json', folderOf(slug)), `${JSON.stringify(artifacts)}\n`)
    console.log(`${slug}: ${Object.keys(artifacts.contracts).length} contracts compiled.`)
  }
}
