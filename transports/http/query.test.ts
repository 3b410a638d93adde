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
    let looks = 0
    class Counted extends URLSearchParams {
      override getAll(name: string): string[] {
        looks += 1
        return super.getAll(name)
      }
      override get(name: string): string | null {
        looks += 1
        return super.get(name)
      }
      override [Symbol.iterator]() {
        looks += 1
        return super[Symbol.iterator]()
      }
    }
    const query = new Counted(Array.from({ length: 9_000 }, (_, index) => index.toString(36)).join('&'))
    expect(Object.keys(Object(readQuery(query, schema)))).toHaveLength(9_000)
    expect(looks).toBe(1)
  })
})
