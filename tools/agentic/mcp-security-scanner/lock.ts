import { createHash } from 'node:crypto'

import { z } from 'zod'

import { findingOf } from './finding.ts'
import { isObject } from './json.ts'
import { readManifest } from './manifest.ts'
import type { Finding, RuleFacts } from './model.ts'

const differs: RuleFacts = {
  id: 'pi-differs-from-lock',
  check: 'prompt-injection',
  severity: 'high',
  title: 'What the server offers is not what was locked',
  meaning: 'A person approved the server in another form than it has now.',
  remediation: 'Read the change; where it is wanted, write the lock file anew with --update-lock.',
  references: ['OWASP MCP03', 'CWE-494'],
}

/** The rules that findings about a lock file stand under. */
export const lockRules: readonly RuleFacts[] = [differs]

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const lockedSchema = z.strictObject({
  tools: z.record(z.string(), hash),
  /**
   * What stands outside of tools and is read by a model or run: instructions, prompts, resources, programs, addresses.
   */
  rest: hash,
})
const lockSchema = z.strictObject({ version: z.literal(1), manifests: z.record(z.string(), lockedSchema) })

/** What of each manifest, by the name it is scanned under, a person has approved. */
export type Lock = z.output<typeof lockSchema>

type Locked = z.output<typeof lockedSchema>

/** A lock file that nothing is written in yet. */
export const emptyLock: Lock = { version: 1, manifests: {} }

/**
 * Reads a lock file.
 * @throws {z.ZodError} when it is not one.
 */
export function readLock(value: unknown): Lock {
  return lockSchema.parse(value)
}

/** The same lock with a manifest in it as it is now; the order of names does not depend on the order of writing. */
export function withManifest(lock: Lock, source: string, root: unknown): Lock {
  const manifests = { ...lock.manifests, [source]: lockedOf(root) }
  return { version: 1, manifests: Object.fromEntries(Object.entries(manifests).toSorted(byName)) }
}

/** What is not as it was locked; `undefined` where the manifest is not in the lock. */
export function differencesFrom(lock: Lock, source: string, root: unknown): readonly Finding[] | undefined {
  const locked = Object.hasOwn(lock.manifests, source) ? lock.manifests[source] : undefined
  if (locked === undefined) return undefined
  const now = lockedOf(root)
  const { tools } = readManifest(root)
  const names = [...new Set([...Object.keys(locked.tools), ...Object.keys(now.tools)])].toSorted()
  const ofTools = names.flatMap((name) => {
    const [was, is] = [ownValue(locked.tools, name), ownValue(now.tools, name)]
    if (was === is) return []
    const tool = tools.find((one) => one.name === name)
    const what = was === undefined ? 'was not there' : is === undefined ? 'is gone' : 'has changed'
    const detail = `The tool ${what}; the lock file does not have it as it is now.`
    return [findingOf(differs, { path: tool?.path ?? '$.tools', text: tool?.description ?? '', tool: name, detail })]
  })
  if (locked.rest === now.rest) return ofTools
  const detail = 'What stands beside the tools (instructions, prompts, resources, programs or addresses) has changed.'
  return [...ofTools, findingOf(differs, { path: '$', text: '', detail })]
}

function lockedOf(root: unknown): Locked {
  const byTool = new Map<string, string[]>()
  for (const { name, definition } of readManifest(root).tools) {
    byTool.set(name, [...(byTool.get(name) ?? []), canonicalText(definition)])
  }
  const tools = [...byTool].map(([name, texts]): [string, string] => [name, hashOf(texts.join('\n'))])
  return { tools: Object.fromEntries(tools.toSorted(byName)), rest: hashOf(canonicalText(withoutTools(root))) }
}

/** A manifest less its lists of tools, however deep they stand, and less what changes with every answer. */
function withoutTools(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTools)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !(name === 'tools' && Array.isArray(item)) && name !== 'id' && name !== 'jsonrpc')
      .map(([name, item]) => [name, withoutTools(item)]),
  )
}

function ownValue(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** JSON with the keys of each object in one order. */
function canonicalText(root: unknown): string {
  return JSON.stringify(root, (_key, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value,
  )
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
