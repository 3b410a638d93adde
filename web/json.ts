import type { JsonSchema } from '../src/describe/schemas.ts'

/** An object's members, or none where the value is something else. */
export function objectOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
}

/** A list's items, or none where the value is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
