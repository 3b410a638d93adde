import { UpstreamError } from '../../errors.ts'
import { multicall3, multicall3Reads, numberIn, type RawCall, type RawResult, wordOf } from './abi.ts'

const aggregate3 = '82ad56cb'
const wordDigits = 64

/** The call data of Multicall3's `aggregate3` with every single failure allowed, without loading an ABI library. */
export function encodeAggregate3(calls: readonly RawCall[]): string {
  const tuples = calls.map(({ to, data }) => {
    const bytes = data.slice(2)
    const padded = bytes.padEnd(Math.ceil(bytes.length / wordDigits) * wordDigits, '0')
    return [wordOf(to), word(1), word(0x60), word(bytes.length / 2), padded].join('')
  })
  let offset = tuples.length * 32
  const offsets = tuples.map((tuple) => {
    const here = word(offset)
    offset += tuple.length / 2
    return here
  })
  return ['0x', aggregate3, word(0x20), word(tuples.length), ...offsets, ...tuples].join('')
}

/**
 * Reads what `aggregate3` returned.
 *
 * @throws RangeError where the data is not that of `count` results.
 */
export function decodeAggregate3(returned: string, count: number): readonly RawResult[] {
  const hex = returned.slice(2)
  const array = numberAt(hex, 0)
  if (numberAt(hex, array) !== count) throw new RangeError('The batch came back with another number of results.')
  const first = array + 32
  return Array.from({ length: count }, (_value, index) => {
    const tuple = first + numberAt(hex, first + index * 32)
    const bytes = tuple + numberAt(hex, tuple + 32)
    const length = numberAt(hex, bytes)
    return { success: numberAt(hex, tuple) === 1, data: `0x${slice(hex, bytes + 32, length)}` }
  })
}

/**
 * Many reads in one request, and the number of the block they are true at.
 *
 * @throws UpstreamError where the batch does not tell its block.
 */
export async function readAt(
  chain: { readonly multicall: (calls: readonly RawCall[]) => Promise<readonly RawResult[]> },
  calls: readonly RawCall[],
): Promise<{ readonly block: number; readonly results: readonly RawResult[] }> {
  const [first, ...results] = await chain.multicall([
    { to: multicall3, data: multicall3Reads.getBlockNumber },
    ...calls,
  ])
  const block = numberIn(first)
  if (block === undefined) throw new UpstreamError('base-rpc')
  return { block: Number(block), results }
}

function word(value: number): string {
  return wordOf(BigInt(value))
}

function numberAt(hex: string, byte: number): number {
  const value = BigInt(`0x${slice(hex, byte, 32)}`)
  if (value > 0xffff_ffffn) throw new RangeError('The batch came back with an offset beyond its end.')
  return Number(value)
}

function slice(hex: string, byte: number, length: number): string {
  const part = hex.slice(byte * 2, (byte + length) * 2)
  if (part.length !== length * 2) throw new RangeError('The batch came back cut off.')
  return part
}
