/**
 * Compiles the contracts that tools are shown against to `artifacts.snap.json` in their folders.
 *
 *     node scripts/labelled-contracts.ts
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

import { compileSolidity } from '../sandbox/contracts/solc.ts'

const slugs = ['contract-safety-scanner', 'erc20-approval-audit'] as const

type Slug = (typeof slugs)[number]

function folderOf(slug: Slug): URL {
  return new URL(`../tools/site/${slug}/contracts/`, import.meta.url)
}

/** Metadata stays in, as compilers leave it: what reads the code must not take it for instructions. */
export const solidityOfStrangers = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const

function readSources(slug: Slug): readonly (readonly [name: string, content: string])[] {
  return readdirSync(folderOf(slug))
    .filter((name) => name.endsWith('.sol'))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folderOf(slug)), 'utf8')])
}

/** Changes when a source or the way it is compiled changes. */
export function sourcesHashOf(slug: Slug): string {
  return createHash('sha256')
    .update(JSON.stringify([solidityOfStrangers, readSources(slug)]))
    .digest('hex')
}

async function compile(slug: Slug): Promise<Readonly<Record<string, unknown>>> {
  const { contracts } = await compileSolidity(readSources(slug), solidityOfStrangers)
  return Object.fromEntries(
    contracts
      // Interfaces, libraries that are inlined and what is only inherited from are not deployed.
      .filter(({ file, name, artifact }) => artifact.bytecode !== '0x' && (!file.startsWith('@') || kept.test(name)))
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ name, artifact }) => [name, artifact]),
  )
}

/** What is deployed of the library itself. */
const kept = /(ERC1967Proxy|TransparentUpgradeableProxy|ProxyAdmin|UpgradeableBeacon|BeaconProxy)$/

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const slug of slugs) {
    const artifacts = { sourcesHash: sourcesHashOf(slug), contracts: await compile(slug) }
    writeFileSync(new URL('artifacts.snap.json', folderOf(slug)), `${JSON.stringify(artifacts)}\n`)
    console.log(`${slug}: ${Object.keys(artifacts.contracts).length} contracts compiled.`)
  }
}
