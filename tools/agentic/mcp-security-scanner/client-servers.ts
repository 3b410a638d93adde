import { isObject } from './json.ts'
import type { JsonObject } from './json.ts'
import { serverMaps } from './manifest.ts'

/**
 * The servers of a client's configuration by name, whatever else stands in the file: clients keep settings, histories
 * and keys of their own beside them, which are not the scanner's to read.
 */
export function clientServersIn(root: unknown): Readonly<Record<string, unknown>> {
  const found = new Map<string, unknown>()
  const add = (value: unknown, where: string): void => {
    for (const map of mapsIn(value)) {
      for (const [name, entry] of Object.entries(map)) found.set(found.has(name) ? `${name} (${where})` : name, entry)
    }
  }
  add(root, 'again')
  if (!isObject(root)) return {}
  // VS Code has them under a key of their own, Claude Code by project.
  add(root['mcp'], 'mcp')
  const projects = isObject(root['projects']) ? Object.entries(root['projects']) : []
  for (const [folder, project] of projects) add(project, folder)
  return Object.fromEntries(found)
}

function mapsIn(value: unknown): readonly JsonObject[] {
  if (!isObject(value)) return []
  return [...serverMaps].map((key) => value[key]).filter(isObject)
}
