import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'

import { fitsSchema } from './json-schema.ts'

const schemas = [
  true,
  false,
  {},
  { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 2 } }, additionalProperties: false },
  { type: ['string', 'null'] },
  { type: 'integer', minimum: 0, exclusiveMaximum: 5 },
  { enum: [1, 'x', { a: 1 }] },
  { const: { a: [1, 2] } },
  { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' }, minItems: 1 }] },
  { oneOf: [{ type: 'number' }, { type: 'integer' }] },
  { allOf: [{ type: 'object' }, { not: { required: ['b'] } }] },
  { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, maxItems: 3 },
  {
    $ref: '#/$defs/part',
    $defs: { part: { type: 'object', properties: { a: { $ref: '#/$defs/text' } } }, text: { type: 'string' } },
  },
  { type: 'string', maxLength: 1 },
  { type: 'number', multipleOf: 2 },
]
const values = [
  null,
  true,
  0,
  4,
  4.5,
  5,
  '',
  'x',
  'ab',
  '😀',
  [],
  ['x', 1],
  [1, 2],
  { a: 1 },
  { a: 'ab' },
  { b: 1 },
  { a: [1, 2] },
]

describe('the schema reader', () => {
  it('agrees with a full validator on every pair', () => {
    const ajv = new Ajv2020({ strict: false })
    for (const schema of schemas) {
      for (const value of values) {
        expect([schema, value, fitsSchema(value, schema)]).toEqual([schema, value, ajv.validate(schema, value)])
      }
    }
  })

  it('ends on schemas that refer to themselves or multiply', () => {
    expect(fitsSchema({}, { $ref: '#' })).toBe(false)
    let wide: unknown = { type: 'string' }
    for (let level = 0; level < 30; level += 1) wide = { anyOf: [wide, wide] }
    expect(fitsSchema(7, wide)).toBe(false)
  })

  it('fetches nothing and runs no pattern of a stranger', () => {
    expect(fitsSchema('x', { $ref: 'https://example.com/schema.json' })).toBe(false)
    expect(fitsSchema('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', { pattern: '^(a+)+$' })).toBe(true)
  })
})
