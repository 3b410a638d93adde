import { multicall3, type RawCall, type RawResult } from '../upstream/chain/multicall.ts'
import type { Upstreams } from '../upstream/upstreams.ts'
import { UpstreamError } from '../errors.ts'

/** The topic of an ERC-20 `Transfer(address,address,uint256)`. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const getBlockNumber = '0x42cbb15c'

/** An address or a number as one word of call data or a topic, without `0x`. */
export function wordOf(value: string | bigint): string {
  return (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')
}

/** The number a contract returned, or undefined where it returned none: an address without code returns nothing. */
export function numberIn(result: RawResult | undefined): bigint | undefined {
  return result?.success === true && /^0x[0-9a-fA-F]{64}/.test(result.data)
    ? BigInt(result.data.slice(0, 66))
    : undefined
}

/** The address in the last 20 bytes of a word, in lower case. */
export function addressIn(word: string): string {
  return `0x${word.slice(-40).toLowerCase()}`
}

/** A token amount in whole tokens, digit for digit and without zeros at the end: `1500000` with 6 decimals is `1.5`. */
export function formatAmount(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return digits.slice(0, digits.length - decimals) + (fraction === '' || decimals === 0 ? '' : `.${fraction}`)
}

/**
 * Many reads in one request, and the number of the block they are true at.
 *
 * @throws UpstreamError where the batch does not tell its block.
 */
export async function readAt(
  chain: Pick<Upstreams['chain'], 'multicall'>,
  calls: readonly RawCall[],
): Promise<{ readonly block: number; readonly results: readonly RawResult[] }> {
  const [first, ...results] = await chain.multicall([{ to: multicall3, data: getBlockNumber }, ...calls])
  const block = numberIn(first)
  if (block === undefined) throw new UpstreamError('base-rpc')
  return { block: Number(block), results }
}
