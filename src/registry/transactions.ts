import { CallError } from '../errors.ts'
import type { Chain } from '../upstream/chain/rpc.ts'
import type { RegistryEntry } from './client.ts'
import { type AiToolDocument, ownerPredicate } from './manifest.ts'
import type { RegistryAction } from './plan.ts'

/** A transaction as a wallet wants it, and what it is for. */
export type Transaction = {
  readonly description: string
  readonly to: `0x${string}`
  readonly data: `0x${string}`
}

const toolRegisteredTopic = '0xe7be7fd3c802f61682f56ba817276b1cc81fbee7cb50705c8ed7952811dac397'

/** What the pass predicate lets in for each of the given entries. */
export async function readCollections(
  chain: Pick<Chain, 'multicall'>,
  entries: readonly RegistryEntry[],
): Promise<ReadonlyMap<bigint, readonly string[]>> {
  const gated = entries.filter((entry) => entry.accessPredicate === ownerPredicate)
  if (gated.length === 0) return new Map()
  const { decodeFunctionResult, encodeFunctionData } = await import('viem')
  const { predicateAbi } = await abis()
  const answers = await chain.multicall(
    gated.map(({ toolId }) => ({
      to: ownerPredicate,
      data: encodeFunctionData({ abi: predicateAbi, functionName: 'getCollections', args: [toolId] }),
    })),
  )
  const known = new Map<bigint, readonly string[]>()
  for (const [index, { toolId }] of gated.entries()) {
    const answer = answers[index]
    if (answer?.success !== true || !isHex(answer.data)) continue
    const list = decodeFunctionResult({ abi: predicateAbi, functionName: 'getCollections', data: answer.data })
    known.set(
      toolId,
      list.map((address) => address.toLowerCase()),
    )
  }
  return known
}

/** Every transaction of the actions; ids of tools that are yet to be registered are foreseen from `slots`. */
export async function transactionsOf(
  actions: readonly RegistryAction[],
  registry: `0x${string}`,
  slots: number,
): Promise<readonly Transaction[]> {
  let nextId = BigInt(slots)
  const transactions: Transaction[] = []
  for (const action of actions) {
    transactions.push(await transactionOf(action, registry))
    if (action.kind !== 'register') continue
    nextId += 1n
    if (action.tool.collections.length === 0) continue
    const follower = await transactionOf({ kind: 'set-collections', toolId: nextId, tool: action.tool }, registry)
    transactions.push({
      ...follower,
      description: `${follower.description}; holds only if ${nextId} is the id that the registration before gets`,
    })
  }
  return transactions
}

/** One action as a transaction. */
export async function transactionOf(action: RegistryAction, registry: `0x${string}`): Promise<Transaction> {
  const { encodeFunctionData, getAddress } = await import('viem')
  const { registryAbi, predicateAbi } = await abis()
  switch (action.kind) {
    case 'register': {
      const { url, predicate, slug } = action.tool
      const data = encodeFunctionData({
        abi: registryAbi,
        functionName: 'registerTool',
        args: [url, hashOf(action.tool), getAddress(predicate)],
      })
      return { to: registry, data, description: `Register ${slug} with the manifest at ${url}` }
    }
    case 'update': {
      const { toolId, tool } = action
      const args = [toolId, tool.url, hashOf(tool)] as const
      const data = encodeFunctionData({ abi: registryAbi, functionName: 'updateToolMetadata', args })
      return { to: registry, data, description: `Point tool ${toolId}, ${tool.slug}, at ${tool.url} as it is now` }
    }
    case 'set-predicate': {
      const { toolId, tool } = action
      const args = [toolId, getAddress(tool.predicate)] as const
      const data = encodeFunctionData({ abi: registryAbi, functionName: 'setAccessPredicate', args })
      return {
        to: registry,
        data,
        description: `Let ${tool.predicate} decide who may use tool ${toolId}, ${tool.slug}`,
      }
    }
    case 'set-collections': {
      const { toolId, tool } = action
      const args = [toolId, tool.collections.map((one) => getAddress(one))] as const
      const data = encodeFunctionData({ abi: predicateAbi, functionName: 'setCollections', args })
      const holders = tool.collections.join(', ')
      return { to: ownerPredicate, data, description: `Open tool ${toolId}, ${tool.slug}, to holders of ${holders}` }
    }
    case 'deregister': {
      const data = encodeFunctionData({ abi: registryAbi, functionName: 'deregisterTool', args: [action.toolId] })
      return { to: registry, data, description: `Give up tool ${action.toolId}, ${action.slug}, for good` }
    }
  }
}

/** What a transaction left once it is in a block. */
export type Receipt = {
  readonly transactionHash: string
  readonly logs: readonly { readonly topics: readonly string[] }[]
}

/**
 * The id that a registration got: the first topic of its event,
 * `ToolRegistered(uint256,address,address,string,bytes32)`.
 */
export function registeredIdOf({ logs }: Receipt): bigint {
  const event = logs.find(({ topics }) => topics[0] === toolRegisteredTopic)
  const id = event?.topics[1]
  if (id === undefined) throw new CallError('unavailable', 'The registration left no event with its id.')
  return BigInt(id)
}

/** Loaded with viem: the command line must start without it. */
async function abis() {
  const { parseAbi } = await import('viem')
  return {
    registryAbi: parseAbi([
      'function registerTool(string metadataURI, bytes32 manifestHash, address accessPredicate) returns (uint256 toolId)',
      'function updateToolMetadata(uint256 toolId, string newURI, bytes32 newHash)',
      'function setAccessPredicate(uint256 toolId, address newPredicate)',
      'function deregisterTool(uint256 toolId)',
    ]),
    predicateAbi: parseAbi([
      'function setCollections(uint256 toolId, address[] collections)',
      'function getCollections(uint256 toolId) view returns (address[])',
    ]),
  }
}

function hashOf({ hash, slug }: AiToolDocument): `0x${string}` {
  if (isHex(hash)) return hash
  throw new Error(`The manifest of ${slug} has no hash.`)
}

/** Whether a text is hexadecimal, as chains write it. */
export function isHex(text: string | undefined): text is `0x${string}` {
  return text !== undefined && /^0x[0-9a-fA-F]+$/.test(text)
}
