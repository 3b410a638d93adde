import { isRecord } from '../../src/platform/record.ts'
import type { JsonSchema } from '../../src/describe/schemas.ts'
import { InvalidInputError } from '../../src/errors.ts'

/**
 * Inputs of a GET, typed by the tool's schema: numbers and booleans are read as such, a repeated or comma-separated
 * parameter is a list, an object is JSON. What does not read stays text, so that the schema names the field.
 */
export function readQuery(query: URLSearchParams, schema: JsonSchema): unknown {
  const input: Record<string, unknown> = {}
  for (const [key, values] of groupsOf(query)) {
    if (key === '__proto__') throw new InvalidInputError('/__proto__', 'The input has an unknown field: __proto__.')
    input[key] = readValue(values, memberOf(schema['properties'], key))
  }
  return Object.keys(input).length === 0 ? undefined : input
}

/** Values by name, read in one pass; looking up each name separately would take quadratic time. */
function groupsOf(query: URLSearchParams): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const [key, value] of query) {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

function memberOf(properties: unknown, key: string): JsonSchema {
  if (!isRecord(properties)) return {}
  const member = Object.hasOwn(properties, key) ? properties[key] : undefined
  return isRecord(member) ? member : {}
}

function readValue(values: readonly string[], schema: JsonSchema): unknown {
  const types = typesOf(schema)
  const [first = ''] = values
  if (types.has('array') && (values.length > 1 || !types.has('string'))) {
    const items = isRecord(schema['items']) ? schema['items'] : {}
    const parts = values.length > 1 ? values : first.split(',').map((part) => part.trim())
    return parts.map((part) => readOne(part, typesOf(items)))
  }
  return values.length > 1 ? [...values] : readOne(first, types)
}

function readOne(text: string, types: ReadonlySet<string>): unknown {
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text)
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.has('object')) {
    try {
      return JSON.parse(text)
    } catch {
      // The schema says that it is no object.
      return text
    }
  }
  return text
}

/** The types a value may have, through `anyOf` too. */
function typesOf(schema: JsonSchema): ReadonlySet<string> {
  const own = typeof schema['type'] === 'string' ? [schema['type']] : []
  const branches = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isRecord) : []
  return new Set([...own, ...branches.flatMap((branch) => [...typesOf(branch)])])
}
