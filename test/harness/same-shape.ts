import { isRecord } from '../../src/platform/record.ts'

/**
 * Where a value differs in shape from a published one: other members, other kinds of value, a list that is empty here
 * only.
 */
export function shapeDifferences(published: unknown, found: unknown, path = ''): readonly string[] {
  const [wanted, has] = [kindOf(published), kindOf(found)]
  if (Array.isArray(published) && Array.isArray(found)) {
    const [first] = published
    if (first === undefined) return []
    if (found.length === 0) return [`${path} is empty`]
    // Of a list every item is like one of the published ones.
    return found.flatMap((one, index) => {
      const differences = published.map((other) => shapeDifferences(other, one, `${path}/${index}`))
      return differences.some((list) => list.length === 0) ? [] : (differences[0] ?? [])
    })
  }
  if (isRecord(published) && isRecord(found)) {
    return [...new Set([...Object.keys(published), ...Object.keys(found)])].flatMap((key) => {
      const at = `${path}/${key}`
      if (!Object.hasOwn(found, key)) return [`${at} is missing`]
      if (!Object.hasOwn(published, key)) return [`${at} is not published`]
      return shapeDifferences(published[key], found[key], at)
    })
  }
  // What is not known today may have been known then.
  if (wanted === 'null' || has === 'null') return []
  return wanted === has ? [] : [`${path} is ${has}, not ${wanted}`]
}

/** Every place of a value at which nothing is said: null, empty text, an empty list. */
export function isEmptyAnswer(value: unknown): boolean {
  if (value === null || value === '' || value === undefined) return true
  if (Array.isArray(value)) return value.every(isEmptyAnswer)
  return isRecord(value) && Object.values(value).every(isEmptyAnswer)
}

/** The value at a JSON pointer. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (inner, step) => (isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, step) : undefined),
      value,
    )
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
