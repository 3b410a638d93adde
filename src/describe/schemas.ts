import { z } from 'zod'

import { isRecord } from '../platform/record.ts'
import { mayRequirePayment } from '../tool/access.ts'
import type { Tool } from '../tool/tool.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** The part of an answer's schema that tells a payment request from an answer; it stays open for extensions. */
const paymentRequestSchema: JsonSchema = {
  type: 'object',
  properties: { x402Version: { const: 2 }, accepts: { type: 'array' } },
  required: ['x402Version', 'accepts'],
}

const inputSchemas = new WeakMap<z.ZodType, JsonSchema>()
const outputSchemas = new WeakMap<z.ZodType, JsonSchema>()

/** What a caller may send, as JSON Schema 2020-12 without `$schema`. */
export function inputSchemaOf(tool: Tool): JsonSchema {
  return remembered(inputSchemas, tool.input, 'input')
}

/** What the tool answers, as JSON Schema 2020-12 without `$schema`. */
export function outputSchemaOf(tool: Tool): JsonSchema {
  return remembered(outputSchemas, tool.output, 'output')
}

/**
 * The input schema as MCP lists it. Hosts hand it to their model's provider, and some of those refuse a tool whose
 * schema has a choice at its root: there the descriptions of the members say which go together.
 */
export function mcpInputSchemaOf(tool: Tool): JsonSchema {
  const members = Object.entries(inputSchemaOf(tool)).filter(([key]) => !['oneOf', 'anyOf', 'allOf'].includes(key))
  return { $schema: dialect, ...Object.fromEntries(members) }
}

/** The output schema as MCP lists it where a call is never answered with a payment request. */
export function mcpAnswerSchemaOf(tool: Tool): JsonSchema {
  return { $schema: dialect, ...objectRooted(answerSchemaOf(tool)) }
}

/**
 * The output schema as MCP lists it where a call may be answered with a payment request: many clients check the
 * structured content of an error against it too, so it has to admit both.
 */
export function mcpOutputSchemaOf(tool: Tool): JsonSchema {
  if (!mayRequirePayment(tool.access)) return mcpAnswerSchemaOf(tool)
  return { $schema: dialect, type: 'object', anyOf: [objectRooted(answerSchemaOf(tool)), paymentRequestSchema] }
}

const answerSchemas = new WeakMap<z.ZodType, JsonSchema>()

/**
 * The answer's schema without its words: clients check answers by it, people read the manifest, and every session pays
 * for its bytes.
 */
function answerSchemaOf(tool: Tool): JsonSchema {
  const known = answerSchemas.get(tool.output)
  if (known !== undefined) return known
  const schema = wordless(outputSchemaOf(tool))
  answerSchemas.set(tool.output, schema)
  return schema
}

function wordless(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== 'description')
      .map(([key, value]) => [key, mapSchemas(key, value, wordless)]),
  )
}

/** An answer as MCP's structured content, which must be an object: a list becomes its `items`. */
export function structuredContentOf(output: unknown): Readonly<Record<string, unknown>> {
  return isRecord(output) ? output : { items: output }
}

// The counterpart of `structuredContentOf` for schemas whose root is, or may be, a list.
function objectRooted(schema: JsonSchema): JsonSchema {
  if (schema['type'] === 'object') return schema
  const branches = schema['anyOf']
  if (Array.isArray(branches) && branches.every(isRecord)) {
    return { ...schema, type: 'object', anyOf: branches.map(objectRooted) }
  }
  return { type: 'object', properties: { items: schema }, required: ['items'], additionalProperties: false }
}

// Converting costs milliseconds a tool, and documents are asked for far more often than tools change.
function remembered(memory: WeakMap<z.ZodType, JsonSchema>, type: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const known = memory.get(type)
  if (known !== undefined) return known
  const schema = tidy(z.toJSONSchema(type, { io, target: 'draft-2020-12' }))
  memory.set(type, schema)
  return schema
}

const schemaMaps = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas'])
const schemaLists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const schemaNodes = new Set(['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'])

/** Takes away what zod adds and no reader needs; values such as `default` and `examples` are left as they are. */
function tidy(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([key, value]) => !isNoise(schema, key, value))
  const tidied = Object.fromEntries(kept.map(([key, value]) => [key, tidyMember(key, value)]))

  // The Inspector's strict mode, and some clients, want one type per schema.
  const { type, ...rest } = tidied
  return Array.isArray(type) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : tidied
}

function tidyMember(key: string, value: unknown): unknown {
  // A JavaScript expression writes "/" as "\/"; in a schema, as in the specification, it stands for itself.
  if (key === 'pattern' && typeof value === 'string') {
    return value.replaceAll(/\\(.)/g, (pair, escaped: string) => (escaped === '/' ? '/' : pair))
  }
  return mapSchemas(key, value, tidy)
}

/** Applies a change to the schemas that a keyword holds; whatever else it holds is left as it is. */
function mapSchemas(key: string, value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  const changed = (member: unknown): unknown => (isRecord(member) ? change(member) : member)
  if (schemaMaps.has(key) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member)]))
  }
  if (schemaLists.has(key) && Array.isArray(value)) return value.map(changed)
  return schemaNodes.has(key) ? changed(value) : value
}

function isNoise(schema: JsonSchema, key: string, value: unknown): boolean {
  switch (key) {
    case '$schema':
      return true
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER
    case 'pattern':
      // The format says it; the pattern of a date-time alone is 285 bytes.
      return ['date-time', 'date', 'time'].includes(String(schema['format']))
    case 'propertyNames':
      return isRecord(value) && Object.keys(value).length === 1 && value['type'] === 'string'
    case 'additionalProperties':
      return isRecord(value) && Object.keys(value).length === 0
    default:
      return false
  }
}
