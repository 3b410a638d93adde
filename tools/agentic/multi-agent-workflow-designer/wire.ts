import type { Draft, House } from './draft.ts'
import { type Entry, type Json, requiredSlots, type Slot, slotsIn } from './entry.ts'
import { valueIn } from './slots.ts'

/** What fills an input: the goal, the caller, who must still say it, or another draft's answer. */
export type DraftBinding =
  | { readonly from: 'goal'; readonly value: Json }
  | { readonly from: 'caller' }
  | { readonly from: 'step'; readonly source: Draft; readonly path: string }

/** A draft whose inputs are found; it needs the answers of some others. */
export type Wired = {
  readonly draft: Draft
  readonly bindings: ReadonlyMap<Slot, DraftBinding>
  readonly needs: readonly Draft[]
}

/** Finds every input of every draft, and adds the name resolver where a name stands for an address. */
export function wire(house: House, drafts: readonly Draft[]): readonly Wired[] {
  const all = withResolver(house, drafts)
  const reading = all.toSorted((a, b) => a.stage - b.stage || a.position - b.position)
  return reading.map((draft, index) => {
    const earlier = reading.slice(0, index)
    const slots = slotsIn(draft.entry.url + JSON.stringify(draft.entry.input))
    const bindings = new Map(
      slots.flatMap(({ slot, optional }) => {
        const binding = bind(house, draft, slot, earlier)
        return binding.from === 'caller' && optional ? [] : [[slot, binding] as const]
      }),
    )
    const sources = [...bindings.values()].flatMap((binding) => (binding.from === 'step' ? [binding.source] : []))
    return { draft, bindings, needs: [...new Set(sources)] }
  })
}

function bind(house: House, draft: Draft, slot: Slot, earlier: readonly Draft[]): DraftBinding {
  const here = valueIn(slot, draft.passage, house.isCatalogWord)
  if (here !== undefined) return { from: 'goal', value: here }
  const named = slot === 'address' ? nameFor(house, draft) : undefined
  const resolver = named === undefined ? undefined : earlier.find(isResolver)
  if (resolver !== undefined && named !== undefined) {
    const place = resolvedNames(house, resolver).indexOf(named)
    if (place >= 0) return { from: 'step', source: resolver, path: `results.${String(place)}.address` }
  }
  const anywhere = valueIn(slot, house.whole, house.isCatalogWord)
  const source = earlier.findLast(({ entry }) => Object.hasOwn(entry.provides, slot))
  const path = source?.entry.provides[slot]
  // `its portfolio`, `the first of them`: such words point at the step before, not at what the goal names elsewhere.
  const pointsBack = /\b(it|its|their|them|that|those|these|first|top|each)\b/i.test(draft.passage.text)
  if (source !== undefined && path !== undefined && (anywhere === undefined || pointsBack))
    return { from: 'step', source, path }
  return anywhere === undefined ? { from: 'caller' } : { from: 'goal', value: anywhere }
}

/** The ENS name that stands for the address of a draft, if one does. */
function nameFor(house: House, { passage }: Draft): string | undefined {
  if (passage.entities.ens.length > 0) return passage.entities.ens[0]
  return house.whole.entities.address.length === 0 ? house.whole.entities.ens[0] : undefined
}

function isResolver({ entry }: { readonly entry: Entry }): boolean {
  return requiredSlots(entry).includes('name_or_address')
}

function resolvedNames(house: House, resolver: Draft): readonly Json[] {
  const names =
    valueIn('name_or_address', resolver.passage, house.isCatalogWord) ??
    valueIn('name_or_address', house.whole, house.isCatalogWord)
  return Array.isArray(names) ? names : []
}

function withResolver(house: House, drafts: readonly Draft[]): readonly Draft[] {
  const wanting = drafts.filter(
    (draft) =>
      requiredSlots(draft.entry).includes('address') &&
      draft.passage.entities.address.length === 0 &&
      nameFor(house, draft) !== undefined,
  )
  const present = drafts.find(isResolver)
  if (wanting.length === 0) return drafts
  const names = { ...house.whole.entities, address: [] }
  const first = {
    passage: { text: house.whole.text, entities: names },
    stage: Math.min(...drafts.map(({ stage }) => stage)) - 1,
    position: -1,
  }
  // One resolver serves every name, and comes before whatever needs one.
  if (present !== undefined) return drafts.map((draft) => (draft === present ? { ...present, ...first } : draft))
  const entry = house.entries.find((candidate) => isResolver({ entry: candidate }) && candidate.priceMicroUsd === 0n)
  if (entry === undefined || drafts.length >= house.maxSteps) return drafts
  return [
    {
      ...first,
      entry,
      score: 0,
      words: [],
      hits: [],
      notes: ['The goal names an ENS name where an address is needed.'],
    },
    ...drafts,
  ]
}
