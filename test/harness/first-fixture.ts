import { readdirSync, readFileSync } from 'node:fs'

import type { CatalogEntry, ToolSettings } from '../../src/tool/tool.ts'
import type { Fixture } from './run-tool.ts'

export type ToolFixture = Fixture & {
  readonly catalog?: readonly CatalogEntry[]
  readonly settings?: Partial<ToolSettings>
}

/** The first fixture of a tool's folder: JSON, or a module that makes one by the helpers of `fixtures.ts`. */
export async function firstFixture(tool: URL): Promise<ToolFixture> {
  const files = readdirSync(new URL('fixtures/', tool))
  const first = files.find((name) => name.endsWith('.json')) ?? files.find((name) => name.endsWith('.ts'))
  if (first === undefined) throw new Error('The tool has no fixture.')
  return fixtureOf(tool, first)
}

/** A fixture of a tool's folder by its file's name. */
export async function fixtureOf(tool: URL, name: string): Promise<ToolFixture> {
  const file = new URL(`fixtures/${name}`, tool)
  if (name.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8')) as ToolFixture
  return ((await import(file.href)) as { readonly default: ToolFixture }).default
}
