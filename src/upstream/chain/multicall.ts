/** One read for a batch: a contract, and what is sent to it, both as `0x…` hex. */
export type RawCall = { readonly to: string; readonly data: string }

/** What one read of a batch gave; `data` is the raw return data as `0x…` hex. */
export type RawResult = { readonly success: boolean; readonly data: string }

/** Multicall3 has this address on every chain we read. */
export const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

const aggregate3 = '82ad56cb'
const wordDigits = 64

/** The call data of Multicall3's `aggregate3` with every single failure allowed, without loading an ABI library. */
export function encodeAggregate3(calls: readonly RawCall[]): string {
  const tuples = calls.map(({ to, data }) => {
    const bytes = data.slice(2)
    const padded = bytes.padEnd(Math.ceil(bytes.length / wordDigits) * wordDigits, '0')
    return [
      to.slice(2).toLowerCase().padStart(wordDigits, '0'),
      word(1),
      word(0x60),
      word(bytes.length / 2),
      padded,
    ].join('')
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

function word(value: number): string {
  return value.toString(16).padStart(wordDigits, '0')
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
