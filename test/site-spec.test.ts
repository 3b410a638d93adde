import { describe, expect, it } from 'vitest'

import { inputSchemaOf, outputSchemaOf } from '../src/describe/schemas.ts'
import { usdOf } from '../src/tool/access.ts'
import { createToolList } from '../src/tool/tools.ts'
import { loadTools } from '../tools/load.ts'
import { siteDepartures, type SiteSpec, siteSpecs } from './site-spec-tables.ts'

const { site } = createToolList(await loadTools())
const cases = Object.entries(siteSpecs)

it('every row of the specification has its tool', () => {
  const slugs = site.map(({ slug }) => slug)
  expect(Object.keys(siteSpecs).filter((slug) => !slugs.includes(slug))).toEqual([])
})

describe.each(cases)('the specification of %s', (slug, spec: SiteSpec) => {
  const tool = site.find((one) => one.slug === slug)
  if (tool === undefined) throw new Error(`There is no tool ${slug}.`)

  it('is met by its input and its output, field by field, but for what is stated', () => {
    expect([
      ...siteDepartures(spec.input, inputSchemaOf(tool), 'input'),
      ...siteDepartures(spec.output, outputSchemaOf(tool), 'output'),
    ]).toEqual(Object.keys(spec.departures ?? {}))
  })

  it('is met by its access, price, methods and the time it keeps answers', () => {
    expect({
      access: tool.access.mode,
      usd: usdOf(tool.access),
      methods: `${tool.methods.join(', ')} (${tool.preferredMethod})`,
    }).toEqual({ access: spec.access, usd: spec.usd ?? '0', methods: spec.methods })
    if (spec.keptSeconds !== undefined) {
      expect(tool.freshness).toEqual({ mode: 'cached', ttlSeconds: spec.keptSeconds })
    }
  })
})

describe('the comparison with the specification', () => {
  const table = `
    limit?: integer 1..50 = 20
    kind: string (a, b)
    rows: array
    rows[].name: string|null`
  const name = { anyOf: [{ type: 'string' }, { type: 'null' }] }
  const properties = {
    limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
    kind: { type: 'string', enum: ['a', 'b'] },
    rows: { type: 'array', items: { type: 'object', properties: { name }, required: ['name'] } },
  }
  const schema = { type: 'object', properties, required: ['kind', 'rows'] }
  const withRow = (row: object, required = ['name']) => ({
    ...schema,
    properties: { ...properties, rows: { type: 'array', items: { type: 'object', properties: row, required } } },
  })

  it.each<[string, object, readonly string[]]>([
    ['nothing', schema, []],
    ['a missing field', withRow({}), ['rows[].name is missing']],
    ['a field of its own', withRow({ name, more: name }), ['rows[].more is not in the specification']],
    ['a type', withRow({ name: { type: 'number' } }), ['rows[].name is number, not string']],
    ['what is not required', withRow({ name }, []), ['rows[].name is not required']],
    [
      'a null',
      { ...schema, properties: { ...properties, kind: { anyOf: [properties.kind, { type: 'null' }] } } },
      ['kind may be null'],
    ],
    [
      'a bound and a default',
      { ...schema, properties: { ...properties, limit: { ...properties.limit, maximum: 60, default: 10 } } },
      ['limit has maximum 60, not 50', 'limit has default 10, not 20'],
    ],
    [
      'an option',
      { ...schema, properties: { ...properties, kind: { type: 'string', enum: ['a'] } } },
      ['kind has enum ["a"], not ["a","b"]'],
    ],
    ['what is required of a caller', { ...schema, required: ['kind', 'rows', 'limit'] }, ['limit is required']],
  ])('notices %s', (_what, published, expected) => {
    expect(siteDepartures(table, published, 'input')).toEqual(expected)
  })
})
