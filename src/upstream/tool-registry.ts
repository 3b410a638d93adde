import { UpstreamError } from '../errors.ts'
import type { Chain } from './chain.ts'

/** A tool as the ERC-8257 registry knows it. */
export type RegistryEntry = {
  readonly toolId: bigint
  readonly creator: string
  readonly metadataUri: string
  readonly manifestHash: string
  readonly accessPredicate: string
}

export type RegistryListing = {
  /** Ids given out so far, those of tools that are gone included. */
  readonly slots: number
  readonly entries: readonly RegistryEntry[]
  readonly readAt: Date
}

export type ToolRegistry = {
  /** Every registered tool, in the order of the ids. @throws UpstreamError */
  readonly list: () => Promise<RegistryListing>
}

/** `ToolConfig getToolConfig(uint256)`: the whole of what ERC-8257 keeps of a tool. */
const configAbi = [
  {
    type: 'function',
    name: 'getToolConfig',
    stateMutability: 'view',
    inputs: [{ name: 'toolId', type: 'uint256' }],
    outputs: [
      {
        type: 'tuple',
        components: [
          { name: 'creator', type: 'address' },
          { name: 'metadataURI', type: 'string' },
          { name: 'manifestHash', type: 'bytes32' },
          { name: 'accessPredicate', type: 'address' },
        ],
      },
    ],
  },
] as const

const toolCountSelector = '0xfaf23b23'
const getConfigSelector = '0xa0178453'
/** Reads in one call of the multicall contract; more would run into the gas limit of free nodes. */
const batch = 100
/** More tools than this are not read: a directory that large needs an index of its own. */
const mostSlots = 10_000

type Parts = {
  readonly chain: Pick<Chain, 'request' | 'multicall'>
  readonly address: string
  readonly now: () => Date
}

/** Reads the registry at an address through a chain client. */
export function createToolRegistry({ chain, address, now }: Parts): ToolRegistry {
  return {
    list: async () => {
      const count = await chain.request({
        method: 'eth_call',
        params: [{ to: address, data: toolCountSelector }, 'latest'],
      })
      if (typeof count !== 'string' || !/^0x[0-9a-f]{64}$/i.test(count)) {
        throw new UpstreamError('tool-registry', 'There is no tool registry at the configured address.')
      }
      const slots = Math.min(Number(BigInt(count)), mostSlots)
      const ids = Array.from({ length: slots }, (_, index) => BigInt(index + 1))
      const { decodeFunctionResult, isHex } = await import('viem')
      const entries: RegistryEntry[] = []
      for (let start = 0; start < ids.length; start += batch) {
        const part = ids.slice(start, start + batch)
        const answers = await chain.multicall(
          part.map((id) => ({
            to: address,
            data: `${getConfigSelector}${id.toString(16).padStart(64, '0')}` as const,
          })),
        )
        for (const [index, answer] of answers.entries()) {
          const toolId = part[index]
          // A slot that was given back reverts; it is no error of ours and no tool.
          if (!answer.success || toolId === undefined || !isHex(answer.data)) continue
          const config = decodeFunctionResult({ abi: configAbi, functionName: 'getToolConfig', data: answer.data })
          entries.push({
            toolId,
            creator: config.creator.toLowerCase(),
            metadataUri: config.metadataURI,
            manifestHash: config.manifestHash.toLowerCase(),
            accessPredicate: config.accessPredicate.toLowerCase(),
          })
        }
      }
      return { slots, entries, readAt: now() }
    },
  }
}
