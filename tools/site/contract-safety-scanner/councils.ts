import { forkOf, type State } from './evm/state.ts'
import { shapeOf } from './evm/tag.ts'
import type { Result } from './evm/frame.ts'
import { wordAt } from './evm/memory.ts'
import { slotFor } from './holders.ts'
import { callData, type Note } from './lab.ts'
import { didSomething, type Exploration, type Outcome, type Question, type Right } from './outcome.ts'
import { digitsOf, type Known, type Power, type PowerKind, powersOf } from './powers.ts'
import { untriedOf } from './beyond.ts'
import { ordinary } from './trials.ts'

const day = 86_400
const most = { councils: 2, firsts: 8, ofOne: 2, seconds: 8, thirds: 20, steps: 500_000 } as const
/** In seconds: so long a decision may have to wait until it is carried out. */
const waits = [0, 3 * day + 4, 8 * day, 15 * day, 32 * day] as const

/** What several may do together is told where it costs people what they have, or replaces the code. */
const grave: ReadonlySet<PowerKind> = new Set([
  'take',
  'burn',
  'drain',
  'approvals',
  'storage',
  'code',
  'mint',
  'freeze',
  'pause',
])

/** Those whose word is asked in the same functions, with a state in which all of them have their seats. */
type Council = {
  readonly members: readonly string[]
  readonly right: Right
  readonly start: State
  readonly selectors: ReadonlySet<string>
  readonly outcomes: readonly Outcome[]
}

/**
 * What members of a council bring about together, none of whom could alone: one says what is to be done, the others say
 * the same or agree to it by its number, and after some days it is carried out.
 */
export function jointPowers(
  known: Known,
  explorations: readonly Exploration[],
  question: Question,
): readonly ((note: Note) => readonly Power[])[] {
  return [...councilsOf(known, explorations), ...anybodyOf(known, explorations)].map(
    (council) => (note: Note) => decidedBy(known, council, question, note),
  )
}

function councilsOf(known: Known, explorations: readonly Exploration[]): readonly Council[] {
  const { lab, start } = known
  const digits = digitsOf(lab)
  const idOf = (right: Right): string | undefined => {
    if (right.is !== 'list') return undefined
    const [entry] = right.guard.entries
    const id = entry === undefined ? undefined : `${entry.account}:${shapeOf(right.guard.keys[0], entry.slot, digits)}`
    // Where anybody comes to stand by putting something in, it is those who put in who decide.
    return id === undefined || known.credited.has(id) ? undefined : id
  }
  const seated = new Map<string, Outcome[]>()
  const asked = new Map<string, Set<string>>()
  for (const { selector, rights, outcomes } of explorations)
    for (const right of rights) {
      const id = idOf(right)
      if (id === undefined) continue
      asked.set(id, (asked.get(id) ?? new Set()).add(selector))
      const own = outcomes.filter((one) => one.right === right && isReal(one))
      seated.set(id, [...(seated.get(id) ?? []), ...own])
    }
  const lists = [...seated].flatMap(([id, outcomes]): readonly Council[] => {
    const [first] = outcomes
    const state = first === undefined ? undefined : withSeats(known, first)
    return first === undefined || state === undefined
      ? []
      : [{ ...state, right: first.right, selectors: asked.get(id) ?? new Set(), outcomes }]
  })
  const named = explorations.flatMap(({ selector, outcomes }): readonly Council[] => {
    const own = outcomes.filter(
      ({ right, ...one }) =>
        right.is === 'address' && !right.bySignature && right.isNamed !== true && isReal({ ...one, right }),
    )
    const members = [...new Set(own.map(({ actor }) => actor))]
    const [first] = own
    if (first === undefined || members.length < 2 || ordinary.has(selector)) return []
    return [{ members, right: first.right, start: forkOf(start), selectors: new Set([selector]), outcomes: own }]
  })
  return [...lists, ...named].slice(0, most.councils)
}

/** Anybody at all, where each says once what is to be paid to somebody, and others agree to it. */
function anybodyOf({ lab, start, baselines }: Known, explorations: readonly Exploration[]): readonly Council[] {
  const { recipient, stranger, member, spender, friend } = lab.actors
  const named = new Set([recipient, stranger, member, spender, friend].map(BigInt))
  const outcomes = explorations.flatMap((one) =>
    one.outcomes.filter((own) => own.right.is === 'anyone' && isReal(own) && own.words.some((word) => named.has(word))),
  )
  const [first] = outcomes
  if (first === undefined || !baselines.some(({ harness }) => harness.kind === 'deposit')) return []
  const members = [stranger, ...lab.crowd.slice(0, 3)]
  return [{ members, right: first.right, start: forkOf(start), selectors: new Set(untriedOf(explorations)), outcomes }]
}

function isReal({ assumed = [], transaction }: Outcome): boolean {
  return assumed.length === 0 && transaction.forced === undefined
}

/** The state in which several people stand on the list on which one was put. */
function withSeats({ lab, start }: Known, { right, before }: Outcome): Pick<Council, 'members' | 'start'> | undefined {
  if (right.is !== 'list') return undefined
  const [entry] = right.guard.entries
  const [key] = right.guard.keys
  if (entry === undefined || key === undefined) return undefined
  const mark = before.storage.get(entry.account)?.get(entry.slot)
  if (mark === undefined) return undefined
  const members = [lab.actors.member, ...lab.crowd.slice(0, 3)]
  const state = forkOf(start)
  const slots = state.storage.get(entry.account) ?? new Map<bigint, bigint>()
  for (const one of members) {
    const slot = slotFor(lab, key, lab.actors.member.slice(2), one.slice(2))
    if (slot === undefined) return undefined
    slots.set(slot, mark)
  }
  state.storage.set(entry.account, slots)
  return { members, start: state }
}

function decidedBy(known: Known, council: Council, question: Question, note: Note): readonly Power[] {
  const { lab } = known
  const { members, right, start, selectors } = council
  const [leader] = members
  if (leader === undefined) return []
  const until = lab.steps() + most.steps
  const isSpent = (): boolean => lab.isSpent() || lab.steps() >= until
  const call = (state: State, from: string, selector: string, words: readonly bigint[], later: number): Outcome => {
    const transaction = { from, to: lab.target, data: callData(selector, ...words), later }
    const result = lab.run(state, transaction, note, 60_000)
    return { selector, actor: from, right, words, result, transaction, before: state }
  }
  const isOpen = right.is === 'anyone'
  // What nobody of them paid for, and somebody of their choice has: who paid has bought it, or lost a game.
  const isGiven = ({ result }: Outcome): boolean =>
    known.baselines.some(({ harness: { kind, heldBy } }) => {
      const more = (who: string): bigint => heldBy(result.state, note, who) - heldBy(start, note, who)
      return kind === 'deposit' && more(lab.actors.recipient) > 0n && members.every((one) => more(one) >= 0n)
    })
  const graveOf = (first: string, outcome: Outcome): readonly Power[] =>
    (isOpen && !isGiven(outcome) ? [] : powersOf(known, outcome, note))
      .filter(({ kind }) => (isOpen ? kind === 'drain' : grave.has(kind)))
      .map((power) => ({
        ...power,
        selector: first,
        isShared: !isOpen,
        ...(outcome.selector === first ? {} : { next: outcome.selector }),
      }))
  for (const { selector: first, words } of firstsOf(known, council, question)) {
    const opened = call(forkOf(start), leader, first, words, 0)
    if (!opened.result.ok) continue
    // What one can do alone is told as that one's.
    if (graveOf(first, opened).length > 0) continue
    const numbers = numbersIn(opened.result).map((one) => [one, 1n])
    for (const second of [...selectors].filter((one) => !ordinary.has(one)).slice(0, most.seconds)) {
      for (const said of second === first ? [words] : [words, ...numbers]) {
        if (isSpent()) return []
        const agreed = agreedTo(opened.result.state, second, said)
        if (agreed === undefined) continue
        const atOnce = graveOf(first, agreed)
        if (atOnce.length > 0) return atOnce
        const later = carriedOut(first, agreed, [words, ...numbers])
        if (later.length > 0) return later
      }
    }
  }
  return []

  /** The last word that anything hung on, where several said the same. */
  function agreedTo(opened: State, selector: string, said: readonly bigint[]): Outcome | undefined {
    let state = opened
    const done: Outcome[] = []
    for (const member of members) {
      const one = call(forkOf(state), member, selector, said, 0)
      if (!one.result.ok || !didSomething(one.result)) continue
      done.push(one)
      state = one.result.state
    }
    // Who proposed it has said so already.
    return done.length === 0 ? undefined : done.at(-1)
  }

  /** What comes of it once it is carried out, by its number or by what was said, now or when its time has come. */
  function carriedOut(first: string, agreed: Outcome, ways: readonly (readonly bigint[])[]): readonly Power[] {
    const functions = known.selectors.filter((one) => !ordinary.has(one) && one !== agreed.selector)
    for (const third of functions.slice(0, most.thirds))
      for (const words of ways)
        for (const wait of waits) {
          if (isSpent()) return []
          const done = call(forkOf(agreed.result.state), leader ?? '', third, words, wait)
          if (!done.result.ok || !didSomething(done.result)) continue
          const found = graveOf(first, { ...done, before: agreed.result.state })
          if (found.length > 0) return found
          break
        }
    return []
  }
}

/** What one of them says first: each with all that there is for an amount, and to somebody of their choice. */
function firstsOf(
  { lab }: Known,
  { outcomes }: Council,
  { whole = 0n }: Question,
): readonly { readonly selector: string; readonly words: readonly bigint[] }[] {
  const { recipient, holder, stranger, member, spender, friend } = lab.actors
  const chosen = new Set([stranger, member, spender, friend].map(BigInt))
  const count = new Map<string, number>()
  const seen = new Set<string>()
  return outcomes
    .toSorted((a, b) => Number(b.words.includes(BigInt(recipient))) - Number(a.words.includes(BigInt(recipient))))
    .flatMap(({ selector, words }) => {
      if (ordinary.has(selector) || words.includes(BigInt(holder))) return []
      const aimed = words.map((word) => (chosen.has(word) ? BigInt(recipient) : word))
      const all = aimed.map((word) => (word > leastAmount && word >> 128n === 0n && whole > 0n ? whole : word))
      return [all, aimed].map((one) => ({ selector, words: one }))
    })
    .filter(({ selector, words }) => {
      const id = `${selector}${words.join()}`
      const had = count.get(selector) ?? 0
      if (seen.has(id) || had >= most.ofOne * 2) return false
      seen.add(id)
      count.set(selector, had + 1)
      return true
    })
    .slice(0, most.firsts)
}

/** Smaller numbers are names rather than amounts. */
const leastAmount = 1_000n

/** Numbers under which what was proposed may be found: what the call returned, what it counted, and the first ones. */
function numbersIn({ data, effects }: Result): readonly bigint[] {
  const returned = data.bytes.length === 32 ? [wordAt(data.bytes, 0)] : []
  const counted = effects.flatMap((effect) =>
    effect.is === 'write' && effect.value.v === effect.before + 1n ? [effect.before, effect.value.v] : [],
  )
  return [...new Set([...returned, ...counted, 0n])].filter((one) => one >> 64n === 0n).slice(0, 3)
}
