import { isDeepStrictEqual } from 'node:util'

import { isObject, type JsonObject } from './json.ts'

const mostSteps = 20_000
const mostDepth = 64

/**
 * Whether a value fits a JSON Schema, both from a stranger. It interprets instead of compiling, takes bounded steps and
 * leaves `pattern` and `format` unread, because a stranger's regular expression can run for hours.
 */
export function fitsSchema(value: unknown, schema: unknown): boolean {
  let steps = 0

  function fits(value: unknown, schema: unknown, depth: number): boolean {
    steps += 1
    if (steps > mostSteps || depth > mostDepth) return false
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) return false
    const inner = (value: unknown, schema: unknown): boolean => fits(value, schema, depth + 1)
    return (
      fitsReference(value, schema, inner) &&
      fitsType(value, schema['type']) &&
      (!Object.hasOwn(schema, 'const') || isDeepStrictEqual(value, schema['const'])) &&
      (!Array.isArray(schema['enum']) || schema['enum'].some((allowed) => isDeepStrictEqual(value, allowed))) &&
      listOf(schema['allOf']).every((part) => inner(value, part)) &&
      (!Array.isArray(schema['anyOf']) || schema['anyOf'].some((part) => inner(value, part))) &&
      (!Array.isArray(schema['oneOf']) || schema['oneOf'].filter((part) => inner(value, part)).length === 1) &&
      (!Object.hasOwn(schema, 'not') || !inner(value, schema['not'])) &&
      (typeof value !== 'string' || isWithin(charactersOf(value), schema['minLength'], schema['maxLength'])) &&
      (typeof value !== 'number' || fitsNumber(value, schema)) &&
      (!Array.isArray(value) || fitsList(value, schema, inner)) &&
      (!isObject(value) || fitsObject(value, schema, inner))
    )
  }

  function fitsReference(value: unknown, { $ref: reference }: JsonObject, inner: Inner): boolean {
    if (reference === undefined) return true
    // Only the document itself is looked into; nothing is fetched for a schema.
    if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return false
    let target: unknown = schema
    for (const part of reference.slice(1).split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      if (!isObject(target) || !Object.hasOwn(target, key)) return false
      target = target[key]
    }
    return inner(value, target)
  }

  return fits(value, schema, 0)
}

type Inner = (value: unknown, schema: unknown) => boolean

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

function fitsType(value: unknown, type: unknown): boolean {
  const types = typeof type === 'string' ? [type] : listOf(type)
  return types.length === 0 || types.some((name) => typeof name === 'string' && typeTests[name]?.(value) === true)
}

function fitsNumber(value: number, schema: JsonObject): boolean {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema
  return (
    isWithin(value, schema['minimum'], schema['maximum']) &&
    (typeof above !== 'number' || value > above) &&
    (typeof below !== 'number' || value < below) &&
    (typeof multipleOf !== 'number' || multipleOf <= 0 || Number.isInteger(value / multipleOf))
  )
}

function fitsList(value: readonly unknown[], schema: JsonObject, inner: Inner): boolean {
  const prefix = listOf(schema['prefixItems'])
  return (
    isWithin(value.length, schema['minItems'], schema['maxItems']) &&
    value.every((item, index) => {
      if (index < prefix.length) return inner(item, prefix[index])
      return schema['items'] === undefined || inner(item, schema['items'])
    })
  )
}

function fitsObject(value: JsonObject, schema: JsonObject, inner: Inner): boolean {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const isPatterned = isObject(schema['patternProperties'])
  return (
    listOf(schema['required']).every((key) => typeof key === 'string' && Object.hasOwn(value, key)) &&
    isWithin(Object.keys(value).length, schema['minProperties'], schema['maxProperties']) &&
    Object.entries(value).every(([key, item]) => {
      if (Object.hasOwn(properties, key)) return inner(item, properties[key])
      return schema['additionalProperties'] === undefined || isPatterned || inner(item, schema['additionalProperties'])
    })
  )
}

function isWithin(value: number, least: unknown, most: unknown): boolean {
  return (typeof least !== 'number' || value >= least) && (typeof most !== 'number' || value <= most)
}

/** JSON Schema counts characters, not UTF-16 units. */
function charactersOf(text: string): number {
  return Array.from(text).length
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
