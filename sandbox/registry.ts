import { encodeFunctionData, parseAbi, type Hex, zeroAddress } from 'viem'

import { contracts } from './addresses.ts'
import { rpcBatch } from './rpc.ts'
import { sendSteps } from './transactions.ts'
import { operator } from './wallets.ts'

export type Registration = {
  readonly metadataURI: string
  readonly manifestHash: Hex
  /** True for a tool that the holder of a tool pass may call. */
  readonly opensWithPass: boolean
}

const registryAbi = parseAbi([
  'function registerTool(string uri, bytes32 hash, address predicate) returns (uint256)',
  'function toolCount() view returns (uint256)',
])
const predicateAbi = parseAbi(['function setCollections(uint256 toolId, address[] collections)'])

/** Registers the tools in the ERC-8257 registry and returns their ids, in the order of the tools. */
export async function registerTools(rpcUrl: string, tools: readonly Registration[]): Promise<readonly bigint[]> {
  if (tools.length === 0) return []
  const { registry, ownerPredicate, toolPass } = contracts
  const counts = encodeFunctionData({ abi: registryAbi, functionName: 'toolCount' })
  const [count] = await rpcBatch(rpcUrl, [['eth_call', { to: registry, data: counts }, 'latest']])
  const first = BigInt(String(count)) + 1n
  const ids = tools.map((_, index) => first + BigInt(index))
  await sendSteps(rpcUrl, [
    ...tools.map(({ metadataURI, manifestHash, opensWithPass }) => {
      const predicate = opensWithPass ? ownerPredicate : zeroAddress
      const data = encodeFunctionData({
        abi: registryAbi,
        functionName: 'registerTool',
        args: [metadataURI, manifestHash, predicate],
      })
      return { from: operator, to: registry, data }
    }),
    ...ids
      .filter((_, index) => tools[index]?.opensWithPass)
      .map((id) => {
        const data = encodeFunctionData({ abi: predicateAbi, args: [id, [toolPass]] })
        return { from: operator, to: ownerPredicate, data }
      }),
  ])
  return ids
}
