import { type Abi, type Address, encodeDeployData, getContractAddress, type Hex, keccak256, toBytes, toHex } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { type Anvil, startAnvil } from '../sandbox/anvil.ts'
import sandboxArtifacts from '../sandbox/contracts/artifacts.json' with { type: 'json' }
import { rpc, rpcBatch } from '../sandbox/rpc.ts'
import { sendSteps } from '../sandbox/transactions.ts'
import { CallError } from '../src/tool/tool.ts'
import certificates from '../tools/site/agent-cert-check/tool.ts'
import inspector from '../tools/site/contract-abi-inspector/tool.ts'
import scanner from '../tools/site/contract-safety-scanner/tool.ts'
import artifacts from '../tools/site/erc20-approval-audit/contracts/artifacts.snap.json' with { type: 'json' }
import audit from '../tools/site/erc20-approval-audit/tool.ts'
import { testSettings } from './harness/run-tool.ts'
import { runOnChain } from './harness/on-chain.ts'

const sender: Address = `0x${keccak256(toBytes('hostile contracts')).slice(-40)}`
const { abi, bytecode } = artifacts.contracts.LyingToken
/** What `LyingToken` does with any question, by its mode. */
const modes = ['burns all gas', 'returns a megabyte', 'refuses with a megabyte'] as const
let anvil: Anvil
const hostile = new Map<string, Address>()

beforeAll(async () => {
  // The replay says aloud that no other service was recorded.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  anvil = await startAnvil({ chainId: 8453, port: 0, genesisTimestamp: Math.floor(Date.now() / 1_000) - 10_000 })
  await rpcBatch(anvil.rpcUrl, [
    ['anvil_setCode', '0xcA11bde05977b3631167028862bE2a173976CA11', sandboxArtifacts.Multicall3.deployedBytecode],
    ['anvil_setBalance', sender, toHex(10n ** 22n)],
  ])
  for (const [index, mode] of modes.entries()) {
    const nonce = BigInt((await rpc(anvil.rpcUrl, 'eth_getTransactionCount', sender, 'pending')) as string)
    const data = encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args: [index + 3] })
    await sendSteps(anvil.rpcUrl, [{ from: sender, data }])
    hostile.set(mode, getContractAddress({ from: sender, nonce }))
  }
})
afterAll(async () => {
  vi.restoreAllMocks()
  await anvil.stop()
})

const asks = [
  [
    'contract-abi-inspector',
    (address: string, at: object) => runOnChain(inspector, { address }, { rpcUrl: anvil.rpcUrl, ...at }),
  ],
  [
    'contract-safety-scanner',
    (address: string, at: object) => runOnChain(scanner, { address }, { rpcUrl: anvil.rpcUrl, ...at }),
  ],
  [
    'agent-cert-check',
    (address: string, at: object) => runOnChain(certificates, { address }, { rpcUrl: anvil.rpcUrl, ...at }),
  ],
  [
    'erc20-approval-audit',
    (owner: string, at: object) => runOnChain(audit, { owner }, { rpcUrl: anvil.rpcUrl, ...at }),
  ],
] as const

it.each(asks.flatMap(([slug, ask]) => modes.map((mode) => [slug, mode, ask] as const)))(
  '%s asked about a contract that %s answers within bounds, or says in our words why not',
  async (_slug, mode, ask) => {
    const address = hostile.get(mode) ?? sender
    // The contract also stands where the operator would have a registry of certificates.
    const settings = { ...testSettings, certificates: address, registry: address }
    const outcome = await ask(address, { settings, deadlineMs: 15_000 }).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(CallError)
      expect(outcome.message.length).toBeLessThan(500)
      return
    }
    expect(JSON.stringify(outcome).length).toBeLessThan(256 * 1024)
  },
)
