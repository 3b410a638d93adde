import { clausesOf } from './clauses.ts'
import { entitiesIn, type MarkedGoal, unmarked, withoutEntities } from './entities.ts'
import { type Entry, requiredSlots } from './entry.ts'
import type { Hit, Matcher } from './match.ts'
import type { Passage } from './slots.ts'
import { wordsOf } from './words.ts'

export type PlanRequest = {
  readonly goal: string
  /** Already filtered by protocol, never empty. */
  readonly entries: readonly Entry[]
  readonly match: Matcher
  readonly maxSteps: number
  readonly budgetMicroUsd: bigint | undefined
}

/** A step before it has an id: an entry for one passage of the goal. */
export type Draft = {
  readonly entry: Entry
  readonly score: number
  readonly words: readonly string[]
  readonly passage: Passage
  readonly stage: number
  /** Where in the goal it was asked for; with the stage, the order of reading. */
  readonly position: number
  /** Everything that fits its passage, best first. */
  readonly hits: readonly Hit[]
  /** Further sentences for the rationale. */
  readonly notes: readonly string[]
}

/** What every part of the planning needs to know. */
export type House = PlanRequest & { readonly whole: Passage; readonly isCatalogWord: (stem: string) => boolean }

// A clause whose best tool fits this much worse than the goal's best one asks for nothing, unless it fits well by itself.
const clauseFloor = 0.35
const clearMatch = 12

// How much the rest of the goal weighs in the choice for one clause.
const contextWeight = 1

// Below this even the best hit is a chance likeness of one common word.
const closeMatch = 9

/** One draft per clause that asks for something; the same tool for the same thing only once. */
export function draftsFor(house: House, { text, found }: MarkedGoal): readonly Draft[] {
  const overall = house.match(wordsOf(withoutEntities(text)), house.whole.entities)
  if (house.maxSteps === 1 || overall.length === 0) return [wholeGoalDraft(house, overall)]

  const context = new Map(overall.map(({ entry, score }) => [entry, score / (overall[0]?.score ?? 1)]))
  const clauses = clausesOf(text).map((clause) => {
    const passage = { text: unmarked(clause.text, found), entities: entitiesIn(clause.text, found) }
    const words = wordsOf(withoutEntities(clause.text))
    return { ...clause, passage, words, hits: house.match(words, passage.entities) }
  })
  const best = Math.max(0, ...clauses.map(({ hits }) => hits[0]?.score ?? 0))
  const drafts: Draft[] = []
  for (const [position, { hits, passage, words, stage }] of clauses.entries()) {
    const previous = drafts.at(-1)
    // `0xa… and 0xb…`: a clause that only names something asks for what the clause before it asked for.
    const repeats = previous !== undefined && words.length === 0 && fits(previous.entry, passage)
    if (!repeats && (hits[0]?.score ?? 0) < Math.max(Math.min(best * clauseFloor, clearMatch), Number.EPSILON)) continue
    const ranked = hits
      .map((hit) => ({ ...hit, score: hit.score * (1 + contextWeight * (context.get(hit.entry) ?? 0)) }))
      .toSorted((a, b) => b.score - a.score)
    const top = repeats ? undefined : ranked[0]
    if (repeats) add({ ...previous, passage, stage, position })
    else if (top !== undefined) add({ ...top, passage, stage, position, hits: ranked, notes: weakness(top.score) })
  }
  if (drafts.length === 0) return [wholeGoalDraft(house, overall)]
  return drafts
    .toSorted((a, b) => b.score - a.score)
    .slice(0, house.maxSteps)
    .toSorted((a, b) => a.position - b.position)

  function add(draft: Draft): void {
    const index = drafts.findIndex((other) => other.entry === draft.entry && isSameRequest(other, draft))
    const other = drafts[index]
    if (other === undefined) drafts.push(draft)
    else drafts[index] = merged(other, draft)
  }
}

/** Two passages ask the same of a tool unless each names its own thing. */
function isSameRequest(a: Draft, b: Draft): boolean {
  if (requiredSlots(a.entry).includes('name_or_address')) return true
  const [first, second] = [a, b].map(({ passage: { entities } }) =>
    JSON.stringify([entities.address, entities.ens, entities.repo, entities.url]),
  )
  return first === second || isBare(a.passage) || isBare(b.passage)
}

function isBare({ entities }: Passage): boolean {
  return Object.values(entities).every((found) => found.length === 0)
}

function merged(a: Draft, b: Draft): Draft {
  const [first, second] = [a.passage, b.passage]
  const both = (kind: keyof Passage['entities']) => [...new Set([...first.entities[kind], ...second.entities[kind]])]
  return {
    ...(a.score >= b.score ? a : b),
    stage: Math.min(a.stage, b.stage),
    position: Math.min(a.position, b.position),
    words: [...new Set([...a.words, ...b.words])],
    passage: {
      text: `${first.text}, ${second.text}`,
      entities: {
        address: both('address'),
        ens: both('ens'),
        repo: both('repo'),
        url: both('url'),
        ticker: both('ticker'),
        usd: both('usd'),
      },
    },
  }
}

function fits(entry: Entry, { entities }: Passage): boolean {
  const slots = requiredSlots(entry)
  return (
    (slots.includes('address') && entities.address.length + entities.ens.length > 0) ||
    (slots.includes('repo') && entities.repo.length > 0) ||
    (slots.includes('url') && entities.url.length > 0) ||
    slots.includes('name_or_address')
  )
}

/** The best tool for the goal as a whole; a block explorer, or else the cheapest tool, where no word is known. */
function wholeGoalDraft(house: House, hits: readonly Hit[]): Draft {
  const top = hits[0] ?? { entry: defaultEntry(house.entries), score: 0, words: [] }
  return { ...top, passage: house.whole, stage: 0, position: 0, hits, notes: weakness(top.score) }
}

function defaultEntry(entries: readonly Entry[]): Entry {
  const byPrice = entries.toSorted((a, b) => Number(a.priceMicroUsd - b.priceMicroUsd))
  const entry = byPrice.find(({ category }) => category === 'block-explorer') ?? byPrice[0]
  if (entry === undefined) throw new Error('A plan needs at least one tool to choose from.')
  return entry
}

function weakness(score: number): readonly string[] {
  return score < closeMatch ? ['There is no close match in the catalog; this is the nearest tool.'] : []
}

/** What the drafts cost together. */
export function costOf(drafts: readonly Draft[]): bigint {
  return drafts.reduce((sum, { entry }) => sum + entry.priceMicroUsd, 0n)
}
