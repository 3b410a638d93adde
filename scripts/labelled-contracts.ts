/**
 * Compiles the contracts that tools are shown against to `artifacts.snap.json` in their folders.
 *
 *     node scripts/labelled-contracts.ts
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

import { z } from 'zod'

import { compileSolidity } from '../sandbox/contracts/solc.ts'

/** Sources that are compiled together, each beside what they are compiled to. */
const folders = {
  'contract-safety-scanner': 'contract-safety-scanner/contracts/',
  // The newest set: the older ones are dumps of the chain on which they were deployed.
  'contract-safety-scanner, eighth set': 'contract-safety-scanner/contracts/eighth/',
  'erc20-approval-audit': 'erc20-approval-audit/contracts/',
} as const

type Sources = keyof typeof folders

function folderOf(name: Sources): URL {
  return new URL(`../tools/site/${folders[name]}`, import.meta.url)
}

/** Metadata stays in, as compilers leave it: what reads the code must not take it for instructions. */
export const solidityOfStrangers = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const

function readSources(name: Sources): readonly (readonly [file: string, content: string])[] {
  return readdirSync(folderOf(name))
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => [file, readFileSync(new URL(file, folderOf(name)), 'utf8')])
}

/** Changes when a source or the way it is compiled changes. */
export function sourcesHashOf(name: Sources): string {
  return createHash('sha256')
    .update(JSON.stringify([solidityOfStrangers, readSources(name)]))
    .digest('hex')
}

async function compile(sources: Sources): Promise<Readonly<Record<string, unknown>>> {
  const { contracts } = await compileSolidity(readSources(sources), solidityOfStrangers)
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
  const all = z.array(z.custom<Sources>((name) => typeof name === 'string' && name in folders))
  for (const name of all.parse(Object.keys(folders))) {
    const artifacts = { sourcesHash: sourcesHashOf(name), contracts: await compile(name) }
    writeFileSync(new URL('artifacts.snap.json', folderOf(name)), `${JSON.stringify(artifacts)}\n`)
    console.log(`${name}: ${Object.keys(artifacts.contracts).length} contracts compiled.`)
  }
}
