import { placesRead, placesWritten } from '../beyond.ts'
import { plainCall } from '../explore.ts'
import type { Result } from '../evm/frame.ts'
import { programOf } from '../evm/program.ts'
import { forkOf, type State } from '../evm/state.ts'
import { isKeyedBy } from '../evm/tag.ts'
import { type Harness, selectors, withBalance } from '../harness.ts'
import { callData, type Note } from '../lab.ts'
import { trialTokenCode } from '../trial-token.ts'
import type { Fault } from './faults.ts'
import { search, type Tail, type Tried } from './search.ts'
import { balanceIn, type Stage, wealthIn } from './stage.ts'

const most = { entries: 4, exits: 6, runs: 16, exitRuns: 20 }
const tails: readonly Tail[] = ['list', 'empty']
const leastCredit = 255n
/** What many contracts write for ether where an address of a token is asked for. */
const ether = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const nobody = `0x${'0'.repeat(40)}`

/** What becomes of those who put in, where what is put in is no token as one thinks of it. */
export function currencyFaults(stage: Stage, note: Note): readonly Fault[] {
  for (const harness of stage.harnesses) {
    const leak = leaks(stage, note, harness)
    if (leak !== undefined) return [leak]
  }
  for (const selector of stage.functions) {
    if (stage.isSpent()) return []
    const [paid] = entriesOf(stage, note, stage.state, { selector, callees: stage.tokens }).filter(
      ({ isPaid }) => isPaid,
    )
    if (paid === undefined) continue
    const found = unpaid(stage, note, selector) ?? early(stage, note, selector)
    if (found !== undefined) return [found]
  }
  return []
}

type Way = {
  readonly selector: string
  readonly callees: readonly string[]
  readonly named?: string
  readonly actor?: string
}

/** Calls by which something is written down for the caller, and whether it cost anything. */
function entriesOf(stage: Stage, note: Note, state: State, { selector, callees, named, actor = stage.thief }: Way) {
  const asked = { state, selector, actor, callees, tails, runs: most.runs }
  const had = wealthIn(stage, note, state, actor)
  return search(stage, note, named === undefined ? asked : { ...asked, named })
    .filter(({ result }) => isCredited(stage, result, actor))
    .map((one) => ({
      one,
      isPaid: wealthIn(stage, note, one.result.state, actor).some((has, at) => has < (had[at] ?? 0n)),
    }))
}

function isCredited({ lab }: Stage, { effects }: Result, who: string): boolean {
  const names = new Set([who.slice(2)])
  return effects.some(
    (effect) =>
      effect.is === 'write' &&
      effect.account === lab.target &&
      isKeyedBy(effect.key, names) &&
      effect.value.v > effect.before + leastCredit,
  )
}

/** Somebody is credited what they did not pay, as what they named is no token, or they had none; and takes it out. */
function unpaid(stage: Stage, note: Note, selector: string): Fault | undefined {
  const { lab, thief, tokens, state } = stage
  const odd = [nobody, ether, lab.actors.consent, lab.actors.recipient]
  const pauper = lab.crowd[3] ?? lab.actors.friend
  const ways: readonly Way[] = [
    ...odd.map((named) => ({ selector, callees: [named], named })),
    { selector, callees: tokens, actor: pauper },
  ]
  for (const way of ways) {
    const actor = way.actor ?? thief
    const free = entriesOf(stage, note, state, way).filter(({ isPaid }) => !isPaid)
    for (const { one } of free.slice(0, most.entries)) {
      if (stage.isSpent()) return undefined
      const next = takenOut(stage, note, one, { ...way, actor })
      if (next !== undefined) return { is: 'unpaid', selector, next }
    }
  }
  return undefined
}

/** A function by which the same person then gets something that is worth having. */
function takenOut(stage: Stage, note: Note, { result, selector }: Tried, way: Way): string | undefined {
  const { state } = stage
  const { actor = stage.thief } = way
  return nextsOf(stage, result, selector).find((next) => {
    const asked = { ...way, state: result.state, selector: next, actor, tails, runs: most.exitRuns }
    const isGain = (from: State, after: State): boolean => {
      const had = wealthIn(stage, note, from, actor)
      return wealthIn(stage, note, after, actor).some((one, at) => one > (had[at] ?? 0n))
    }
    return search(stage, note, asked).some(({ result: out, transaction }) => {
      if (!isGain(state, out.state)) return false
      // What anybody gets without it is not had by it.
      const without = stage.lab.run(forkOf(state), transaction, note)
      return !without.ok || !isGain(state, without.state)
    })
  })
}

function nextsOf({ lab, functions, explorations }: Stage, result: Result, selector: string): readonly string[] {
  const written = [...placesWritten(lab, result)]
  return functions
    .filter((next) => {
      const own = explorations.find((one) => one.selector === next)
      const reads = own === undefined ? undefined : placesRead(lab, own.results.slice(-40))
      return next !== selector && written.some((place) => reads?.has(place) === true)
    })
    .slice(0, most.exits)
}

/** Somebody puts in a token that does not exist yet, and takes out what others put in once it does. */
function early(stage: Stage, note: Note, selector: string): Fault | undefined {
  const { lab, thief, victim, state } = stage
  const place = lab.actors.recipient
  const way = { selector, callees: [place], named: place }
  for (const { one } of entriesOf(stage, note, state, way).slice(0, most.entries)) {
    const later = forkOf(one.result.state)
    later.codes.set(place, programOf(trialTokenCode))
    const funded = withBalance(lab, later, note, place, victim, stage.amount * 10n)
    if (funded === undefined) continue
    lab.run(funded, { from: victim, to: place, data: callData(selectors.approve, lab.target, 1n << 250n) }, note)
    const [other] = entriesOf(stage, note, funded, { ...way, actor: victim })
    if (other === undefined || balanceIn(lab, note, other.one.result.state, place, lab.target) === 0n) continue
    for (const next of nextsOf(stage, one.result, selector)) {
      const asked = { ...way, state: other.one.result.state, selector: next, actor: thief, tails, runs: most.exitRuns }
      const isOut = search(stage, note, asked).some(
        ({ result }) => balanceIn(lab, note, result.state, place, thief) > 0n,
      )
      if (isOut) return { is: 'early', selector, next }
    }
  }
  return undefined
}

/** A token that takes a fee on the way, of which what arrived is less than what is written down and paid out again. */
function leaks(
  stage: Stage,
  note: Note,
  { entry, exit, currency, amount, isItem, wait = 0 }: Harness,
): Fault | undefined {
  const { lab, victim, thief, state } = stage
  if (entry === undefined || exit === undefined || currency === undefined || isItem === true) return undefined
  const turned = (words: readonly bigint[]): readonly bigint[] =>
    words.map((word) => (word === BigInt(victim) ? BigInt(thief) : word))
  const has = (one: State, who: string): bigint => balanceIn(lab, note, one, currency, who)
  const call = (from: State, selector: string, words: readonly bigint[], later: number): Result =>
    lab.run(
      forkOf(from),
      {
        from: thief,
        to: lab.target,
        data: selector === plainCall ? new Uint8Array(0) : callData(selector, ...turned(words)),
        later,
      },
      note,
    )
  const put = call(state, entry.selector, entry.words, 0)
  const [paid, came] = [has(state, thief) - has(put.state, thief), has(put.state, lab.target) - has(state, lab.target)]
  if (!put.ok || paid < amount || came <= 0n || came * 1_000n > paid * 999n) return undefined
  const out = call(put.state, exit.selector, exit.words, wait)
  const went = has(put.state, lab.target) - has(out.state, lab.target)
  return out.ok && went > came ? { is: 'leak', selector: entry.selector, next: exit.selector } : undefined
}
