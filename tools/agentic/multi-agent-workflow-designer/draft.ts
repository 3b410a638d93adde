import { NotFoundError } from '../../../src/tool/tool.ts'
import {
  type Left,
  type Matcher,
  type Passage,
  read,
  type Reading,
  type Request,
} from '../../../src/understanding/understanding.ts'
import type { Entry } from './entry.ts'

export type PlanRequest = {
  readonly goal: string
  /** Already filtered by protocol, never empty. */
  readonly entries: readonly Entry[]
  /** Reads goals for the tools of the entries. */
  readonly matcher: Matcher
  readonly maxSteps: number
  readonly budgetMicroUsd: bigint | undefined
  readonly nativeSymbol: string | undefined
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
  readonly hits: readonly { readonly entry: Entry; readonly score: number }[]
  /** Further sentences for the rationale. */
  readonly notes: readonly string[]
}

/** What every part of the planning needs to know. */
export type House = PlanRequest & { readonly whole: Passage; readonly left: readonly Left[] }

/** Reads the goal: its drafts, and what the rest of the planning needs to know. */
export function draftsFor(request: PlanRequest): {
  readonly house: House
  readonly drafts: readonly Draft[]
  readonly budgetUsd: number | undefined
} {
  const reading = read(request.matcher, request.goal, { nativeSymbol: request.nativeSymbol, most: request.maxSteps })
  if (reading.requests.length === 0) throw new NotFoundError(`No tool here does that${reasonOf(reading)}`)
  const entryOf = new Map(request.entries.map((entry) => [entry.slug, entry]))
  const drafts = reading.requests.flatMap((one) => draftOf(one, entryOf))
  return { house: { ...request, whole: reading.whole, left: reading.left }, drafts, budgetUsd: reading.budgetUsd }
}

function draftOf(
  { subject, score, words, passage, stage, position, hits }: Request,
  entryOf: ReadonlyMap<string, Entry>,
): readonly Draft[] {
  const meant = entryOf.get(subject.slug)
  const entry = meant === undefined ? undefined : ownInstead(meant, words, hits, entryOf)
  const known = hits.flatMap((hit) => {
    const other = entryOf.get(hit.subject.slug)
    return other === undefined ? [] : [{ entry: other, score: hit.score }]
  })
  return entry === undefined ? [] : [{ entry, score, words, passage, stage, position, hits: known, notes: [] }]
}

/** Our own tool where another provider's only stands in for it, unless a word of the goal is known to that one alone. */
function ownInstead(
  meant: Entry,
  words: readonly string[],
  hits: Request['hits'],
  entryOf: ReadonlyMap<string, Entry>,
): Entry {
  const own = hits.find((hit) => meant.standsInFor.includes(hit.subject.slug) && entryOf.get(hit.subject.slug)?.isOwn)
  const entry = own === undefined ? undefined : entryOf.get(own.subject.slug)
  return own !== undefined && entry !== undefined && words.every((word) => own.words.includes(word)) ? entry : meant
}

function reasonOf({ left }: Reading): string {
  const [first] = left
  return first === undefined
    ? ': they read chain data, markets, wallets, contracts, agents, collections and repositories.'
    : `: ${first.why} (“${first.text.slice(0, 120)}”).`
}

/** What the drafts cost together. */
export function costOf(drafts: readonly Draft[]): bigint {
  return drafts.reduce((sum, { entry }) => sum + entry.priceMicroUsd, 0n)
}
