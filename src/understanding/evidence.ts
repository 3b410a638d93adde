import { type Classifier, noTool } from './classifier.ts'
import { entityOf, isThing, type Passage } from './inputs.ts'
import type { Hit } from './match.ts'
import { deedIn } from './reach.ts'
import { type Part, type Request, takes } from './requests.ts'
import type { Subject } from './subject.ts'

/** What speaks for one tool, and the part of the sentence that speaks for it most. */
export type Evidence = { readonly slug: string; readonly values: readonly number[]; readonly part: Part | undefined }

/** What the rules found in a sentence, for the evidence to weigh. */
export type Found = {
  readonly whole: Passage
  readonly overall: readonly Hit[]
  readonly parts: readonly Part[]
  /** Parts that only say how much or which: by themselves they speak for no tool. */
  readonly continued: ReadonlySet<Part>
  readonly requests: readonly Request[]
}

type Window = {
  readonly part: Part
  readonly isSingle: boolean
  readonly asks: number
  readonly refuses: number
  readonly words: number
  readonly odds: readonly number[]
  readonly shares: readonly number[]
}

/** The odds of a part are told apart no further than this. */
const most = 6

/**
 * Gathers what speaks for each of the tools: the learned odds of the sentence and of its parts, and what the rules
 * say.
 */
export function evidenceFor(
  { whole, overall, parts, continued, requests }: Found,
  subjects: readonly Subject[],
  { labels, oddsOf }: Pick<Classifier, 'labels' | 'oddsOf'>,
): readonly Evidence[] {
  const text = parts.map(({ plain }) => plain).join(' ; ')
  const odds = oddsOf(text, whole.entities)
  const wholeShares = sharesOf(odds)
  const windows = windowsOf(parts, continued, whole, oddsOf)
  const asking = parts.filter((part) => !continued.has(part))
  const none = labels.indexOf(noTool)
  const best = overall[0]?.score ?? 1
  const orders = parts.filter(({ plain }) => deedIn(plain) !== undefined).length / Math.max(1, parts.length)
  const words = parts.reduce((sum, { plain }) => sum + plain.split(/\s+/).filter(Boolean).length, 0)
  const style = [
    bounded(odds[none]),
    Math.max(0, ...windows.map((window) => window.shares[none] ?? 0)),
    orders,
    Math.min(1, words / 40),
    Math.min(1, parts.length / 6),
    Math.min(1, requests.length / 4),
    overall[0]?.coverage ?? 0,
    whole.entities.length > 0 ? 1 : 0,
    1,
  ]
  return subjects.flatMap((subject): readonly Evidence[] => {
    const label = labels.indexOf(subject.slug)
    if (label < 0) return []
    const nearest = windows.toSorted((a, b) => (b.odds[label] ?? 0) - (a.odds[label] ?? 0))[0]
    const shares = windows.map((window) => window.shares[label] ?? 0)
    const hit = overall.find((one) => one.subject === subject)
    const own = asking
      .flatMap(({ hits }) => hits.filter((one) => one.subject === subject))
      .toSorted((a, b) => b.score - a.score)[0]
    const request = requests.find((one) => one.subject === subject)
    const others = odds.filter((_, other) => other !== label && other !== none)
    const wins = asking.some(({ hits }) => hits[0]?.subject === subject)
    const values = [
      bounded(odds[label]),
      bounded((odds[label] ?? 0) - Math.max(...others)),
      bounded(nearest?.odds[label]),
      wholeShares[label] ?? 0,
      Math.max(0, ...shares),
      Math.max(0, ...shares) >= 0.5 ? 1 : 0,
      request === undefined ? 0 : 1,
      request === undefined ? 0 : Math.min(1, request.score / 40),
      (hit?.score ?? 0) / best,
      Math.min(2, (own?.score ?? 0) / best),
      wins ? 1 : 0,
      hit?.coverage ?? 0,
      own?.coverage ?? 0,
      own?.isTelling === true ? 1 : 0,
      takes(subject, whole) ? 1 : 0,
      lacks(subject, whole) ? 1 : 0,
      bounded(marginAt(nearest, label)),
      nearest?.shares[none] ?? 0,
      windows.some((window) => window.isSingle && leads(window.odds, label)) ? 1 : 0,
      Math.min(1, (nearest?.words ?? 0) / 15),
      rivalOf(nearest, label),
      nearest?.asks ?? 0,
      nearest?.refuses ?? 0,
      beside(nearest, windows, label),
      Math.max(0, ...windows.map((window) => (window.shares[label] ?? 0) * window.asks)),
      ...style,
    ]
    return [{ slug: subject.slug, part: partIn(nearest, windows, label), values }]
  })
}

/** What a part says of a tool together with its neighbours: `who registered them` is told by what comes before it. */
function beside(nearest: Window | undefined, windows: readonly Window[], label: number): number {
  if (nearest === undefined) return 0
  const at = windows.findIndex(({ part, isSingle }) => isSingle && part === nearest.part)
  const before = windows.slice(0, Math.max(0, at)).findLast(({ isSingle }) => !isSingle)
  const after = windows.find(({ part, isSingle }) => !isSingle && part === nearest.part)
  const shares = [before, after].flatMap((window) => (window === undefined ? [] : [window.shares[label] ?? 0]))
  return shares.length === 0 ? (nearest.shares[label] ?? 0) : Math.min(...shares)
}

/** The share of each label in what a text says, all together one. */
export function sharesOf(odds: readonly number[]): readonly number[] {
  const weights = odds.map((each) => Math.exp(each))
  const total = weights.reduce((sum, each) => sum + each, 0)
  return weights.map((each) => each / total)
}

/** Of two parts that speak for a tool together the one that speaks for it by itself. */
function partIn(window: Window | undefined, windows: readonly Window[], label: number): Part | undefined {
  if (window === undefined || window.isSingle) return window?.part
  const single = windows.filter(({ isSingle }) => isSingle)
  const at = single.findIndex(({ part }) => part === window.part)
  const [first, second] = at < 0 ? [] : [single[at], single[at + 1]]
  return (second?.odds[label] ?? -Infinity) > (first?.odds[label] ?? -Infinity) ? second?.part : window.part
}

/** How far a tool is ahead of the next in a part, or behind the first. */
function marginAt(window: Window | undefined, label: number): number {
  const others = (window?.odds ?? []).filter((_, other) => other !== label)
  return (window?.odds[label] ?? -most) - Math.max(-most, ...others)
}

function leads(odds: readonly number[], label: number): boolean {
  return odds.every((each, other) => other === label || each < (odds[label] ?? 0))
}

/** The largest share that another tool has in the part that speaks for this one most. */
function rivalOf(window: Window | undefined, label: number): number {
  return Math.max(0, ...(window?.shares ?? []).filter((_, other) => other !== label))
}

/** Each part by itself and with the next one; a part that names nothing is about what the sentence names. */
function windowsOf(
  parts: readonly Part[],
  continued: ReadonlySet<Part>,
  whole: Passage,
  oddsOf: Classifier['oddsOf'],
): readonly Window[] {
  return parts.flatMap((part, index) =>
    [[part], parts.slice(index, index + 2)].flatMap((some, size) => {
      if (size === 1 && some.length < 2) return []
      if (some.every((one) => continued.has(one) || (size > 0 && one.words.length === 0))) return []
      const plain = some.map((one) => one.plain).join(' ; ')
      if (!/\p{L}/u.test(plain)) return []
      const named = some.flatMap(({ passage }) => passage.entities)
      const odds = oddsOf(plain, named.length > 0 ? named : whole.entities)
      const words = plain.split(/\s+/).filter(Boolean).length
      const asks = Math.min(...some.map((one) => one.asks))
      const refuses = Math.max(...some.map((one) => one.refuses))
      return [{ part, isSingle: size === 0, asks, refuses, words, odds, shares: sharesOf(odds) }]
    }),
  )
}

function bounded(odds = -most): number {
  return Math.max(-most, Math.min(most, odds)) / most
}

/** Whether a tool needs a thing that the sentence does not name. */
function lacks({ inputs }: Subject, { entities }: Passage): boolean {
  return inputs.some(({ rule, required }) => {
    if (!required || !isThing(rule)) return false
    const kinds = entityOf[rule.from]
    const wanted = kinds.includes('address') ? [...kinds, 'ens'] : kinds
    return wanted.length > 0 && !entities.some(({ kind }) => wanted.includes(kind))
  })
}
