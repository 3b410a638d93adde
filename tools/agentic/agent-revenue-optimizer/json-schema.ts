import { isObject, type JsonObject } from './json.ts'

/** Looks at members, keys and characters, all told: some ten times what a long honest schema takes. */
const mostWork = 40_000
const mostDepth = 64

/** What reading a schema gave; `unread` where that would have taken too long, or leads out of the document. */
export type Fit = 'fits' | 'fails' | 'unread'

/** Ends a reading that became too long; never leaves this file. */
class Unread extends Error {}

/** Counts work before it is done. */
type Spend = (work: number) => void

/**
 * Whether a value fits a JSON Schema, both from a stranger. It interprets instead of compiling, does bounded work and
 * leaves `pattern` and `format` unread, because a stranger's regular expression can run for hours. Steps alone bound
 * nothing: one step may compare a megabyte, so all that is looked at is counted.
 */
export function fitsSchema(value: unknown, schema: unknown): Fit {
  let left = mostWork
  const spend: Spend = (work) => {
    left -= work
    if (left < 0) throw new Unread()
  }

  function fits(value: unknown, schema: unknown, depth: number): boolean {
    spend(1)
    if (depth > mostDepth) throw new Unread()
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) return false
    const inner = (value: unknown, schema: unknown): boolean => fits(value, schema, depth + 1)
    const { enum: choices } = schema
    return (
      fitsReference(value, schema, inner) &&
      fitsType(value, schema['type'], spend) &&
      (!Object.hasOwn(schema, 'const') || isEqual(value, schema['const'], spend)) &&
      (!Array.isArray(choices) || choices.some((allowed) => isEqual(value, allowed, spend))) &&
      listOf(schema['allOf']).every((part) => inner(value, part)) &&
      (!Array.isArray(schema['anyOf']) || schema['anyOf'].some((part) => inner(value, part))) &&
      (!Array.isArray(schema['oneOf']) || schema['oneOf'].filter((part) => inner(value, part)).length === 1) &&
      (!Object.hasOwn(schema, 'not') || !inner(value, schema['not'])) &&
      (typeof value !== 'string' || fitsText(value, schema, spend)) &&
      (typeof value !== 'number' || fitsNumber(value, schema)) &&
      (!Array.isArray(value) || fitsList(value, schema, inner, spend)) &&
      (!isObject(value) || fitsObject(value, schema, inner, spend))
    )
  }

  function fitsReference(value: unknown, { $ref: reference }: JsonObject, inner: Inner): boolean {
    if (reference === undefined) return true
    // Only the document itself is looked into; nothing is fetched for a schema.
    if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) throw new Unread()
    spend(reference.length)
    let target: unknown = schema
    for (const part of reference.slice(1).split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      if (!isObject(target) || !Object.hasOwn(target, key)) return false
      target = target[key]
    }
    return inner(value, target)
  }

  try {
    return fits(value, schema, 0) ? 'fits' : 'fails'
  } catch (error) {
    if (error instanceof Unread) return 'unread'
    throw error
  }
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

function fitsType(value: unknown, type: unknown, spend: Spend): boolean {
  const types = typeof type === 'string' ? [type] : listOf(type)
  spend(types.length)
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

function fitsList(value: readonly unknown[], schema: JsonObject, inner: Inner, spend: Spend): boolean {
  const prefix = listOf(schema['prefixItems'])
  spend(value.length)
  return (
    isWithin(value.length, schema['minItems'], schema['maxItems']) &&
    value.every((item, index) => {
      if (index < prefix.length) return inner(item, prefix[index])
      return schema['items'] === undefined || inner(item, schema['items'])
    })
  )
}

function fitsObject(value: JsonObject, schema: JsonObject, inner: Inner, spend: Spend): boolean {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const isPatterned = isObject(schema['patternProperties'])
  const required = listOf(schema['required'])
  const keys = Object.keys(value)
  spend(required.length + keys.length)
  return (
    required.every((key) => typeof key === 'string' && Object.hasOwn(value, key)) &&
    isWithin(keys.length, schema['minProperties'], schema['maxProperties']) &&
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
function fitsText(text: string, { minLength, maxLength }: JsonObject, spend: Spend): boolean {
  if (minLength === undefined && maxLength === undefined) return true
  spend(text.length)
  return isWithin(Array.from(text).length, minLength, maxLength)
}

/** Whether two JSON values are the same, whatever the order of their keys. */
function isEqual(one: unknown, other: unknown, spend: Spend): boolean {
  spend(typeof one === 'string' && typeof other === 'string' ? 1 + Math.min(one.length, other.length) / 16 : 1)
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index], spend))
  }
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one)
    spend(keys.length)
    if (keys.length !== Object.keys(other).length) return false
    return keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key], spend))
  }
  return one === other
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
