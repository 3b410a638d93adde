import type { Chain as ViemChain, Hex, PublicClient, Transport } from 'viem'

import { UpstreamError } from '../../errors.ts'
import type { Chain } from './rpc.ts'
import { RpcError } from './rpc-error.ts'
import { multicall3 } from './abi.ts'
import { BudgetError, countLookUps } from '../http/budget.ts'

/**
 * Fetches what a contract's off-chain lookup (ERC-3668) points to: an address from the chain, so never a plain fetch.
 */
export type LookUp = (lookup: {
  readonly data: Hex
  readonly sender: Hex
  readonly urls: readonly string[]
}) => Promise<Hex>

export type ViemParts = {
  readonly name: string
  readonly chain: Omit<Chain, 'client'>
  readonly lookUp: LookUp
}

/** A viem client over our RPCs. viem and its chain list are large, so only the first call that needs it loads it. */
export async function createViemClient({ name, chain, lookUp }: ViemParts): ReturnType<Chain['client']> {
  const { createPublicClient, custom, defineChain, RpcRequestError } = await import('viem')
  const follow = await createLookUpGuard(name)
  const client: PublicClient<Transport, ViemChain> = createPublicClient({
    chain: defineChain({
      id: chain.chainId,
      name,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [] } },
      contracts: {
        multicall3: { address: multicall3 },
        ...(chain.chainId === 1 ? { ensUniversalResolver: { address: ensUniversalResolver } } : {}),
      },
    }),
    ccipRead: { request: lookUp },
    cacheTime: 0,
    transport: custom(
      {
        request: async ({ method, params }: { readonly method: string; readonly params?: readonly unknown[] }) => {
          try {
            return await chain.request({ method, params: params ?? [] })
          } catch (error) {
            if (!(error instanceof RpcError)) throw error
            follow(error.data)
            // The shape viem recognises a revert by.
            const { rpcCode: code, rpcMessage: message, data } = error
            throw new RpcRequestError({ body: { method }, error: { code, message, data }, url: 'rpc' })
          }
        },
      },
      { retryCount: 0 },
    ),
  })
  return new Proxy(client, { get: (target, key) => unwrapping(Reflect.get(target, key)) })
}

const ensUniversalResolver = '0xeeeeeeee14d718c2b47d9923deab1335e144eeee'

/** `OffchainLookup(address,string[],bytes,bytes4,bytes)` of ERC-3668. */
const offChain = '0x556f1830'
/** What stands instead of an address where several look-ups are to be made at once (ENSIP-21). */
const batchGateway = 'x-batch-gateway:true'
/** Look-ups that one contract may ask for at once: an address and an avatar, and some more. */
const mostAtOnce = 4
/** Look-ups that are followed on behalf of one call where no tool says less. */
const mostInAll = 100

/**
 * Looks at what a contract asks to be fetched before anything is. A batch may hold further batches without end, so that
 * one free question would become thousands of requests at somebody else.
 *
 * @throws UpstreamError where it asks for more than is followed.
 */
async function createLookUpGuard(name: string): Promise<(revert: string | undefined) => void> {
  const { decodeErrorResult, decodeFunctionData, isHex, parseAbi } = await import('viem')
  const abi = parseAbi([
    'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
    'struct Query { address sender; string[] urls; bytes data; }',
    'function query(Query[] queries) returns (bool[], bytes[])',
  ])
  let followed = 0

  function countOf(data: Hex): number {
    const {
      args: [, urls, callData],
    } = decodeErrorResult({ abi, data })
    if (!urls.includes(batchGateway)) return 1
    const {
      args: [queries],
    } = decodeFunctionData({ abi, data: callData })
    const isNested = queries.some((query) => query.urls.includes(batchGateway))
    return isNested ? Infinity : queries.length
  }

  return (revert) => {
    if (revert?.startsWith(offChain) !== true || !isHex(revert)) return
    let count: number
    try {
      count = countOf(revert)
    } catch (cause) {
      throw new UpstreamError(name, 'A name asks for a look-up that cannot be read.', { cause })
    }
    followed += count
    if (count > mostAtOnce || followed > mostInAll) {
      throw new UpstreamError(name, 'A name asks for more look-ups off the chain than are followed.')
    }
    countLookUps(count)
  }
}

/** viem wraps what its transport throws; a service that is down must still look like one. */
function unwrapping(member: unknown): unknown {
  if (typeof member !== 'function') return member
  return (...args: readonly unknown[]): unknown => {
    const returned: unknown = Reflect.apply(member, undefined, args)
    if (!(returned instanceof Promise)) return returned
    return returned.catch((error: unknown) => {
      throw upstreamErrorIn(error) ?? error
    })
  }
}

function upstreamErrorIn(error: unknown): UpstreamError | BudgetError | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof UpstreamError || at instanceof BudgetError) return at
  }
  return undefined
}
