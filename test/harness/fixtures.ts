import { type Abi, type AbiFunction, encodeFunctionResult, encodeFunctionData, multicall3Abi, parseAbi } from 'viem'

import type { Exchange, Fixture, RpcExchange } from './run-tool.ts'

/** One read of a contract: what is asked, and what it answers; `fails` where it reverts. */
export type Read = {
  readonly to: string
  /** As Solidity writes it: `function symbol() view returns (string)`. */
  readonly read: string
  readonly args?: readonly unknown[]
  readonly returns?: unknown
  readonly fails?: boolean
}

type Stage = {
  readonly now?: string
  readonly note?: string
  readonly settings?: Readonly<Record<string, unknown>>
}

const defaults = { note: 'Written by hand for this project; all of it is made up.', now: '2026-11-20T12:00:00Z' }

/**
 * A fixture in which the chain answers: `multicall` is one batch of reads, `calls` are reads by themselves, and `rpc`
 * is any other method. Nobody encodes an ABI by hand.
 */
export function rpcFixture({
  multicall = [],
  calls = [],
  rpc = [],
  ...stage
}: Stage & {
  readonly multicall?: readonly Read[]
  readonly calls?: readonly Read[]
  readonly rpc?: readonly RpcExchange[]
}): Fixture & Stage {
  const batch: readonly RpcExchange[] =
    multicall.length === 0 ? [] : [{ method: 'eth_call', result: batchOf(multicall) }]
  return { ...defaults, ...stage, exchanges: [], rpc: [...calls.map(callOf), ...rpc, ...batch] }
}

/** A fixture in which web services answer, each by its full address. */
export function httpFixture({ answers, ...stage }: Stage & { readonly answers: readonly Exchange[] }): Fixture & Stage {
  return { ...defaults, ...stage, exchanges: answers }
}

function batchOf(reads: readonly Read[]): string {
  return encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: reads.map((read) => ({
      success: read.fails !== true,
      returnData: read.fails === true ? '0x' : resultOf(read),
    })),
  })
}

function callOf(read: Read): RpcExchange {
  const [, name] = functionOf(read)
  const data = encodeFunctionData({ abi: functionOf(read)[0], functionName: name, args: [...(read.args ?? [])] })
  const params = [{ to: read.to, data }, 'latest']
  return read.fails === true
    ? { method: 'eth_call', params, error: { code: 3, message: 'execution reverted' } }
    : { method: 'eth_call', params, result: resultOf(read) }
}

function resultOf(read: Read): `0x${string}` {
  const [abi, functionName] = functionOf(read)
  return encodeFunctionResult({ abi, functionName, result: read.returns })
}

function functionOf({ read }: Read): readonly [Abi, string] {
  const abi: Abi = parseAbi([read]) as Abi
  const [one] = abi.filter((part): part is AbiFunction => part.type === 'function')
  if (one === undefined) throw new Error(`“${read}” is no function.`)
  return [abi, one.name]
}
