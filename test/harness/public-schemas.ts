import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const folder = resolve(root, process.env['TOLLGATE_SCHEMAS'] ?? '../shared/schemas')

/** A public JSON Schema of a registry, where a copy is at hand; tests that need one skip without. */
export function schemaNamed(name: string): Readonly<Record<string, unknown>> | undefined {
  const path = resolve(folder, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
