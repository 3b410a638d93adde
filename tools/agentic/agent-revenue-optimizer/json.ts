export type JsonObject = Readonly<Record<string, unknown>>

const mostLevels = 32

/** Whether a value is an object that is no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object inside an object, or an empty one. */
export function objectAt(value: unknown, key: string): JsonObject {
  const inner = isObject(value) ? value[key] : undefined
  return isObject(inner) ? inner : {}
}

/**
 * Parses JSON from a stranger. Undefined where it is none, or nests so deep that walking it could exhaust the stack.
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value, mostLevels) ? value : undefined
  } catch {
    // No JSON is an observation about the host like any other; the caller names it.
    return undefined
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1))
}
