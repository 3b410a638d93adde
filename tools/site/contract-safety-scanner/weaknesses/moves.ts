import { wordOf } from '../../../../src/tool/tool.ts'
import { createShape, learn, maxWords, mostPaid, noChoice, type Shape, tailWords, wordsOf } from '../arguments.ts'
import type { Branch, Result, Transaction } from '../evm/frame.ts'
import { wordAt } from '../evm/memory.ts'
import { forkOf, type State } from '../evm/state.ts'
import { isKeyedBy } from '../evm/tag.ts'
import { plainCall } from '../explore.ts'
import { callData, type Note } from '../lab.ts'
import { didSomething } from '../outcome.ts'
import { waysRound } from '../solve.ts'
import { shapeOf } from './search.ts'
import { type Stage, wealthIn } from './stage.ts'

/** What somebody calls, and when. */
export type Move = {
  readonly selector: string
  readonly words: readonly bigint[]
  readonly value: bigint
  readonly actor: string
  readonly later: number
}

/** What a contract came to by the calls of some people, and the numbers of things that came up for each of them. */
export type Scene = {
  readonly state: State
  readonly later: number
  readonly ids: ReadonlyMap<string, readonly bigint[]>
  readonly moves: readonly Move[]
}

/** A call that went well. */
export type Done = Move & {
  readonly result: Result
  readonly scene: Scene
  /** What all of the family have more of, or less. */
  readonly change: readonly bigint[]
}

/** People who act together. */
export type Family = readonly [string, string]

/** What is known of how functions are called; it grows with each call. */
export type Habits = { readonly shapes: Map<string, Shape>; readonly unpaid: Set<string> }

type Asked = {
  readonly scene: Scene
  readonly selector: string
  readonly actor: string
  readonly family: Family
  /** Who has something in it too. */
  readonly others: Family
  /** So much each puts in, the largest first. */
  readonly amounts: readonly bigint[]
  readonly runs: number
  /** Calls to begin with. */
  readonly first?: readonly Move[]
}

const most = { steps: 40_000, ways: 8, deepest: 8, ofDeed: 2, ids: 6 }

function shapeFor(stage: Stage, { shapes }: Habits, selector: string): Shape {
  const known = shapes.get(selector) ?? (selector === plainCall ? createShape() : shapeOf(stage, selector))
  shapes.set(selector, known)
  return known
}

/** What all of a family have. */
export function wealthOf(stage: Stage, note: Note, state: State, family: readonly string[]): readonly bigint[] {
  const each = family.map((one) => wealthIn(stage, note, state, one))
  return (each[0] ?? []).map((_has, at) => each.reduce((sum, one) => sum + (one[at] ?? 0n), 0n))
}

export function changeOf(after: readonly bigint[], before: readonly bigint[]): readonly bigint[] {
  return after.map((one, at) => one - (before[at] ?? 0n))
}

/** More of something and less of nothing. */
export function isGain(change: readonly bigint[]): boolean {
  return change.some((one) => one > 0n) && change.every((one) => one >= 0n)
}

/** Less of something and more of nothing. */
export function isCost(change: readonly bigint[]): boolean {
  return change.some((one) => one < 0n) && change.every((one) => one <= 0n)
}

/** Makes one call; undefined where it fails or does nothing. */
export function makeMove(stage: Stage, note: Note, scene: Scene, family: Family, move: Move): Done | undefined {
  const later = Math.max(scene.later, move.later)
  const result = stage.lab.run(forkOf(scene.state), transactionOf(stage, { ...move, later }), note, most.steps)
  return result.ok && didSomething(result) ? doneOf(stage, note, scene, family, { ...move, later }, result) : undefined
}

function transactionOf({ lab }: Stage, { selector, words, value, actor, later }: Move): Transaction {
  const data = selector === plainCall ? new Uint8Array(0) : callData(selector, ...words)
  return { from: actor, to: lab.target, data, value, later }
}

function doneOf(stage: Stage, note: Note, scene: Scene, family: Family, move: Move, result: Result): Done {
  const known = scene.ids.get(move.actor) ?? []
  const fresh = idsIn(stage, result, move).filter((one) => !known.includes(one))
  const ids =
    fresh.length === 0 ? scene.ids : new Map(scene.ids).set(move.actor, [...fresh, ...known].slice(0, most.ids))
  // Where nobody is paid or called, nobody has more.
  const isMoving = move.value > 0n || result.effects.some((effect) => effect.is === 'call' && !effect.isStatic)
  const had = isMoving ? wealthOf(stage, note, scene.state, family) : []
  const change = isMoving
    ? changeOf(wealthOf(stage, note, result.state, family), had)
    : [0n, ...stage.tokens.map(() => 0n)]
  const next: Scene = { state: result.state, later: move.later, ids, moves: [...scene.moves, move] }
  return { ...move, result, scene: next, change }
}

/** Numbers under which something was written down: what counts upwards, what was answered, and names of one's own. */
function idsIn({ lab }: Stage, { effects, data }: Result, { words }: Move): readonly bigint[] {
  const found: bigint[] = []
  const isSmall = (one: bigint): boolean => one >> 40n === 0n
  for (const effect of effects) {
    if (effect.is !== 'write' || effect.account !== lab.target || effect.value.v !== effect.before + 1n) continue
    if (!isSmall(effect.before)) continue
    // Lists count from nothing; other counts may give the number before or the one after.
    found.push(
      ...(hasEntry(effects, effect.value.v) ? [effect.value.v, effect.before] : [effect.before, effect.value.v]),
    )
  }
  if (data.bytes.length === 32) found.push(wordAt(data.bytes, 0))
  for (const word of words.slice(0, 4)) if (word === freshWord) found.push(word)
  return found
}

/** Whether something was written in a table under that number. */
function hasEntry(effects: Result['effects'], number: bigint): boolean {
  const digits = new Set([wordOf(number)])
  return effects.some((effect) => effect.is === 'write' && isKeyedBy(effect.key, digits))
}

/** A number that nobody has used, e.g. as a name. */
const freshWord = 0x7e57n << 200n

type Said = { readonly words: readonly bigint[]; readonly value: bigint; readonly later: number }

/** Looks for calls of one function by one person that go well, with what is at hand: amounts, people, numbers. */
export function movesOf(stage: Stage, note: Note, habits: Habits, asked: Asked): readonly Done[] {
  const { scene, selector, actor, family, runs, first = [] } = asked
  const shape = shapeFor(stage, habits, selector)
  const tried = new Set<string>()
  const ways = new Set<string>()
  const found = new Map<string, Done[]>()
  const queue: Said[] = first.map(({ words, value }) => ({ words, value, later: scene.later }))
  let given = queue.length
  let nth = 0
  for (let left = runs; left > 0; left -= 1) {
    const taken = given > 0 || left % 2 === 0 ? queue.shift() : undefined
    given -= 1
    const said = taken ?? laidOut(stage, habits, shape, asked, nth++) ?? queue.shift()
    if (said === undefined) break
    const move: Move = { ...said, selector, actor }
    const id = `${said.words.join()} ${said.value} ${said.later}`
    if (tried.has(id)) {
      // A form that came out like another one costs nothing.
      if (tried.size + 40 > nth) left += nth < bases.length * 2 ? 1 : 0
      continue
    }
    tried.add(id)
    const result = stage.lab.run(forkOf(scene.state), transactionOf(stage, move), note, most.steps)
    learn(shape, result)
    if (!result.ok && said.value > 0n && result.branches.some(refusesEther)) {
      habits.unpaid.add(selector)
      queue.unshift({ ...said, value: 0n })
      given = 1
      continue
    }
    const isNew = result.branches.some(({ place, taken: way }) => !ways.has(`${place} ${way}`))
    for (const { place, taken: way } of result.branches) ways.add(`${place} ${way}`)
    if (isNew || !result.ok)
      queue.unshift(...turned(stage, shape, said, asked, habits, result).slice(0, isNew ? most.ways : 2))
    if (!result.ok || !didSomething(result)) continue
    const done = doneOf(stage, note, scene, family, move, result)
    const deed = `${deedOf(result)} ${done.change.join()}`
    const known = found.get(deed) ?? []
    found.set(deed, known)
    if (known.length < most.ofDeed) known.push(done)
  }
  return [...found.values()].flat()
}

/** What a call did in the end, told so that the same done to other entries of the same tables is the same. */
export function deedOf({ effects }: Result): string {
  const entries = new Map<string, { readonly table: string; readonly before: bigint; after: bigint }>()
  const parts: string[] = []
  for (const effect of effects)
    if (effect.is === 'write') {
      const id = `${effect.account}${effect.slot}`
      const table = effect.key?.is === 'hash' ? effect.key.preimage.slice(-64) : effect.slot.toString(16)
      const known = entries.get(id) ?? { table: `${effect.account}${table}`, before: effect.before, after: 0n }
      known.after = effect.value.v
      entries.set(id, known)
    } else if (effect.is === 'call' && !effect.isStatic) parts.push(`c${effect.value > 0n}`)
  for (const { table, before, after } of entries.values())
    if (before !== after) parts.push(`${table}${after > before ? 'u' : 'd'}`)
  return parts.sort().join()
}

function refusesEther({ condition: { t, v } }: Branch): boolean {
  return t?.is === 'value' ? v !== 0n : t?.is === 'op' && t.op === 0x15 && t.a.t?.is === 'value' && v === 0n
}

type Number =
  | 'amount'
  | 'less'
  | 'half'
  | 'own'
  | 'second'
  | 'last'
  | 'each'
  | 'partner'
  | 'other'
  | 'one'
  | 'zero'
  | 'many'
  | 'fresh'
type Person = 'self' | 'partner' | 'other'

/** One way to fill a call in: the first number, those behind it, people in turn, and what a list holds. */
type Base = {
  readonly number: Number
  readonly rest: Number
  readonly people: readonly [Person, Person]
  readonly list: 'one' | 'same' | 'two' | 'three'
}

const bases: readonly Base[] = [
  { number: 'amount', rest: 'amount', people: ['partner', 'self'], list: 'one' },
  { number: 'own', rest: 'amount', people: ['partner', 'self'], list: 'one' },
  { number: 'own', rest: 'own', people: ['self', 'self'], list: 'same' },
  { number: 'amount', rest: 'amount', people: ['self', 'self'], list: 'three' },
  { number: 'other', rest: 'amount', people: ['self', 'other'], list: 'one' },
  { number: 'last', rest: 'other', people: ['self', 'partner'], list: 'two' },
  { number: 'second', rest: 'last', people: ['partner', 'self'], list: 'same' },
  { number: 'partner', rest: 'own', people: ['other', 'self'], list: 'two' },
  { number: 'each', rest: 'each', people: ['self', 'partner'], list: 'two' },
  { number: 'half', rest: 'half', people: ['self', 'self'], list: 'same' },
  { number: 'fresh', rest: 'amount', people: ['partner', 'other'], list: 'one' },
  { number: 'one', rest: 'amount', people: ['self', 'partner'], list: 'same' },
  { number: 'less', rest: 'less', people: ['partner', 'self'], list: 'one' },
  { number: 'own', rest: 'other', people: ['self', 'other'], list: 'one' },
  { number: 'amount', rest: 'one', people: ['other', 'self'], list: 'one' },
  { number: 'own', rest: 'half', people: ['partner', 'self'], list: 'one' },
  { number: 'other', rest: 'other', people: ['self', 'self'], list: 'same' },
  { number: 'one', rest: 'fresh', people: ['partner', 'self'], list: 'one' },
  { number: 'amount', rest: 'fresh', people: ['partner', 'self'], list: 'one' },
  { number: 'many', rest: 'many', people: ['self', 'self'], list: 'one' },
  { number: 'zero', rest: 'zero', people: ['self', 'self'], list: 'one' },
]

const few = 1_000_000n

function laidOut(stage: Stage, { unpaid }: Habits, shape: Shape, asked: Asked, nth: number): Said | undefined {
  const { scene, selector, actor, amounts } = asked
  // First with ether, where it is taken, then without.
  const isPaid = !unpaid.has(selector) && nth < bases.length
  const base = bases[nth % bases.length]
  if (base === undefined || nth >= bases.length * 2) return undefined
  const [amount = 1n, less = amount] = amounts
  const value = isPaid ? (base.number === 'less' || base.number === 'one' ? less : amount) : 0n
  if (selector === plainCall) return nth > 0 ? undefined : { words: [], value: amount, later: scene.later }
  const question = { start: scene.state, places: [], amount }
  const words = [
    ...wordsOf(stage.lab, shape, { ...noChoice, parties: ['self'], number: 'amount' }, { actor, question }),
  ]
  let numbers = 0
  let people = 0
  for (let index = 0; index < Math.min(maxWords, words.length); index += 1) {
    const at = 4 + index * 32
    const uses = shape.uses.get(at)
    if (uses === undefined) continue
    if (uses.has('offset')) fillList(stage, shape, words, index, asked, base)
    else if (uses.has('callee'))
      words[index] = BigInt(stage.tokens.at(-1 - (people++ % Math.max(1, stage.tokens.length))) ?? actor)
    else if (uses.has('address')) words[index] = BigInt(personOf(asked, base.people[people++ % 2] ?? 'self'))
    else if (uses.has('flag') && shape.compared.get(at) === undefined) words[index] = BigInt((nth + 1) % 2)
    else {
      const number = numberOf(asked, numbers === 0 ? base.number : base.rest, numbers)
      const limit = shape.limits.get(at)
      words[index] = limit !== undefined && number > limit ? limit : number
      numbers += 1
    }
  }
  return { words, value, later: scene.later }
}

function personOf({ actor, family, others }: Asked, person: Person): string {
  if (person === 'self') return actor
  return person === 'other' ? others[0] : (family.find((one) => one !== actor) ?? actor)
}

function numberOf({ scene, actor, family, others, amounts }: Asked, number: Number, nth: number): bigint {
  const [amount = 1n, less = amount] = amounts
  const own = scene.ids.get(actor) ?? []
  const theirs = (who: readonly string[]): readonly bigint[] => who.flatMap((one) => scene.ids.get(one) ?? [])
  const partner = theirs(family.filter((one) => one !== actor))
  switch (number) {
    case 'amount':
      return amount
    case 'less':
      return less
    case 'half':
      return amount / 2n
    case 'own':
      return own[0] ?? partner[0] ?? 0n
    case 'second':
      return own[1] ?? own[0] ?? partner[1] ?? 1n
    case 'last':
      return own.at(-1) ?? partner.at(-1) ?? 1n
    case 'each':
      return own[nth] ?? own[0] ?? partner[0] ?? 2n
    case 'partner':
      return partner[0] ?? own[0] ?? 1n
    case 'other':
      return theirs(others)[0] ?? 0n
    case 'one':
      return 1n
    case 'zero':
      return 0n
    case 'many':
      return few
    case 'fresh':
      return freshWord
  }
}

/** A list of one thing, of the same thing again and again, or of two. */
function fillList(stage: Stage, shape: Shape, words: bigint[], index: number, asked: Asked, base: Base): void {
  const start = Number((words[index] ?? 0n) / 32n)
  if (start < maxWords || start + tailWords > words.length) return
  const uses = shape.uses.get(4 + (start + 1) * 32)
  const { scene, actor, family } = asked
  const ids = [actor, ...family].flatMap((one) => scene.ids.get(one) ?? [])
  const pool: readonly bigint[] =
    uses?.has('callee') === true
      ? stage.tokens.filter((one) => one !== stage.lab.actors.token).map(BigInt)
      : uses?.has('address') === true
        ? [BigInt(personOf(asked, base.people[0])), BigInt(personOf(asked, base.people[1]))]
        : base.number === 'other'
          ? [numberOf(asked, 'other', 0)]
          : ids.length > 0
            ? ids
            : [asked.amounts[0] ?? 1n, 1n]
  const [one = 0n, two = one] = pool
  const [low, high] = one < two ? [one, two] : [two, one]
  const items =
    base.list === 'one'
      ? [one]
      : base.list === 'same'
        ? [one, one, one]
        : base.list === 'two'
          ? [low, high]
          : [low, low, high]
  const body = [BigInt(items.length), ...items]
  for (let nth = 0; nth < tailWords; nth += 1) words[start + nth] = body[nth] ?? 0n
}

/** Before this a number is no time of a clock that counts seconds. */
const firstTimestamp = 1_000_000_000n
const longest = 400 * 86_400

/** The same call with one thing said, paid or waited for otherwise, so that the code goes another way. */
function turned(
  { lab }: Stage,
  shape: Shape,
  said: Said,
  { scene, selector }: Asked,
  { unpaid }: Habits,
  { branches }: Result,
): readonly Said[] {
  const { words } = said
  const { number, timestamp } = lab.world.block
  return branches
    .slice(-most.deepest)
    .toReversed()
    .filter((branch) => !refusesEther(branch))
    .flatMap((branch) =>
      waysRound(branch).flatMap((choice): readonly Said[] => {
        if (choice.is === 'paid' && unpaid.has(selector)) return []
        if (choice.is === 'paid') return choice.value <= mostPaid * few ? [{ ...said, value: choice.value }] : []
        if (choice.is === 'time') {
          const later = Number(choice.value < firstTimestamp ? (choice.value - number) * 2n : choice.value - timestamp)
          return later > scene.later && later < longest ? [{ ...said, later }] : []
        }
        const index = (choice.at - 4) / 32
        if (!Number.isInteger(index) || index < 0 || index >= words.length || words[index] === choice.value) return []
        // Where things stand is right already.
        if (index < maxWords && shape.uses.get(choice.at)?.has('offset') === true) return []
        return [{ ...said, words: words.with(index, choice.value) }]
      }),
    )
}
