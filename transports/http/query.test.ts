import { describe, expect, it } from 'vitest'

import { InvalidInputError } from '../../src/errors.ts'
import { readQuery } from './query.ts'

const schema = {
  type: 'object',
  properties: {
    names: { type: 'array', items: { type: 'string' } },
    many: { type: 'integer' },
    deep: { type: 'object' },
  },
}
const read = (query: string): unknown => readQuery(new URLSearchParams(query), schema)

describe('the input in an address', () => {
  it('is typed by the schema', () => {
    expect(read('names=a,b&many=3&other=x&other=y&deep={"a":1}')).toEqual({
      names: ['a', 'b'],
      many: 3,
      other: ['x', 'y'],
      deep: { a: 1 },
    })
    expect(read('names=a&names=b,c')).toEqual({ names: ['a', 'b,c'] })
    expect(read('')).toBeUndefined()
    expect(() => read('__proto__=1')).toThrow(InvalidInputError)
  })

  it('of nine thousand names is looked through once, and not once for each name', () => {
    const query = new URLSearchParams(Array.from({ length: 9_000 }, (_, index) => index.toString(36)).join('&'))
    const quickest = (work: () => unknown): number =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const start = performance.now()
          work()
          return performance.now() - start
        }),
      )
    const once = quickest(() => [...query].length)
    // Asking for each by itself takes some thousand times as long.
    expect(quickest(() => readQuery(query, schema))).toBeLessThan(Math.max(once, 0.2) * 100)
  })
})
