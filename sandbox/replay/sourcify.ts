import { contracts } from '../addresses.ts'
import artifacts from '../contracts/artifacts.json' with { type: 'json' }
import { segmentsOf, type Replay } from './replay.ts'

/** The Sourcify registry. It holds what the explorer of the sandbox holds least of: one source, of the vault. */
export const sourcify: Replay = {
  name: 'SOURCIFY',
  notFound: { customCode: 'not_found', message: 'Not found' },
  answer({ path }, { now }) {
    const [server, version, kind, chainId, address] = segmentsOf(path)
    if (server !== 'server' || version !== 'v2' || kind !== 'contract' || address === undefined) return undefined
    const head = { creationMatch: null, runtimeMatch: null, chainId, address }
    if (address.toLowerCase() !== contracts.demoVault.toLowerCase()) {
      return { status: 404, body: { match: null, ...head } }
    }
    const body = {
      ...head,
      match: 'exact_match',
      runtimeMatch: 'exact_match',
      verifiedAt: new Date(now.getTime() - 3 * 86_400_000).toISOString(),
      abi: artifacts.DemoVault.abi,
      compilation: {
        language: 'Solidity',
        compiler: 'solc',
        compilerVersion: '0.8.37',
        compilerSettings: { evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 } },
        name: 'DemoVault',
        fullyQualifiedName: 'Demo.sol:DemoVault',
      },
      sources: { 'Demo.sol': { content: '// The source of DemoVault is in the sandbox’s folder of contracts.\n' } },
    }
    return { status: 200, body }
  },
}
