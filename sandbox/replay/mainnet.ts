import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionResult,
  isAddressEqual,
  parseAbi,
  toHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { normalize, packetToBytes } from 'viem/ens'

import { demoWallets } from '../wallets.ts'
import type { Replay } from './replay.ts'

type Call = { readonly id: unknown; readonly method: string; readonly params?: readonly unknown[] }

const universalResolver = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'
const resolver = '0x5AFe000000000000000000000000000000000005'
const secondsPerBlock = 12

const resolverAbi = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes, address)',
  'function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes, address)',
  'function reverse(bytes lookupAddress, uint256 coinType) view returns (string, address, address)',
  'function reverseWithGateways(bytes lookupAddress, uint256 coinType, string[] gateways) view returns (string, address, address)',
  'error ResolverNotFound(bytes name)',
])
const profileAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function text(bytes32 node, string key) view returns (string)',
])
const coinAbi = parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes)'])
const multicallAbi = parseAbi(['function multicall(bytes[] data) view returns (bytes[])'])

/** The names of the demo wallets. */
function names(): readonly { readonly name: string; readonly address: Address }[] {
  const { payer, holder } = demoWallets()
  return [
    { name: 'payer.tollgate-demo.eth', address: payer.address },
    { name: 'holder.tollgate-demo.eth', address: holder.address },
  ]
}

/** An RPC of Ethereum that knows its chain id, its time and the names of the demo wallets, and nothing else. */
export const mainnet: Replay = {
  name: 'MAINNET',
  notFound: { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'invalid request' } },
  answer({ method, body }, { now }) {
    if (method !== 'POST') return undefined
    const calls = JSON.parse(body) as Call | readonly Call[]
    const answers = Array.isArray(calls) ? calls.map((call: Call) => answerOf(call, now)) : answerOf(calls as Call, now)
    return { status: 200, body: answers }
  },
}

function answerOf({ id, method, params = [] }: Call, now: Date): Readonly<Record<string, unknown>> {
  const seconds = Math.floor(now.getTime() / 1000)
  const number = toHex(Math.floor(seconds / secondsPerBlock))
  const result: Readonly<Record<string, () => unknown>> = {
    eth_chainId: () => '0x1',
    net_version: () => '1',
    eth_blockNumber: () => number,
    eth_gasPrice: () => toHex(900_000_000),
    eth_getBalance: () => '0x0',
    eth_getCode: () => '0x',
    eth_getBlockByNumber: () => ({
      number,
      hash: toHex(seconds, { size: 32 }),
      timestamp: toHex(seconds - (seconds % secondsPerBlock)),
      baseFeePerGas: toHex(900_000_000),
      transactions: [],
    }),
    eth_call: () => callResult(params[0] as { readonly to?: Address; readonly data?: Hex }),
  }
  const read = result[method]
  if (read === undefined) return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'the method does not exist' } }
  const value = read()
  if (value instanceof Refusal) {
    return { jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted', data: value.data } }
  }
  return { jsonrpc: '2.0', id, result: value }
}

class Refusal {
  readonly data: Hex

  constructor(name: Hex) {
    this.data = encodeErrorResult({ abi: resolverAbi, errorName: 'ResolverNotFound', args: [name] })
  }
}

function callResult({ to, data }: { readonly to?: Address; readonly data?: Hex }): Hex | Refusal {
  if (to === undefined || data === undefined || !isAddressEqual(to, universalResolver)) return '0x'
  const { functionName, args } = decodeFunctionData({ abi: resolverAbi, data })
  if (functionName === 'reverse' || functionName === 'reverseWithGateways') {
    const known = names().find(({ address }) => address.toLowerCase() === args[0].toLowerCase())
    // The real resolver answers an empty name for an address without one.
    return encodeFunctionResult({ abi: resolverAbi, functionName, result: [known?.name ?? '', resolver, resolver] })
  }
  const known = names().find(({ name }) => toHex(packetToBytes(normalize(name))) === args[0])
  if (known === undefined) return new Refusal(args[0])
  return encodeFunctionResult({
    abi: resolverAbi,
    functionName,
    result: [profileResult(args[1], known.address), resolver],
  })
}

/** What the name's own resolver says: an address on Ethereum, and no text. */
function profileResult(data: Hex, address: Address): Hex {
  if (data.startsWith('0xac9650d8')) {
    const [calls] = decodeFunctionData({ abi: multicallAbi, data }).args
    return encodeFunctionResult({ abi: multicallAbi, result: calls.map((call) => profileResult(call, address)) })
  }
  if (data.startsWith('0xf1cb7e06')) {
    const [, coinType] = decodeFunctionData({ abi: coinAbi, data }).args
    return encodeAbiParameters([{ type: 'bytes' }], [coinType === 60n ? address : '0x'])
  }
  if (data.startsWith('0x3b3b57de')) {
    return encodeFunctionResult({ abi: profileAbi, functionName: 'addr', result: address })
  }
  if (data.startsWith('0x59d1d43c')) return encodeFunctionResult({ abi: profileAbi, functionName: 'text', result: '' })
  return encodeAbiParameters([{ type: 'address' }], [zeroAddress])
}
