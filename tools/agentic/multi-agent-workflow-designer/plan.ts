import { clausesOf } from './clauses.ts'
import { entitiesIn, markEntities, unmarked, withoutEntities } from './entities.ts'
import type { Entry, Json, Slot } from './entry.ts'
import { requiredSlots, slotsIn } from './entry.ts'
import type { Hit, Matcher } from './match.ts'
import { valueIn } from './slots.ts'
import type { Passage } from './slots.ts'
import { stem, wordsOf } from './words.ts'

/** Where an input comes from: the goal, an earlier step's answer, or the caller, who must still say it. */
export type Binding =
  | { readonly from: 'goal'; readonly value: Json }
  | { readonly from: 'step'; readonly stepId: string; readonly path: string }
  | { readonly from: 'caller' }

export type Step = {
  readonly id: string
  readonly entry: Entry
  readonly bindings: ReadonlyMap<Slot, Binding>
  readonly dependsOn: readonly string[]
  readonly rationale: string
}

export type Fallback = { readonly forStep: string; readonly entry: Entry; readonly reason: string }

export type BudgetStatus = 'under_budget' | 'no_budget_specified' | 'pruned_to_budget' | 'over_budget_unprunable'

export type Plan = {
  readonly steps: readonly Step[]
  readonly fallbacks: readonly Fallback[]
  readonly totalMicroUsd: bigint
  readonly latencyMs: number
  readonly budgetStatus: BudgetStatus
  readonly matchedKeywords: readonly string[]
}

export type PlanRequest = {
  readonly goal: string
  /** Already filtered by protocol, never empty. */
  readonly entries: readonly Entry[]
  readonly match: Matcher
  readonly maxSteps: number
  readonly budgetMicroUsd: bigint | undefined
}

/** A step before it has an id: an entry for one passage of the goal. */
type Draft = {
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

type Wired = {
  readonly draft: Draft
  readonly bindings: ReadonlyMap<Slot, DraftBinding>
  readonly needs: readonly Draft[]
}
type DraftBinding =
  | Exclude<Binding, { from: 'step' }>
  | { readonly from: 'step'; readonly source: Draft; readonly path: string }

type House = PlanRequest & { readonly whole: Passage; readonly isCatalogWord: (stem: string) => boolean }

// A clause whose best tool fits this much worse than the goal's best one asks for nothing, unless it fits well by itself.
const clauseFloor = 0.35
const clearMatch = 12
// How much the rest of the goal weighs in the choice for one clause.
const contextWeight = 1
// A cheaper tool stands in for a dearer one of its category when it fits at least this well.
const swapFloor = 0.6
const fallbackFloor = 0.25
// Below this even the best hit is a chance likeness of one common word.
const closeMatch = 9

/** Plans a goal: the same plan for the same request, without circles, and within the budget where that is possible. */
export function planGoal(request: PlanRequest): Plan {
  const marked = markEntities(request.goal)
  const whole = { text: unmarked(marked.text, marked.found), entities: entitiesIn(marked.text, marked.found) }
  const known = new Set(request.entries.flatMap(({ keywords }) => keywords.flatMap(wordsOf)).map(stem))
  const house: House = { ...request, whole, isCatalogWord: (word) => known.has(word) }

  const drafts = draftsFor(house, marked)
  const { kept, budgetStatus } = fitBudget(house, drafts)
  const wired = wire(house, kept)
  const ordered = inOrder(wired)
  const ids = new Map(ordered.map(({ draft }, index) => [draft, `s${String(index + 1)}`]))
  const steps = ordered.map((each) => stepOf(each, ids, ordered))
  return {
    steps,
    fallbacks: ordered.flatMap(({ draft }, index) => fallbackFor(house, draft, `s${String(index + 1)}`)),
    totalMicroUsd: costOf(ordered.map(({ draft }) => draft)),
    latencyMs: criticalPath(steps),
    budgetStatus,
    matchedKeywords: [...new Set(ordered.flatMap(({ draft }) => draft.words))]
      .filter((word) => word.length <= 48)
      .slice(0, 32),
  }
}

/** One draft per clause that asks for something; the same tool for the same thing only once. */
function draftsFor(house: House, { text, found }: ReturnType<typeof markEntities>): readonly Draft[] {
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

/** Finds every input of every draft, and adds the name resolver where a name stands for an address. */
function wire(house: House, drafts: readonly Draft[]): readonly Wired[] {
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

/** Kahn's order over data and wording; among the steps that could come next, the best match first. */
function inOrder(wired: readonly Wired[]): readonly (Wired & { readonly before: readonly Draft[] })[] {
  const asked = wired.filter(({ draft }) => draft.position >= 0)
  const stages = [...new Set(asked.map(({ draft }) => draft.stage))].toSorted((a, b) => a - b)
  const open = wired.map((each) => {
    const previous = stages[stages.indexOf(each.draft.stage) - 1]
    const earlier =
      each.draft.position < 0 || previous === undefined ? [] : asked.filter(({ draft }) => draft.stage === previous)
    return { ...each, before: [...new Set([...each.needs, ...earlier.map(({ draft }) => draft)])] }
  })
  const done: (typeof open)[number][] = []
  while (done.length < open.length) {
    const ready = open
      .filter(
        (each) => !done.includes(each) && each.before.every((draft) => done.some((other) => other.draft === draft)),
      )
      .toSorted((a, b) => b.draft.score - a.draft.score || a.draft.position - b.draft.position)
    const next = ready[0]
    // Both kinds of edge lead from earlier to later in the order of reading, so there is always a next one.
    if (next === undefined) throw new Error('The plan has a circle.')
    done.push(next)
  }
  return done
}

function stepOf(
  { draft, bindings, needs, before }: Wired & { readonly before: readonly Draft[] },
  ids: ReadonlyMap<Draft, string>,
  ordered: readonly Wired[],
): Step {
  const idOf = (other: Draft) => ids.get(other) ?? ''
  const missing = [...bindings].filter(([, binding]) => binding.from === 'caller').map(([slot]) => `{{${slot}}}`)
  const onlyOrder = before.filter((other) => !needs.includes(other)).map(idOf)
  const sentences = [
    draft.words.length > 0 ? `Chosen for: ${draft.words.slice(0, 6).join(', ').slice(0, 80)}.` : '',
    ...draft.notes,
    needs.length > 0 ? `Uses the answer of ${needs.map(idOf).join(', ')}.` : '',
    onlyOrder.length > 0 ? `Runs after ${onlyOrder.join(', ')}, as the goal says.` : '',
    missing.length > 0 ? `The goal does not give ${missing.join(', ')}: fill it in before running.` : '',
    draft.entry.caveat ?? '',
  ].filter((sentence) => sentence !== '')
  return {
    id: idOf(draft),
    entry: draft.entry,
    bindings: new Map(
      Array.from(bindings, ([slot, binding]) => [
        slot,
        binding.from === 'step' ? { from: 'step', stepId: idOf(binding.source), path: binding.path } : binding,
      ]),
    ),
    dependsOn: ordered.filter((other) => before.includes(other.draft)).map((other) => idOf(other.draft)),
    rationale: wholeSentences(sentences.length > 0 ? sentences : ['The nearest tool in the catalog.'], 240),
  }
}

function wholeSentences(sentences: readonly string[], limit: number): string {
  return sentences.reduce((text, sentence) => {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    return longer.length <= limit ? longer : text
  }, '')
}

function criticalPath(steps: readonly Step[]): number {
  const ends = new Map<string, number>()
  for (const { id, entry, dependsOn } of steps) {
    ends.set(id, entry.latencyMs + Math.max(0, ...dependsOn.map((other) => ends.get(other) ?? 0)))
  }
  return Math.max(...ends.values())
}

type Fitted = { readonly kept: readonly Draft[]; readonly budgetStatus: BudgetStatus }

/** Swaps and drops steps until the plan fits the budget. */
function fitBudget(house: House, drafts: readonly Draft[]): Fitted {
  const budget = house.budgetMicroUsd
  if (budget === undefined) return { kept: drafts, budgetStatus: 'no_budget_specified' }
  const isWithin = (some: readonly Draft[]) => costOf(wire(house, some).map(({ draft }) => draft)) <= budget
  if (isWithin(drafts)) return { kept: drafts, budgetStatus: 'under_budget' }

  let kept = drafts
  for (let swap = bestSwap(house, kept); swap !== undefined && !isWithin(kept); swap = bestSwap(house, kept)) {
    const { old, replacement } = swap
    kept = kept.map((draft) => (draft === old ? replacement : draft))
  }
  while (kept.length > 1 && !isWithin(kept)) {
    const victim = leastWorth(house, kept, budget)
    kept = kept.filter((draft) => draft !== victim)
  }
  if (isWithin(kept)) return { kept, budgetStatus: 'pruned_to_budget' }
  // What feeds on another step is no plan by itself.
  const sources = wire(house, drafts).flatMap(({ draft, needs }) => (needs.length === 0 ? [draft] : []))
  const cheapest = sources
    .filter((draft) => drafts.includes(draft))
    .toSorted((a, b) => Number(a.entry.priceMicroUsd - b.entry.priceMicroUsd))
    .slice(0, 1)
  const last = cheapest.length > 0 ? cheapest : kept
  return { kept: last, budgetStatus: isWithin(last) ? 'pruned_to_budget' : 'over_budget_unprunable' }
}

/** The swap that saves most: a cheaper tool of the same category that fits nearly as well. */
function bestSwap(
  house: House,
  drafts: readonly Draft[],
): { readonly old: Draft; readonly replacement: Draft } | undefined {
  const needed = new Set(wire(house, drafts).flatMap(({ needs }) => needs))
  const used = new Set(drafts.map(({ entry }) => entry))
  return drafts
    .filter((draft) => !needed.has(draft))
    .flatMap((old) =>
      old.hits
        .filter(
          ({ entry, score }) =>
            entry.category === old.entry.category &&
            entry.priceMicroUsd < old.entry.priceMicroUsd &&
            score >= swapFloor * old.score &&
            !used.has(entry),
        )
        .map((hit) => ({
          old,
          replacement: {
            ...old,
            ...hit,
            notes: [...old.notes, `Takes the place of ${old.entry.slug} to fit the budget.`],
          },
        })),
    )
    .toSorted((a, b) => Number(savingOf(b) - savingOf(a)) || b.replacement.score - a.replacement.score)[0]
}

function savingOf({ old, replacement }: { readonly old: Draft; readonly replacement: Draft }): bigint {
  return old.entry.priceMicroUsd - replacement.entry.priceMicroUsd
}

/** The step to drop next, never one that another needs: what cannot be afforded even alone, then the least score per dollar. */
function leastWorth(house: House, drafts: readonly Draft[], budget: bigint): Draft | undefined {
  const wired = wire(house, drafts)
  const needed = new Set(wired.flatMap(({ needs }) => needs))
  const aloneCost = (draft: Draft): bigint =>
    draft.entry.priceMicroUsd +
    (wired.find((each) => each.draft === draft)?.needs ?? []).reduce((sum, source) => sum + aloneCost(source), 0n)
  const worth = (draft: Draft) =>
    draft.entry.priceMicroUsd === 0n ? Infinity : draft.score / Number(draft.entry.priceMicroUsd)
  return drafts
    .filter((draft) => !needed.has(draft))
    .toSorted(
      (a, b) =>
        Number(aloneCost(a) <= budget) - Number(aloneCost(b) <= budget) ||
        compare(worth(a), worth(b)) ||
        a.score - b.score ||
        b.position - a.position,
    )[0]
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function costOf(drafts: readonly Draft[]): bigint {
  return drafts.reduce((sum, { entry }) => sum + entry.priceMicroUsd, 0n)
}

/** The next best tool of the same category on another host, a free one first. */
function fallbackFor(house: House, draft: Draft, forStep: string): readonly Fallback[] {
  const candidates = draft.hits.filter(
    ({ entry, score }) =>
      entry.category === draft.entry.category &&
      hostOf(entry) !== hostOf(draft.entry) &&
      score >= fallbackFloor * draft.score,
  )
  const hit = candidates.find(({ entry }) => entry.priceMicroUsd === 0n) ?? candidates[0]
  return hit === undefined ? [] : [{ forStep, entry: hit.entry, reason: differenceOf(draft.entry, hit.entry) }]
}

function hostOf({ url }: Entry): string {
  return /^https?:\/\/([^/]+)/.exec(url)?.[1] ?? url
}

function differenceOf(from: Entry, to: Entry): string {
  const saved = from.priceMicroUsd - to.priceMicroUsd
  const price = saved === 0n ? 'same price' : `${usd(saved < 0n ? -saved : saved)} ${saved > 0n ? 'cheaper' : 'dearer'}`
  const caveat = to.caveat === undefined ? '' : ` ${to.caveat}`
  return wholeSentences(
    [`Same category (${to.category}) on another host (${hostOf(to)}), ${to.protocol}, ${price}.${caveat}`],
    200,
  )
}

function usd(microUsd: bigint): string {
  return `$${String(Number(microUsd) / 1e6)}`
}
