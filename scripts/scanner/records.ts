import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

import { readManifest } from '../../tools/agentic/mcp-security-scanner/manifest.ts'
import { createReadings } from '../../tools/agentic/mcp-security-scanner/reading.ts'
import type { Window } from '../../tools/agentic/mcp-security-scanner/witness/windows.ts'
import { windowsOf } from '../../tools/agentic/mcp-security-scanner/witness/windows.ts'

/** One thing to learn from or to be judged by. */
export type Item = {
  readonly id: string
  readonly isAttack: boolean
  /** Who wrote it; a group is held out as a whole. */
  readonly group: string
  /** A real server's manifest, by which thresholds are set; the rest are single texts. */
  readonly isServer: boolean
  readonly manifest: unknown
  /** How much it counts among honest texts, where not as much as others. */
  readonly weight?: number
}

/** An item with what the second witness reads of it. */
export type Read = Item & { readonly windows: readonly Window[]; readonly total: number }

const publishedSchema = z.looseObject({
  id: z.string(),
  label: z.enum(['malicious', 'vulnerable', 'benign']),
  source_group: z.string(),
  manifest: z.unknown(),
})

const writtenSchema = z.looseObject({
  text: z.string().optional(),
  manifest: z.unknown().optional(),
  label: z.enum(['attack', 'honest']),
  where: z.string().optional(),
  tool: z.string().optional(),
  kind: z.string().optional(),
  lang: z.string().optional(),
})

/** What a tool is for, and configurations without words: the rules' own ground. */
const withoutWording = new Set(['cisco-evals', 'agentshield-corpus'])

/** Sources of one hand, which are held out together. */
const families: Readonly<Record<string, string>> = {
  'csa-ttps': 'atr',
  'atr-tests': 'atr',
  'cisco-examples': 'demos',
  'invariant-experiments': 'demos',
  'mcp-shield-example': 'demos',
  dvmcp: 'demos',
  mcpsecbench: 'labs',
  'beejak-vuln': 'labs',
  mastermcp: 'labs',
  'safe-mcp': 'labs',
}

/** The labelled corpus that is not part of this project. */
export function publishedItems(folder: string): readonly Item[] {
  return linesOf(join(folder, 'dev.jsonl'))
    .map((line) => publishedSchema.parse(line))
    .filter(
      ({ label, source_group }) =>
        label !== 'vulnerable' && !(label === 'malicious' && withoutWording.has(source_group)),
    )
    .map(({ id, label, source_group, manifest }) => ({
      id,
      isAttack: label === 'malicious',
      group: families[source_group] ?? source_group,
      isServer: label === 'benign',
      manifest,
    }))
}

/** Texts by many hands, a file a hand. */
export function writtenItems(folder: string): readonly Item[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) =>
      linesOf(join(folder, name)).map((line, index) => {
        const row = writtenSchema.parse(line)
        return {
          id: `${name}:${index + 1}`,
          isAttack: row.label === 'attack',
          group: name.replace(/\.jsonl$/, ''),
          isServer: false,
          manifest: row.manifest ?? manifestOf(row.text ?? '', row.tool ?? 'tool', row.where ?? 'description'),
        }
      }),
    )
}

/** The texts of this folder, and of the one that `TOLLGATE_SCANNER_TEXTS` names. */
export function allWritten(): readonly Item[] {
  const more = process.env['TOLLGATE_SCANNER_TEXTS']
  const own = writtenItems(fileURLToPath(new URL('texts/', import.meta.url)))
  return more === undefined ? own : [...own, ...writtenItems(more)]
}

/** A text where its writer wanted it to stand. */
function manifestOf(text: string, name: string, where: string): unknown {
  if (/instruction/i.test(where))
    return { serverInfo: { name }, instructions: text, tools: [{ name, description: '' }] }
  if (/param|schema|field|argument|enum|default/i.test(where)) {
    const parameter = /\.(\w+)$/.exec(where)?.[1] ?? 'note'
    const properties = { [parameter]: { type: 'string', description: text } }
    return { tools: [{ name, description: '', inputSchema: { type: 'object', properties } }] }
  }
  return { tools: [{ name, description: text, inputSchema: { type: 'object', properties: {} } }] }
}

/** Which part of a cross-validation an item belongs to; a hand is in one part as a whole, and what this project wrote in none. */
export function foldsOf(
  items: readonly Item[],
  folds: number,
  partOf: (id: string, parts: number) => number,
): (item: Item) => number {
  const groups = [...new Set(items.filter(({ isServer }) => !isServer).map(({ group }) => group))]
  return ({ id, group, isServer }) => {
    if (group === 'own') return -1
    return isServer ? partOf(id, folds) : groups.indexOf(group) % folds
  }
}

/** Reads items; one that cannot be read says nothing. */
export function read(items: readonly Item[]): readonly Read[] {
  return items.map((item) => {
    const manifest = readManifest(Array.isArray(item.manifest) ? { tools: item.manifest } : item.manifest)
    return { ...item, ...windowsOf(manifest, createReadings(manifest)) }
  })
}

function linesOf(file: string): readonly unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line))
}
