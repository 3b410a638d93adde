import {
  cleanTextOrNull,
  erc20,
  multicall3,
  multicall3Reads,
  numberIn,
  RpcError,
  textIn,
  toQuantity,
  UpstreamError,
  type Upstreams,
  wordOf,
  wordsIn,
} from '../../../src/tool/tool.ts'
import { permit2, type Approval } from './approvals.ts'

type Chain = Upstreams['chain']
type Result = Awaited<ReturnType<Chain['multicall']>>[number]

export type Token = { readonly symbol: string | null; readonly name: string | null; readonly decimals: number | null }

/** Permit2's own `allowance(address,address,address)`. */
const allowanceOfPermit2 = '0x927da105'
/** One token can eat the gas of all in a batch; so many are asked for once more, alone. */
const maxSingles = 20

/** What the owner allows now, at one block; undefined where the contract does not say. An expired allowance is none. */
export async function allowancesOf(
  chain: Chain,
  owner: string,
  approvals: readonly Approval[],
  block: number,
): Promise<readonly (bigint | undefined)[]> {
  if (approvals.length === 0) return []
  const calls = approvals.map(({ token, spender, viaPermit2 }) =>
    viaPermit2
      ? { to: permit2, data: allowanceOfPermit2 + wordOf(owner) + wordOf(token) + wordOf(spender) }
      : { to: token, data: erc20.allowance + wordOf(owner) + wordOf(spender) },
  )
  const blockTag = toQuantity(block)
  const clockCall = { to: multicall3, data: multicall3Reads.getCurrentBlockTimestamp }
  const batch = await batchOf(chain, [clockCall, ...calls], blockTag)
  const [clock, ...results] = batch ?? [await singly(chain, clockCall, blockTag)]
  const now = numberIn(clock)
  // A node that lags behind does not know the block: then nothing is known, which is not the same as nothing allowed.
  if (now === undefined) throw new UpstreamError('base-rpc')
  let singles = batch === undefined ? calls.length : maxSingles
  return Promise.all(
    approvals.map(async ({ viaPermit2 }, index) => {
      const [result, call] = [results[index], calls[index]]
      const read = result === undefined ? undefined : allowanceIn(result, viaPermit2, now)
      if (read !== undefined || call === undefined || singles === 0) return read
      singles -= 1
      const again = await singly(chain, call, blockTag)
      return again === undefined ? undefined : allowanceIn(again, viaPermit2, now)
    }),
  )
}

/** Many reads at once; undefined where contracts eat even the gas that the batch needs to end. */
async function batchOf(
  chain: Chain,
  calls: Parameters<Chain['multicall']>[0],
  blockTag: string,
): Promise<readonly Result[] | undefined> {
  try {
    return await chain.multicall(calls, { blockTag })
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return undefined
  }
}

async function singly(
  chain: Chain,
  call: { readonly to: string; readonly data: string },
  blockTag: string,
): Promise<Result | undefined> {
  try {
    const data = await chain.request({ method: 'eth_call', params: [call, blockTag] })
    return typeof data === 'string' ? { success: true, data } : undefined
  } catch (error) {
    // A contract that refuses to say is left out of the answer; a node that fails fails the call.
    if (!(error instanceof RpcError)) throw error
    return undefined
  }
}

function allowanceIn(result: Result, viaPermit2: boolean, now: bigint): bigint | undefined {
  const [amount, expiration, nonce] = wordsIn(result)
  if (!viaPermit2) return amount
  if (nonce === undefined || expiration === undefined) return undefined
  return now > expiration ? 0n : amount
}

/** Names of tokens in one batch. Whatever a token does not say, or says wrongly, is null. */
export async function tokensOf(
  chain: Chain,
  addresses: readonly string[],
  block: number,
): Promise<ReadonlyMap<string, Token>> {
  if (addresses.length === 0) return new Map()
  const calls = addresses.flatMap((to) => [erc20.symbol, erc20.name, erc20.decimals].map((data) => ({ to, data })))
  // Names are an extra: where they cannot be had together, there are none.
  const results = (await batchOf(chain, calls, toQuantity(block))) ?? []
  return new Map(
    addresses.map((address, index) => {
      const [symbolRead, nameRead, decimalsRead] = results.slice(index * 3, index * 3 + 3)
      const places = numberIn(decimalsRead)
      return [
        address,
        {
          symbol: cleanTextOrNull(textIn(symbolRead), 64),
          name: cleanTextOrNull(textIn(nameRead), 64),
          decimals: places === undefined || places > 255n ? null : Number(places),
        },
      ]
    }),
  )
}
