import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsOf from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { testTool } from '../../test/harness/test-tool.ts'
import { type Access, defineTool, type Tool } from '../tool/tool.ts'
import {
  inputSchemaOf,
  mcpAnswerSchemaOf,
  mcpInputSchemaOf,
  mcpOutputSchemaOf,
  outputSchemaOf,
  structuredContentOf,
} from './schemas.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

function toolWith(input: z.ZodType, output: z.ZodType, access: Access = { mode: 'free' }): Tool {
  return defineTool({
    family: 'site',
    methods: ['GET'],
    preferredMethod: 'GET',
    ...testTool,
    slug: 'echo',
    name: 'Echo',
    access,
    input,
    output,
    examples: [],
    run: () => ({}),
  })
}

const empty = z.strictObject({})
const propertiesOf = (fields: z.core.$ZodShape) => outputSchemaOf(toolWith(empty, z.strictObject(fields)))['properties']

describe('published schemas', () => {
  it('say which members go together, but not over MCP, where model providers refuse a choice at the root', () => {
    const either = { oneOf: [{ required: ['a'] }, { required: ['b'] }] }
    const input = z.strictObject({ a: z.string().optional(), b: z.string().optional() }).meta(either)
    expect(inputSchemaOf(toolWith(input, empty))).toMatchObject(either)
    const listed = mcpInputSchemaOf(toolWith(input, empty))
    expect(listed).toMatchObject({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } })
    expect(listed).not.toHaveProperty('oneOf')
  })

  it('say what zod says and leave its noise out', () => {
    expect(
      propertiesOf({
        at: z.iso.datetime(),
        day: z.iso.date(),
        link: z.url(),
        count: z.int(),
        some: z.int().min(1).max(20),
        price: z.number().nullable().describe('In dollars.'),
        kind: z.enum(['a', 'b']).nullable(),
        counters: z.record(z.string(), z.int()),
        raw: z.looseObject({ id: z.int() }),
        code: z.string().regex(/^[a-z]+$/),
        path: z.string().regex(/^[\\/]\w+\/\w+$/),
      }),
    ).toEqual({
      at: { type: 'string', format: 'date-time' },
      day: { type: 'string', format: 'date' },
      link: { type: 'string', format: 'uri' },
      count: { type: 'integer' },
      some: { type: 'integer', minimum: 1, maximum: 20 },
      price: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'In dollars.' },
      kind: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
      counters: { type: 'object', additionalProperties: { type: 'integer' } },
      raw: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      code: { type: 'string', pattern: '^[a-z]+$' },
      path: { type: 'string', pattern: String.raw`^[\\/]\w+/\w+$` },
    })
  })

  it('never touch values that only look like schemas', () => {
    const noisy = { maximum: Number.MAX_SAFE_INTEGER, type: ['a', 'b'], $schema: 'x' }
    const fields = propertiesOf({
      maximum: z.string(),
      settings: z.unknown().meta({ default: noisy, examples: [noisy] }),
    })
    expect(fields).toEqual({ maximum: { type: 'string' }, settings: { default: noisy, examples: [noisy] } })
  })

  it('ask only for what a caller must send, and promise every field of an answer', () => {
    const type = z.strictObject({ blocks: z.int().min(1).max(20).default(10) })
    const tool = toolWith(type, type)
    expect(inputSchemaOf(tool)).toEqual({
      type: 'object',
      properties: { blocks: { type: 'integer', minimum: 1, maximum: 20, default: 10 } },
      additionalProperties: false,
    })
    expect(outputSchemaOf(tool)).toMatchObject({ required: ['blocks'] })
  })

  it('are made once for each tool', () => {
    const tool = toolWith(empty, empty)
    expect(inputSchemaOf(tool)).toBe(inputSchemaOf(tool))
    expect(outputSchemaOf(tool)).toBe(outputSchemaOf(tool))
  })
})

describe('schemas for MCP', () => {
  const answer = z.strictObject({ word: z.string() })
  const request = { x402Version: 2, accepts: [{ scheme: 'exact' }], resource: { url: 'mcp://tool/echo' } }

  it.each<[Access, boolean]>([
    [{ mode: 'free' }, false],
    [{ mode: 'paid', usd: '0.01' }, true],
    [{ mode: 'paid-or-pass', usd: '0.01' }, true],
    [{ mode: 'pass' }, true],
    [{ mode: 'tiered', usd: '0.01', freeTierNote: 'Less.' }, true],
  ])('admit a payment request where a call may need one: %o', (access, admits) => {
    const validate = new Ajv2020().compile(mcpOutputSchemaOf(toolWith(empty, answer, access)))
    expect(validate({ word: 'yes' })).toBe(true)
    expect(validate({ word: 1 })).toBe(false)
    expect(validate(request)).toBe(admits)
  })

  it('name their dialect at the root and nowhere else', () => {
    const tool = toolWith(empty, answer, { mode: 'paid', usd: '0.01' })
    for (const schema of [mcpInputSchemaOf(tool), mcpOutputSchemaOf(tool), mcpAnswerSchemaOf(tool)]) {
      expect(schema).toMatchObject({ $schema: dialect, type: 'object' })
      expect(JSON.stringify(schema).split('$schema')).toHaveLength(2)
    }
  })

  it.each([
    ['one or many', z.union([answer, z.array(answer)]), [{ word: 'a' }, [{ word: 'a' }, { word: 'b' }]]],
    ['always many', z.array(answer), [[{ word: 'a' }]]],
  ])('have an object at the root where the answer is %s, and fit its structured content', (_what, output, answers) => {
    const schema = mcpAnswerSchemaOf(toolWith(empty, output))
    expect(schema['type']).toBe('object')
    const ajv = new Ajv2020()
    formatsOf.default(ajv)
    const validate = ajv.compile(schema)
    for (const each of answers) expect(validate(structuredContentOf(each))).toBe(true)
    expect(validate(structuredContentOf([{ word: 1 }]))).toBe(false)
  })
})
