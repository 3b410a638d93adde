import { forkOf } from './evm/state.ts'
import { loadsIn, shapeOf } from './evm/tag.ts'
import { didSomething, type Exploration, type Outcome } from './outcome.ts'
import { callData, type Lab, type Note } from './lab.ts'
import { digitsOf, type Known, type Power, powersOf } from './powers.ts'
import { holdingsRound, wordFor } from './solve.ts'
import { ordinary } from './trials.ts'

const most = { values: 6, calls: 40 }

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
  if (asked.size === 0) return []
  const calls = new Map<string, Outcome>()
  for (const outcome of explorations.flatMap(({ outcomes }) => outcomes)) {
    if (outcome.right.is === 'anyone' || (outcome.assumed ?? []).length > 0 || calls.size >= most.calls) continue
    // Whoever sends somebody so much that no more fits in has given it away.
    if (ordinary.has(outcome.selector)) continue
    for (const one of aimedAt(lab, outcome, asked)) calls.set(Buffer.from(one.transaction.data).toString('hex'), one)
  }
  return [...calls.values()].slice(0, most.calls).map((one) => (note: Note) => {
    const result = lab.run(forkOf(one.before), one.transaction, note)
    return result.ok && didSomething(result) ? powersOf(known, { ...one, result }, note) : []
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
