import { describe, expect, it } from 'vitest'

import { dataTag, opTag, timeTag, valueTag, type Tag } from './evm/tag.ts'
import { waysRound } from './solve.ts'

const word = dataTag(36)
const branch = (tag: Tag | undefined, value: bigint) => ({
  place: 'code:1',
  account: 'contract',
  taken: value !== 0n,
  condition: { v: value, t: tag },
  depth: 0,
})
const op = (code: number, a: bigint, at: Tag | undefined, b: bigint, bt: Tag | undefined): Tag | undefined =>
  opTag(code, a, at, b, bt)

describe('the other way of a branch', () => {
  it.each([
    ['asks for a word', op(0x14, 5n, word, 9n, undefined), 0n, [{ is: 'word', at: 36, value: 9n }]],
    ['asks for anything else', op(0x14, 9n, word, 9n, undefined), 1n, [{ is: 'word', at: 36, value: 10n }]],
    ['asks for less', op(0x10, 9n, word, 9n, undefined), 0n, [{ is: 'word', at: 36, value: 8n }]],
    [
      'asks for less than nothing',
      op(0x12, 4n, word, 0n, undefined),
      0n,
      [{ is: 'word', at: 36, value: 2n ** 256n - 1n }],
    ],
    ['asks for a price', op(0x14, 0n, valueTag, 70n, undefined), 0n, [{ is: 'paid', value: 70n }]],
    ['asks for a later time', op(0x11, 60n, timeTag, 99n, undefined), 0n, [{ is: 'time', value: 100n }]],
    [
      'is worked out through a sum and a mask',
      op(0x14, 12n, op(0x01, 7n, op(0x16, 7n, word, 255n, undefined), 5n, undefined), 20n, undefined),
      0n,
      [{ is: 'word', at: 36, value: 15n }],
    ],
    [
      'asks for one block of many',
      op(0x14, 87n, op(0x06, 87n, timeTag, 7_200n, undefined), 4_711n, undefined),
      0n,
      [{ is: 'time', value: 4_711n }],
    ],
    [
      'is not known where a mask would take away what is needed',
      op(0x14, 7n, op(0x16, 7n, word, 255n, undefined), 300n, undefined),
      0n,
      [],
    ],
    ['hangs on nothing that the caller chooses', undefined, 0n, []],
  ])('%s', (_name, tag, value, choices) => {
    expect(waysRound(branch(tag, value))).toEqual(choices)
  })
})
