import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'

import type { JsonObject } from './api-document.ts'
import type { ReadSchema } from './foreign-schema.ts'

/**
 * A schema that another server wrote, as the definitions of tools take it: it is checked by a validator of JSON Schema
 * and stands in documents as it was written.
 */
export function zodOf({ schema, dialect }: ReadSchema): z.ZodType {
  let check: ValidateFunction | undefined
  const type = z.unknown().superRefine((value, context) => {
    // Compiling takes milliseconds, and most tools are not called soon.
    check ??= compile(schema, dialect)
    if (check(value)) return
    for (const error of check.errors ?? []) {
      context.addIssue({ code: 'custom', path: pathOf(error), message: messageOf(error) })
    }
  })
  // How zod lets a type say its own JSON Schema; the documents get a copy, because they may change what they get.
  const { _zod: inner } = type
  inner.toJSONSchema = () => structuredClone(schema)
  // With a parent, zod would write a reference to the parent's schema instead of this one.
  inner.parent = undefined
  return type
}

/** What keeps a schema from being checked here; undefined where nothing does. */
export function faultOfSchema({ schema, dialect }: ReadSchema): string | undefined {
  try {
    compile(schema, dialect)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'
  }
}

/** Formats that are checked in time linear in the length of the text. */
const quickFormats = new Set(['date', 'time', 'date-time', 'uuid', 'uri', 'email', 'int32', 'int64', 'float', 'double'])

/**
 * How many values a schema is made of: no value is held against more of them. Undefined where texts are held against
 * expressions, which may take long.
 */
export function weightOf(schema: unknown): number | undefined {
  if (typeof schema !== 'object' || schema === null) return 1
  let weight = 1
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'patternProperties' || (keyword === 'pattern' && typeof value === 'string')) return undefined
    if (keyword === 'format' && typeof value === 'string' && !quickFormats.has(value)) return undefined
    const more = weightOf(value)
    if (more === undefined) return undefined
    weight += more
  }
  return weight
}

/**
 * A caller chooses the input and a stranger wrote the schema, and both meet in the thread that handles money: what
 * could take long there is left to the server behind, which knows its own rules. What it refuses is not charged.
 */
function compile(schema: JsonObject, dialect: ReadSchema['dialect']): ValidateFunction {
  // Only the first fault is reported: a caller could make the search for all of them expensive.
  const options = { strict: false, allErrors: false, logger: false, ownProperties: true, code: { regExp } } as const
  const ajv = dialect === '2020-12' ? new Ajv2020(options) : new Ajv(options)
  addFormats.default(ajv, { mode: 'fast' })
  // It compares every item with every other, which takes quadratic time.
  ajv.removeKeyword('uniqueItems')
  return ajv.compile(schema)
}

const longestMatched = 2_048

/** The engine for patterns: it runs those that cannot take long, on texts that are not long. */
const regExp = Object.assign(
  (pattern: string, flags: string) => {
    const expression = new RegExp(pattern, isValidWith(pattern, flags) ? flags : '')
    const isQuick = isQuickPattern(pattern)
    return {
      test: (text: string) => !isQuick || text.length > longestMatched || expression.test(text),
      // Ajv keeps compiled patterns under this text.
      toString: () => String(expression),
    }
  },
  // Ajv asks for the name to use in generated standalone code; none is generated here.
  { code: 'undefined' },
)

/** Many patterns were written for the mode without Unicode, which allows more. */
function isValidWith(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).flags === flags
  } catch {
    return false
  }
}

/** Whether nothing in a pattern is repeated inside of what is repeated, and nothing refers back. */
function isQuickPattern(pattern: string): boolean {
  if (/\\[1-9k]|\(\?[=!<]/.test(pattern)) return false
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  const unbounded = bare.match(/[*+]|\{\d+,\}/g) ?? []
  const repeatsGroup = /\)(?:[*+]|\{)/.test(bare)
  return unbounded.length <= (bare.startsWith('^') ? 2 : 1) && !repeatsGroup
}

function pathOf({ instancePath, keyword, params }: ErrorObject): PropertyKey[] {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const named: unknown =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : undefined
  return typeof named === 'string' ? [...parts, named] : parts
}

function messageOf({ keyword, message = 'is not allowed', params }: ErrorObject): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties') return 'is an unknown field'
  if (keyword === 'enum' && Array.isArray(params['allowedValues'])) {
    return `must be one of ${JSON.stringify(params['allowedValues'].slice(0, 20)).slice(0, 300)}`
  }
  return message
}
