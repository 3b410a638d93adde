import { cleanText } from '../../../src/tool/tool.ts'

const longestValue = 160
const placeholder = /\{([\w.]+)\}/g

/**
 * Fills `{path}` with what a tool answered. A part in `[brackets]` is left out where a value of it is missing; elsewhere
 * a missing value is `unknown`.
 */
export function sentenceOf(template: string, data: unknown): string {
  const whole = template.replaceAll(/\[([^[\]]*)\]/g, (_brackets, part: string) => {
    const values = Array.from(part.matchAll(placeholder), ([, path = '']) => valueAt(data, path))
    return values.some((value) => wordsOf(value) === undefined) ? '' : part
  })
  return whole.replaceAll(placeholder, (_braces, path: string) => wordsOf(valueAt(data, path)) ?? 'unknown')
}

/** What is at a path of fields and positions, such as `tokens.0.symbol`; `length` of a list is its length. */
export function valueAt(data: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return key === 'length' ? at.length : at[Number(key)]
    return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, data)
}

/** The list at a path; empty where there is none. */
export function listAt(data: unknown, path: string): readonly unknown[] {
  const value = path === '' ? data : valueAt(data, path)
  return Array.isArray(value) ? value : []
}

/** The number at a path; 0 where there is none. */
export function numberAt(data: unknown, path: string): number {
  const value = valueAt(data, path)
  return typeof value === 'number' ? value : 0
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function wordsOf(value: unknown): string | undefined {
  if (typeof value === 'number') return numberWords(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return cleanText(value, longestValue)
  return undefined
}

/** At most six digits that say something, thousands apart. */
function numberWords(value: number): string {
  const digits = Math.abs(value) >= 1_000 ? value.toFixed(Math.abs(value) >= 100_000 ? 0 : 2) : value.toPrecision(6)
  return Number(digits).toLocaleString('en-US', { maximumFractionDigits: 12 })
}
