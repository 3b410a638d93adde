import type { Chain as ViemChain, Hex, PublicClient, Transport } from 'viem'

import { UpstreamError } from '../../errors.ts'
import type { Chain } from './rpc.ts'
import { RpcError } from './rpc-error.ts'
import { multicall3 } from './abi.ts'

/** Fetches what a contract's off-chain lookup (ERC-3668) points to: an address from the chain, so never a plain fetch. */
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

function upstreamErrorIn(error: unknown): UpstreamError | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof UpstreamError) return at
  }
  return undefined
}
