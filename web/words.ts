import type { JsonSchema } from '../src/describe/schemas.ts'

/** `base_fee_gwei` as `base fee gwei`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}

/** What a schema says of a value's bounds and of what stands in its place. */
export function boundsOf(schema: JsonSchema): string {
  const { type } = schema
  const unit = type === 'string' ? ' characters' : type === 'array' ? ' items' : ''
  const low = numberOf(schema['minimum'] ?? schema['minLength'] ?? schema['minItems'])
  const high = numberOf(schema['maximum'] ?? schema['maxLength'] ?? schema['maxItems'])
  const range =
    low !== undefined && high !== undefined
      ? [`${low} to ${high}${unit}`]
      : low !== undefined
        ? [`at least ${low}${unit}`]
        : high !== undefined
          ? [`at most ${high}${unit}`]
          : []
  const fallback = schema['default'] === undefined ? [] : [`${JSON.stringify(schema['default'])} unless given`]
  return [...range, ...fallback].join(', ')
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) < 1e12 ? value : undefined
}

/** Cut at the end of a word. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2))} …`
}
