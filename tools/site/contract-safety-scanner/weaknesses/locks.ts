import { wordOf } from '../../../../src/tool/tool.ts'
import type { Result } from '../evm/frame.ts'
import { programOf } from '../evm/program.ts'
import { forkOf, type State } from '../evm/state.ts'
import { isKeyedBy, loadsIn } from '../evm/tag.ts'
import { addressOf } from '../evm/machine.ts'
import { type Harness, horizons } from '../harness.ts'
import type { Note } from '../lab.ts'
import type { Fault } from './faults.ts'
import { search, type Tried } from './search.ts'
import { entered, type Stage, wealthIn } from './stage.ts'

const most = { runs: 14, ofOne: 3, nexts: 8, moves: 8 }
/** Code of an account that takes nothing from anybody: REVERT. */
const refusing = programOf('0x5f5ffd')
const ether = 10n ** 18n

/** Ways in which somebody keeps others from getting out what is theirs. */
export function lockFaults(stage: Stage, note: Note): readonly Fault[] {
  for (const harness of stage.harnesses) {
    const prolonged = prolonger(stage, note, harness)
    if (prolonged !== undefined) return [{ is: 'prolonged', selector: prolonged }]
    const crowded = crowding(stage, note, harness)
    if (crowded !== undefined) return [crowded]
  }
  return refusals(stage, note)
}

/** In seconds. */
const aMinute = 60

/**
 * A function by which anybody, for next to nothing, makes somebody else wait again before the time is over, and again
 * after that.
 */
function prolonger(stage: Stage, note: Note, { wait = 0, measure, kind }: Harness): string | undefined {
  const { lab, state, thief, victim } = stage
  if (kind !== 'deposit' || wait <= aMinute * 2 || !works(measure(state, note, 0))) return undefined
  const half = Math.floor(wait / 2)
  return stage.functions.find((selector) => {
    if (stage.isSpent()) return false
    const asked = { state, selector, actor: thief, payer: thief, amount: 1n, value: 1n, later: half, runs: most.runs }
    return search(stage, note, { ...asked, named: victim }).some(({ transaction, words, result }) => {
      if (!words.includes(BigInt(victim)) || works(measure(result.state, note, 0))) return false
      let current = result.state
      for (const times of [2, 3]) {
        const again = lab.run(forkOf(current), { ...transaction, later: half * times }, note)
        if (!again.ok) return false
        current = again.state
      }
      const spent = wealthIn(stage, note, state, thief).map(
        (had, at) => had - (wealthIn(stage, note, current, thief)[at] ?? 0n),
      )
      return spent.every((one) => one * 1_000n <= stage.amount) && !works(measure(current, note, half))
    })
  })
}

function works({ checks }: ReturnType<Harness['measure']>): boolean {
  return checks[0]?.works === true
}

/** For so much, in ether, an entry is next to nothing; so many steps a call may take for each. */
const cheap = ether / 1_000n
const leastSteps = 24

/**
 * The way out of others goes through a list that anybody makes longer for next to nothing: each of six entries by other
 * people, whom the list has no limit for, made it longer by as much or more.
 */
function crowding(stage: Stage, note: Note, { entry, exit, currency, measure, kind }: Harness): Fault | undefined {
  const { lab, state } = stage
  if (kind !== 'deposit' || entry === undefined || exit === undefined || currency !== undefined) return undefined
  const stepsIn = (one: State): number | undefined => {
    const { results, checks } = measure(one, note, 0)
    return checks[0]?.works === true ? Math.max(...results.map(({ steps }) => steps)) : undefined
  }
  const found = search(stage, note, {
    state,
    selector: entry.selector,
    actor: stage.thief,
    payer: stage.thief,
    amount: 1n,
    value: cheap,
    runs: 6,
  })
  const [cheapest] = found.filter(({ result }) => growsList(lab.target, result))
  if (cheapest === undefined || (cheapest.transaction.value ?? 0n) > cheap) return undefined
  const counts = [stepsIn(state)]
  let current = state
  for (const who of lab.crowd.slice(2, 8)) {
    const words = cheapest.words.map((word) => (word === BigInt(stage.thief) ? BigInt(who) : word))
    const data = Buffer.concat([cheapest.transaction.data.subarray(0, 4), bytesOf(words)])
    const next = lab.run(
      forkOf(current),
      { ...cheapest.transaction, from: who, data: data.subarray(0, cheapest.transaction.data.length) },
      note,
    )
    if (!next.ok) return undefined
    current = next.state
    counts.push(stepsIn(current))
  }
  const more = counts.slice(1).map((count, at) => (count ?? 0) - (counts[at] ?? 0))
  if (counts.includes(undefined)) return undefined
  return more.every((one) => one >= leastSteps)
    ? { is: 'crowded', selector: entry.selector, next: exit.selector, figure: Math.min(...more) }
    : undefined
}

function bytesOf(all: readonly bigint[]): Uint8Array {
  return Buffer.from(all.map((word) => wordOf(word)).join(''), 'hex')
}

/** Whether a list became longer, of which nothing was asked how long it may be. */
function growsList(target: string, { effects, branches }: Result): boolean {
  return effects.some(
    (effect) =>
      effect.is === 'write' &&
      effect.account === target &&
      effect.key === undefined &&
      effect.value.v === effect.before + 1n &&
      !branches.some(({ condition: { t: tag } }) =>
        tag?.is === 'op' && [tag.a, tag.b].some(({ t, v }) => t === undefined && v > 1n && v < 10_000n)
          ? loadsIn(tag).some(({ slot }) => slot === effect.slot)
          : false,
      ),
  )
}

/**
 * Others are paid in the same call, out of what stands under their names, and one of them who takes no payment keeps
 * everybody from theirs.
 */
function memberRefuses(stage: Stage, note: Note, harness: Harness): boolean {
  const { lab, state, victim } = stage
  if (harness.kind !== 'deposit' || harness.currency !== undefined) return false
  const { checks, results } = harness.measure(state, note, 0)
  if (checks[0]?.works !== true) return false
  const effects = results.flatMap((one) => one.effects)
  const paid = effects.flatMap((effect) =>
    effect.is === 'call' && effect.from === lab.target && effect.value > 0n ? [addressOf(effect.to.v)] : [],
  )
  const member = paid.find((one) => {
    const names = new Set([one.slice(2)])
    const isTheirs = (effect: Result['effects'][number]): boolean =>
      effect.is === 'write' && effect.value.v < effect.before && isKeyedBy(effect.key, names)
    return one !== victim && effects.some(isTheirs)
  })
  if (member === undefined) return false
  const refused = forkOf(state)
  refused.codes.set(member, refusing)
  return horizons.every(({ later }) => !works(harness.measure(refused, note, later)))
}

/** Somebody who takes no payment stands where the code pays, and what others would do fails with it. */
function refusals(stage: Stage, note: Note): readonly Fault[] {
  const { lab, state, thief, harnesses } = stage
  for (const harness of harnesses)
    if (harness.entry !== undefined && memberRefuses(stage, note, harness))
      return [
        {
          is: 'refused',
          selector: harness.entry.selector,
          ...(harness.exit === undefined ? {} : { next: harness.exit.selector }),
        },
      ]
  const start = entered(stage, note, lab.crowd[2] ?? stage.friend)
  for (const selector of stage.functions) {
    for (const one of standing(stage, note, start, selector).slice(0, most.ofOne)) {
      if (stage.isSpent()) return []
      const refused = forkOf(one.result.state)
      refused.codes.set(thief, refusing)
      const blocked = harnesses.find(
        (harness) =>
          harness.kind === 'deposit' &&
          works(harness.measure(one.result.state, note, 0)) &&
          horizons.every(({ later }) => !works(harness.measure(refused, note, later))),
      )
      if (blocked !== undefined && works(blocked.measure(state, note, 0)))
        return [{ is: 'refused', selector, ...(blocked.exit === undefined ? {} : { next: blocked.exit.selector }) }]
      // Who does not take what is theirs harms nobody else; who keeps others from doing the same does.
      if (isBlocked(stage, note, { after: one.result.state, refused }, selector)) return [{ is: 'outbid', selector }]
    }
  }
  return []
}

/** Calls by which somebody comes to stand under their name, by paying or not. */
function standing(stage: Stage, note: Note, state: State, selector: string): readonly Tried[] {
  const { lab, thief } = stage
  if (stage.isSpent()) return []
  const names = new Set([thief.slice(2)])
  return search(stage, note, { state, selector, actor: thief, payer: thief, value: ether, runs: most.runs }).filter(
    ({ result }) =>
      result.effects.some(
        (effect) =>
          effect.is === 'write' &&
          effect.account === lab.target &&
          ((isKeyedBy(effect.key, names) && effect.value.v > effect.before) || addressOf(effect.value.v) === thief),
      ),
  )
}

type Before = { readonly after: State; readonly refused: State }

/** Whether what another one could do, which pays the first one, fails as that one takes nothing. */
function isBlocked(stage: Stage, note: Note, { after, refused }: Before, selector: string): boolean {
  const { lab, victim, thief } = stage
  if (stage.isSpent()) return false
  const asked = { selector, actor: victim, payer: victim, value: ether * 10n, runs: most.moves }
  const paying = search(stage, note, { ...asked, state: after }).filter(({ result }) =>
    result.effects.some(
      (effect) =>
        effect.is === 'call' && effect.from === lab.target && effect.value > 0n && addressOf(effect.to.v) === thief,
    ),
  )
  return (
    paying.length > 0 &&
    paying.every(({ transaction }) => !lab.run(forkOf(refused), transaction, note).ok) &&
    search(stage, note, { ...asked, state: refused }).length === 0
  )
}
