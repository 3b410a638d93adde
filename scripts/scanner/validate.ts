import { honestDescriptions, honestManifests, openPowers } from '../../tools/agentic/mcp-security-scanner/honest.ts'
import { textRules } from '../../tools/agentic/mcp-security-scanner/rules/all.ts'
import type { Judges, Thresholds, WitnessModel } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import { hearAll } from '../../tools/agentic/mcp-security-scanner/witness/hearing.ts'
import { fit, partOf } from './fit.ts'
import { madeTexts } from './grammar.ts'
import { manifestOf } from './records.ts'
import type { Item, Read } from './records.ts'

/**
 * Share of what is honest and unseen that the witness may call each of these by itself: of published servers, and of
 * the texts of writers, which are harder, since most of them were written beside an attack.
 */
const allowed = {
  weak: { servers: 0.3, texts: 0.5 },
  medium: { servers: 0.04, texts: 0.115 },
} as const
/** What is not taken from shares; each was chosen on texts that the judges had not seen. */
const given = {
  wholeShare: 1.25,
  toll: { close: 0.25, whole: 0.05 },
  seconded: { score: 3, signals: 1.5 },
  alone: 14,
} as const
const madeCount = 9_000
/** What the grammar makes stands in descriptions most of the time, and now and then where a schema carries text. */
const carriers = [
  'description',
  'description',
  'description',
  'description',
  'parameter',
  'parameter',
  'default',
  'enum',
  'instructions',
  'prompt',
  'examples',
] as const

export type Validated = {
  readonly thresholds: Thresholds
  /** The most that was said of a tool of each item, by its id, by a witness that had not seen it nor anything of its hand. */
  readonly said: ReadonlyMap<string, number>
  /** A witness that has not seen the item, with thresholds that its writer had no part in. */
  readonly unseenBy: (item: Item) => WitnessModel | undefined
}

/** What this project wrote itself: the grammar's texts, and the examples of the rules and tests. It is learned from every time. */
export function ownItems(): readonly Item[] {
  const examples = textRules.flatMap(({ hits, misses, isPurpose }) => [
    ...(isPurpose === true ? [] : hits.map((text) => ({ text, isAttack: true }))),
    ...misses.map((text) => ({ text, isAttack: false })),
  ])
  const fields = 'sidenote context notes metadata extra feedback summary debug_info trace payload comment hint'.split(
    ' ',
  )
  const properties = Object.fromEntries(fields.map((name) => [name, { type: 'string' }]))
  const described = honestDescriptions.map((description): readonly [string, unknown] => [
    description,
    { tools: [{ name: 'add', description }, { name: 'list_items' }] },
  ])
  return [
    ...[...described, ...honestManifests, ...openPowers].map(([name, manifest]) => ({
      id: `honest:${name}`,
      isAttack: false,
      group: 'own',
      isServer: false,
      manifest,
      isExample: true,
    })),
    ...examples.map(({ text, isAttack }, index) =>
      itemOf(`example:${index}`, isAttack, { name: 'tool', description: text }),
    ),
    ...madeTexts(madeCount).map(({ text, isAttack }, index) => {
      const where = carriers[index % carriers.length] ?? 'description'
      const argument = fields[index % fields.length] ?? 'note'
      const inDescription = {
        tools: [
          {
            name: 'own_tool',
            description: text,
            inputSchema: { type: 'object', properties: index % 2 === 0 ? properties : {} },
          },
        ],
      }
      const manifest = where === 'description' ? inDescription : manifestOf({ text, tool: 'own_tool', where, argument })
      return { ...itemOf(`made:${index}`, isAttack, {}), manifest }
    }),
  ]
}

function itemOf(id: string, isAttack: boolean, tool: unknown): Item {
  return { id, isAttack, group: 'own', isServer: false, manifest: { tools: [tool] } }
}

/**
 * Learns once for each writer without that writer and a part of the servers and published families, and judges what
 * was left out. Each writer is judged by thresholds from honest texts of the others.
 */
export function validated(items: readonly Read[]): Validated {
  const writers = groupsOf(items.filter(({ isWritten }) => isWritten === true))
  const families = groupsOf(
    items.filter(({ isWritten, isServer, group }) => isWritten !== true && !isServer && group !== 'own'),
  )
  const foldOf = ({ id, group, isServer, isWritten }: Item): number => {
    if (group === 'own') return -1
    if (isWritten === true) return writers.indexOf(group)
    return isServer ? partOf(id, writers.length) : families.indexOf(group) % writers.length
  }
  const judges = writers.map((writer, fold) => {
    const learned = fit(items.filter((item) => foldOf(item) !== fold))
    console.error(`${writer} is judged by what was learned from the others`)
    return learned
  })
  const said = new Map<string, number>()
  for (const item of items) {
    const unseen = judges[foldOf(item)]
    if (unseen !== undefined) said.set(item.id, mostSaidOf(item, unseen))
  }
  const honest = items.filter(({ isAttack, group }) => !isAttack && group !== 'own')
  const without = (left?: string): Thresholds =>
    thresholdsFrom(
      honest.filter(({ group }) => group !== left),
      said,
    )
  const perWriter = new Map(writers.map((writer) => [writer, without(writer)]))
  const thresholds = without()
  return {
    thresholds,
    said,
    unseenBy: (item) => {
      const unseen = judges[foldOf(item)]
      return unseen === undefined ? undefined : { ...unseen, thresholds: perWriter.get(item.group) ?? thresholds }
    },
  }
}

function groupsOf(items: readonly Item[]): readonly string[] {
  return [...new Set(items.map(({ group }) => group))].toSorted()
}

function mostSaidOf({ close, whole, total }: Read, judges: Judges): number {
  const said = hearAll({ close, whole, total }, judges, given)
  return Math.max(-99, ...[...said.values()].map(({ score }) => score))
}

function thresholdsFrom(honest: readonly Item[], said: ReadonlyMap<string, number>): Thresholds {
  const scores = (some: readonly Item[]): readonly number[] =>
    some.flatMap(({ id }) => said.get(id) ?? []).toSorted((a, b) => b - a)
  const sides = {
    servers: scores(honest.filter(({ isWritten }) => isWritten !== true)),
    texts: scores(honest.filter(({ isWritten }) => isWritten === true)),
  }
  const above = (name: keyof typeof allowed): number => {
    const least = (['servers', 'texts'] as const).map(
      (side) => sides[side][Math.floor(allowed[name][side] * sides[side].length)] ?? 0,
    )
    return Number(Math.max(...least).toFixed(3))
  }
  return { weak: above('weak'), medium: above('medium'), ...given }
}
