import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const here = new URL('./', import.meta.url)

/** The Solidity sources by file name, in the order of the alphabet. */
export function readSources(): ReadonlyMap<string, string> {
  const names = readdirSync(here)
    .filter((name) => name.endsWith('.sol'))
    .sort()
  return new Map(names.map((name) => [name, readFileSync(new URL(name, here), 'utf8')]))
}

/** Changes when a source or the way it is compiled changes. */
export function hashSources(sources: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([compilerSettings, [...sources]]))
    .digest('hex')
}

/** What is compiled, and how: `cancun` is what every client library of the day can simulate. */
export const compilerSettings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const

/** The contracts whose artifacts are kept. */
export const contractNames = [
  'AgentCertRegistry',
  'DemoHoneypot',
  'DemoProxy',
  'DemoVault',
  'ERC721OwnerPredicate',
  'GasPriceOracle',
  'Multicall3',
  'NativeToken',
  'Permit2',
  'SandboxAERO',
  'SandboxCbBTC',
  'SandboxUSDC',
  'SandboxWETH',
  'SmartWallet',
  'StakedNative',
  'ToolPass',
  'ToolRegistry8257',
] as const
