import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

import { readManifest } from '../../tools/agentic/mcp-security-scanner/manifest.ts'
import { createReadings } from '../../tools/agentic/mcp-security-scanner/reading.ts'
import { sentencesOf } from '../../tools/agentic/mcp-security-scanner/sentences.ts'
import { foreignToolIn, isToolName } from '../../tools/agentic/mcp-security-scanner/vocabulary.ts'
import type { Window, Windows } from '../../tools/agentic/mcp-security-scanner/witness/windows.ts'
import { windowsOf } from '../../tools/agentic/mcp-security-scanner/witness/windows.ts'

/** One thing to learn from or to be judged by. */
export type Item = {
  readonly id: string
  readonly isAttack: boolean
  /** Where it comes from; a group is held out as a whole. */
  readonly group: string
  /** Whether its group is one writer, of attacks and honest texts alike. */
  readonly isWritten?: boolean
  /** Whether its writer wrote a whole manifest, and not a text that was put into one. */
  readonly isManifest?: boolean
  /** A real server's manifest, by which thresholds are set; the rest are single texts. */
  readonly isServer: boolean
  readonly manifest: unknown
  /** Whether it is an honest example of the rules, which stands for many. */
  readonly isExample?: boolean
  /** The tools that attack, where others of an attack's manifest are honest. */
  readonly poisoned?: readonly string[] | undefined
  /** The honest server whose tool a made text was put into; it is held out with that server. */
  readonly host?: string
}

/** An item with what the second witness reads of it. */
export type Read = Item &
  Pick<Windows, 'close' | 'whole' | 'total'> & {
    /** How many tools its manifest has. */
    readonly tools: number
  }

const publishedSchema = z.looseObject({
  id: z.string(),
  label: z.enum(['malicious', 'vulnerable', 'benign']),
  source_group: z.string(),
  manifest: z.unknown(),
})

const writtenSchema = z.looseObject({
  text: z.string().optional(),
  manifest: z.unknown().optional(),
  poisoned: z.array(z.string()).optional(),
  label: z.enum(['attack', 'honest']).optional(),
  where: z.string().optional(),
  tool: z.string().optional(),
  argument: z.string().optional(),
  kind: z.string().optional(),
  lang: z.string().optional(),
})
type Written = z.output<typeof writtenSchema>

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

/**
 * Texts by many hands: a folder a writer, in it a file for each stance that the writer took. A writer is held out as a
 * whole, since one person's attacks resemble each other whatever the stance.
 */
export function writtenItems(folder: string, isWanted: (file: string) => boolean = () => true): readonly Item[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && isWanted(name))
    .toSorted()
    .flatMap((name) =>
      linesOf(join(folder, name)).map((line, index) => {
        const row = writtenSchema.parse(line)
        // A file of one kind need not say in each line which.
        const isAttack = (row.label ?? name).startsWith('attack')
        return {
          id: `${name}:${index + 1}`,
          isAttack,
          group: name.includes('/') ? dirname(name) : name.replace(/\.jsonl$/, ''),
          isServer: row.manifest !== undefined && !isAttack,
          isWritten: true,
          isManifest: row.manifest !== undefined,
          manifest: row.manifest ?? manifestOf(row, isAttack ? [] : toolsCalledIn(row.text ?? '')),
          // Of an honest manifest all is honest, whatever its writer put here.
          poisoned: isAttack ? row.poisoned : undefined,
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

/**
 * The tools that a text has called, by their names. An honest text speaks of its own server's tools: left out of its
 * manifest, they would teach that honest texts have other servers' tools called, which hardly any server's does.
 */
function toolsCalledIn(text: string): readonly string[] {
  const called = new Set<string>()
  const isNoted = (name: string): boolean => {
    if (/[a-z0-9]_[a-z0-9]|[a-z][A-Z]/.test(name)) called.add(name)
    return true
  }
  for (const sentence of sentencesOf(text)) foreignToolIn(sentence, isNoted)
  // A sibling may be named without being called: "it's quicker than list_rooms".
  for (const [name] of text.matchAll(programNames)) if (isToolName(name)) called.add(name)
  return [...called]
}

const programNames = /\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b|\b[a-z]+[A-Z]\w*\b/g

/** A text where its writer wanted it to stand, in a server that has some further tools. */
export function manifestOf(row: Pick<Written, 'text' | 'tool' | 'where' | 'argument'>, beside: readonly string[] = []) {
  const { tools = [], ...rest } = carrierOf(row)
  return { ...rest, tools: [...tools, ...beside.filter((name) => name !== row.tool).map((name) => ({ name }))] }
}

type Carrier = { readonly tools?: readonly unknown[]; readonly [key: string]: unknown }

function carrierOf({
  text = '',
  tool: name = 'tool',
  where = 'description',
  argument,
}: Pick<Written, 'text' | 'tool' | 'where' | 'argument'>): Carrier {
  if (/instruction/i.test(where))
    return { serverInfo: { name }, instructions: text, tools: [{ name, description: '' }] }
  if (/prompt/i.test(where)) return { tools: [], prompts: [{ name, description: text }] }
  if (/resource/i.test(where)) return { tools: [], resources: [{ uri: `doc://${name}`, name, description: text }] }
  if (/title|annotation/i.test(where)) return { tools: [{ name, description: '', annotations: { title: text } }] }
  const key = ['enum', 'default', 'const', 'examples'].find((one) => where.includes(one))
  if (key !== undefined || /param|schema|field|argument/i.test(where)) {
    const parameter = argument ?? /\.(\w+)$/.exec(where)?.[1] ?? 'note'
    const value = key === 'enum' || key === 'examples' ? [text] : text
    const properties = { [parameter]: { type: 'string', [key ?? 'description']: value } }
    return { tools: [{ name, description: '', inputSchema: { type: 'object', properties } }] }
  }
  return { tools: [{ name, description: text, inputSchema: { type: 'object', properties: {} } }] }
}

/** Reads items; of an attack among honest tools, what it says alone. */
export function read(items: readonly Item[]): readonly Read[] {
  return items.map((item) => {
    const manifest = readManifest(Array.isArray(item.manifest) ? { tools: item.manifest } : item.manifest)
    const { close, whole, total } = windowsOf(manifest, createReadings(manifest))
    const { poisoned } = item
    const isMeant = ({ tool }: Window): boolean => poisoned === undefined || poisoned.includes(tool ?? '')
    return { ...item, close: close.filter(isMeant), whole: whole.filter(isMeant), total, tools: manifest.tools.length }
  })
}

function linesOf(file: string): readonly unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line))
}
