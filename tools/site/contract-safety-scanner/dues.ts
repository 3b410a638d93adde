import { op } from './evm/program.ts'
import { type Tag, dataIn, loadsIn } from './evm/tag.ts'
import { selectors } from './harness.ts'
import type { Lab } from './lab.ts'
import type { Exploration, Outcome } from './outcome.ts'
import type { HeldPower } from './rights.ts'

/** Where the amount stands in the call data of a payment. */
const amountAt: ReadonlyMap<string, number> = new Map([
  [selectors.transfer, 36],
  [selectors.transferFrom, 68],
])

/**
 * Places whose figure multiplies or divides what people are paid, or what is written down for somebody: fees, rates and
 * prices, whatever they are called. `deeds` are what ordinary people did.
 */
function duesIn({ target }: Lab, deeds: readonly Outcome[]): ReadonlySet<string> {
  const places = new Set<string>()
  for (const { right, result } of deeds) {
    if (right.is !== 'anyone') continue
    for (const effect of result.effects) {
      if (effect.is === 'write' && effect.key !== undefined) addFactors(effect.value.t, target, places)
      if (effect.is !== 'call' || effect.from !== target || effect.isStatic) continue
      const at = amountAt.get(Buffer.from(effect.data.bytes.subarray(0, 4)).toString('hex'))
      if (at !== undefined) addFactors(effect.data.tags?.get(at), target, places)
    }
  }
  return places
}

const scaling: ReadonlySet<number> = new Set([op.mul, op.div])

/** Figures of the contract's own, none of somebody's entry, that a value was multiplied with or divided by. */
function addFactors(tag: Tag | undefined, target: string, places: Set<string>): void {
  if (tag?.is !== 'op') return
  if (scaling.has(tag.op))
    for (const { account, slot, key } of loadsIn(tag))
      if (account === target && key === undefined) places.add(`${account}:${slot}`)
  addFactors(tag.a.t, target, places)
  addFactors(tag.b.t, target, places)
}

/**
 * What a key sets of which no experiment showed what it does, where it is such a figure: then people get less by it.
 */
export function withDues(
  lab: Lab,
  powers: readonly HeldPower[],
  explorations: readonly Exploration[],
  deeds: readonly Outcome[],
): readonly HeldPower[] {
  const unknown = powers.filter(({ kind, figure }) => kind === 'set' && figure === undefined)
  if (unknown.length === 0) return powers
  const outcomes = explorations.flatMap((one) => one.outcomes)
  const places = duesIn(lab, [...outcomes, ...explorations.flatMap(({ bought }) => bought), ...deeds])
  const setting = new Set(
    outcomes
      .filter(({ result }) =>
        result.effects.some(
          (effect) =>
            effect.is === 'write' &&
            effect.key === undefined &&
            effect.value.v !== effect.before &&
            [...dataIn(effect.value.t)].some((at) => at >= 4) &&
            places.has(`${effect.account}:${effect.slot}`),
        ),
      )
      .map(({ selector }) => selector),
  )
  return powers.map((one) =>
    unknown.includes(one) && setting.has(one.selector) ? { ...one, kind: 'sway', figure: 0 } : one,
  )
}
