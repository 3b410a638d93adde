export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : []
}

/** Appends one step to a JSON path, in brackets where the key is not a plain name. */
export function stepInto(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  if (/^[A-Za-z_$][\w$-]{0,80}$/.test(key)) return `${path}.${key}`
  return `${path}[${JSON.stringify(key.slice(0, 120))}]`
}
