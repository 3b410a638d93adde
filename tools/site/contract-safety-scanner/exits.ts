import type { Result } from './evm/frame.ts'
import { addressOf } from './evm/machine.ts'
import { wordAt } from './evm/memory.ts'
import { forkOf } from './evm/state.ts'
import { op } from './evm/program.ts'
import { explore, plainCall } from './explore.ts'
import { type Harness, selectors } from './harness.ts'
import { callData, type Lab, type Note } from './lab.ts'

/** A function by which several calls are made in one, where ether that came along once is credited to each of them. */
export function countsTwice(
  lab: Lab,
  note: Note,
  functions: readonly string[],
  { entry, exit, currency, amount, wait = 0 }: Harness,
): string | undefined {
  const { target, actors, world } = lab
  const { holder } = actors
  const delegates = [...world.codes.values()].some(({ sinks }) => [...sinks.values()].includes(op.delegatecall))
  if (entry === undefined || exit === undefined || currency !== undefined || !delegates) return undefined
  if (entry.selector === plainCall) return undefined
  const twice = listed(callData(entry.selector, ...entry.words))
  return functions.find((selector) => {
    if (selector === entry.selector || selector === exit.selector) return false
    const state = forkOf(entry.before)
    state.balances.set(target, (state.balances.get(target) ?? world.balances.get(target) ?? 0n) + amount * 10n)
    const data = Buffer.concat([Buffer.from(selector, 'hex'), twice])
    const has = (): bigint => state.balances.get(holder) ?? 0n
    const before = has()
    if (!lab.run(state, { from: holder, to: target, data, value: amount }, note).ok) return false
    for (let times = 0; times < 2; times += 1)
      lab.run(state, { from: holder, to: target, data: exit.data, later: wait }, note)
    return has() > before
  })
}

/** Two calls as a list of them, as an argument. */
function listed(call: Uint8Array): Uint8Array {
  const room = Math.ceil(call.length / 32) * 32
  const padded = new Uint8Array(room)
  padded.set(call)
  const words = (...all: readonly number[]): Uint8Array => callData('00000000', ...all.map(BigInt)).subarray(4)
  const one = Buffer.concat([words(call.length), padded])
  return Buffer.concat([words(32, 2, 64, 64 + one.length), one, one])
}

/** In seconds: so long before the end of what users wait for. */
const soon = 60
const few = 12

/**
 * Functions by which anybody makes somebody else wait again, shortly before the end of the time that is waited
 * anyway.
 */
export function prolongersOf(
  lab: Lab,
  note: Note,
  functions: readonly string[],
  { start, amount, measure, wait = 0 }: Harness,
): readonly string[] {
  if (wait <= soon || measure(start, note, 0).checks[0]?.works !== true) return []
  const question = { start, places: [], amount, maxRuns: few, later: wait - soon, isAlone: true }
  return functions.filter((selector) =>
    explore(lab, selector, question, note).outcomes.some(
      ({ right, result, words }) =>
        right.is === 'anyone' &&
        words.includes(BigInt(lab.actors.holder)) &&
        measure(result.state, note, 0).checks[0]?.works === false,
    ),
  )
}

/** In seconds: so long somebody has had it in, and so many times the same is asked for at one moment. */
const held = 30 * 86_400
const again = 4

/**
 * A function that pays a user on top of what was put in, and pays as much again when it is called again at the same
 * moment: what somebody has earned is not written off. Who then takes out everything has more than who asked once.
 */
export function paysAgain(
  lab: Lab,
  note: Note,
  functions: readonly string[],
  { entry, exit, start, amount, heldBy, wait = 0, isItem, ids = [] }: Harness,
  harnesses: readonly Harness[],
): string | undefined {
  if (entry === undefined || exit === undefined || isItem === true) return undefined
  const { holder } = lab.actors
  // What the same user put in by another way may be what pays, or what it is lent on: then it is not there any more.
  const others = harnesses.filter((one) => one.kind === 'deposit' && one.entry !== entry)
  const later = wait + held
  const question = { start, places: [], amount: ids[0] ?? amount, first: holder, later, maxRuns: few, isAlone: true }
  return functions.find((selector) => {
    if (selector === entry.selector) return false
    const paying = explore(lab, selector, question, note).outcomes.find(
      ({ actor, result }) => actor === holder && heldBy(result.state, note, holder) > heldBy(start, note, holder),
    )
    if (paying === undefined) return false
    const gained = (times: number): bigint => {
      const state = forkOf(start)
      const before = heldBy(state, note, holder)
      for (let nth = 0; nth < times; nth += 1) lab.run(state, paying.transaction, note)
      if (others.some((one) => one.held(state, note, later) < one.held(start, note, later))) return 0n
      lab.run(state, { from: holder, to: lab.target, data: exit.data, later }, note)
      return heldBy(state, note, holder) - before
    }
    const [once, often] = [gained(1), gained(again)]
    const part = heldBy(paying.result.state, note, holder) - heldBy(start, note, holder)
    return once >= amount && often >= once + part * 2n
  })
}

/**
 * Who takes out one half, and cannot have the other any more: what comes back of it, in percent; undefined where
 * halves are not given.
 */
export function halvesOf(
  lab: Lab,
  note: Note,
  { exit, amount, start, heldBy, wait = 0, isItem }: Harness,
  later: number,
) {
  if (exit === undefined || isItem === true || amount < 1_000n || !exit.words.includes(amount)) return undefined
  const { holder } = lab.actors
  const half = callData(exit.selector, ...exit.words.map((word) => (word === amount ? amount / 2n : word)))
  const state = forkOf(start)
  const take = (after: number): bigint => {
    const before = heldBy(state, note, holder)
    lab.run(state, { from: holder, to: lab.target, data: half, later: wait + after }, note)
    return heldBy(state, note, holder) - before
  }
  // Who has to give something for it has sold one thing for another, at a price that changes.
  if (isTrade(lab, lab.run(forkOf(start), { from: holder, to: lab.target, data: exit.data, later: wait }, note)))
    return undefined
  const first = take(0)
  if (first <= 0n) return undefined
  const second = take(later)
  return second <= 0n ? 0 : Math.min(100, Number((second * 10_000n) / first) / 100)
}

function isTrade({ actors }: Lab, { effects }: Result): boolean {
  return effects.some(
    (effect) =>
      effect.is === 'call' &&
      effect.ok &&
      effect.data.bytes.length >= 100 &&
      Buffer.from(effect.data.bytes.subarray(0, 4)).toString('hex') === selectors.transferFrom &&
      addressOf(wordAt(effect.data.bytes, 4)) === actors.holder,
  )
}
