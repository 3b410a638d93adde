import { forkOf } from './evm/state.ts'
import { dataIn, loadsIn, shapeOf } from './evm/tag.ts'
import { didSomething, type Exploration, type Outcome } from './outcome.ts'
import { callData, type Lab, type Note } from './lab.ts'
import { digitsOf, type Known, type Power, powersOf } from './powers.ts'
import { holdingsRound, wordFor } from './solve.ts'
import { ordinary } from './trials.ts'

const most = { values: 6, calls: 40, shares: 30 }
/** Nearly all, as shares are written: of a hundred, a thousand, ten thousand, a million and ten to the eighteenth. */
const nearlyAll = [99n, 990n, 9_900n, 990_000n, 99n * 10n ** 16n]

/**
 * Has the privileged set just what would turn a branch of the ordinary use: what is asked there, of a place that one of
 * their calls writes, tells which figure matters. Each call is really made, so what the contract does not allow tells
 * nothing.
 */
export function aimed(
  known: Known,
  explorations: readonly Exploration[],
): readonly ((note: Note) => readonly Power[])[] {
  const { lab, baselines, lived } = known
  const measures = [...baselines, ...(lived === undefined ? [] : [lived.baseline])].map(({ measure }) => measure)
  const asked = askedOf(
    lab,
    measures.flatMap(({ results }) => results),
  )
  const read = new Set(measures.flatMap(({ reads }) => [...reads]))
  const shares = new Map<string, Outcome>()
  const calls = new Map<string, Outcome>()
  for (const outcome of explorations.flatMap(({ outcomes }) => outcomes)) {
    if (outcome.right.is === 'anyone' || (outcome.assumed ?? []).length > 0 || calls.size >= most.calls) continue
    // Whoever sends somebody so much that no more fits in has given it away.
    if (ordinary.has(outcome.selector)) continue
    for (const one of aimedAt(lab, outcome, asked)) calls.set(dataOf(one), one)
    for (const one of sharesOf(outcome, read)) if (!calls.has(dataOf(one))) shares.set(dataOf(one), one)
  }
  return [...[...calls.values()].slice(0, most.calls), ...[...shares.values()].slice(0, most.shares)].map(
    (one) => (note: Note) => {
      const result = lab.run(forkOf(one.before), one.transaction, note)
      return result.ok && didSomething(result) ? powersOf(known, { ...one, result }, note) : []
    },
  )
}

function dataOf({ transaction }: Outcome): string {
  return Buffer.from(transaction.data).toString('hex')
}

/**
 * The same call with nearly all of a share for each figure alone that ordinary use reads: a limit of one figure, or
 * more than all, says nothing of another.
 */
function sharesOf(outcome: Outcome, read: ReadonlySet<string>): readonly Outcome[] {
  const { result, words, transaction, selector } = outcome
  const places = new Set(
    result.effects.flatMap((effect) =>
      effect.is === 'write' && effect.value.v >> 160n === 0n && read.has(`${effect.account}:${effect.slot}`)
        ? [...dataIn(effect.value.t)]
        : [],
    ),
  )
  return [...places].flatMap((at) => {
    const index = (at - 4) / 32
    const word = words[index]
    if (!Number.isInteger(index) || word === undefined || word >> 80n !== 0n) return []
    return nearlyAll.map((value) => {
      const other = words.with(index, value)
      const data = callData(selector, ...other).subarray(0, transaction.data.length)
      return { ...outcome, words: other, transaction: { ...transaction, data } }
    })
  })
}

/** What places of storage would have to hold for ordinary use to go another way, by place and by kind of entry. */
function askedOf(lab: Lab, results: readonly Outcome['result'][]): ReadonlyMap<string, ReadonlySet<bigint>> {
  const digits = digitsOf(lab)
  const asked = new Map<string, Set<bigint>>()
  for (const branch of results.flatMap(({ branches }) => branches)) {
    for (const { account, slot, key } of loadsIn(branch.condition.t)) {
      const values = holdingsRound(branch, account, slot)
      const ids = [`${account}:${slot}`, ...(key === undefined ? [] : [`${account}:${shapeOf(key, slot, digits)}`])]
      for (const id of ids) {
        const all = asked.get(id) ?? new Set<bigint>()
        for (const one of values) if (all.size < most.values) all.add(one)
        asked.set(id, all)
      }
    }
  }
  return asked
}

/** The same call with another figure, for each figure that is asked for. */
function aimedAt(lab: Lab, outcome: Outcome, asked: ReadonlyMap<string, ReadonlySet<bigint>>): readonly Outcome[] {
  const { result, words, transaction, selector } = outcome
  const digits = digitsOf(lab)
  return result.effects.flatMap((effect) => {
    if (effect.is !== 'write') return []
    const { account, slot, key, value } = effect
    const shape = key === undefined ? '' : `${account}:${shapeOf(key, slot, digits)}`
    const values = asked.get(`${account}:${slot}`) ?? asked.get(shape) ?? new Set<bigint>()
    return [...values].flatMap((one) => {
      const word = wordFor(value.t, one)
      const index = word === undefined ? -1 : (word.at - 4) / 32
      if (word === undefined || !Number.isInteger(index) || index >= words.length || words[index] === word.value)
        return []
      const other = words.with(index, word.value)
      const data = callData(selector, ...other).subarray(0, transaction.data.length)
      return [{ ...outcome, words: other, transaction: { ...transaction, data } }]
    })
  })
}
