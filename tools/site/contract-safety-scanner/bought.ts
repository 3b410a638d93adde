import type { State } from './evm/state.ts'
import { isKeyedBy } from './evm/tag.ts'
import type { Note } from './lab.ts'
import type { Exploration, Outcome } from './outcome.ts'
import type { Baseline, Known, Power } from './powers.ts'

const most = 40

/**
 * What anybody gets of a user's who pays for it, and of which nothing comes to the user: neither money nor an entry
 * under the user's name. What is sold pays its seller, and what is due is not the user's any more.
 */
export function boughtPowers(
  known: Known,
  explorations: readonly Exploration[],
): readonly ((note: Note) => readonly Power[])[] {
  const deposits = known.baselines.filter(({ harness }) => harness.kind === 'deposit')
  if (deposits.length === 0) return []
  return explorations
    .flatMap(({ bought }) => bought)
    .filter(({ right }) => right.is === 'anyone')
    .slice(0, most)
    .map(
      (outcome) => (note: Note) =>
        deposits.flatMap((one) => (isTaken(known, one, outcome, note) ? [powerOf(outcome)] : [])),
    )
}

function powerOf({ selector, actor, right }: Outcome): Power {
  return { kind: 'drain', selector, actor, right, figure: undefined }
}

function isTaken(
  { lab, start }: Known,
  { harness }: Baseline,
  { actor, result, before, transaction }: Outcome,
  note: Note,
) {
  const { holder } = lab.actors
  const ether = (state: State, who: string): bigint => state.balances.get(who) ?? lab.world.balances.get(who) ?? 0n
  const lost = harness.held(start, note) - harness.held(result.state, note)
  const paid = harness.currency === undefined ? (transaction.value ?? 0n) : 0n
  const gained = harness.heldBy(result.state, note, actor) - harness.heldBy(before, note, actor) + paid
  if (actor === holder || lost <= 0n || gained * 2n < lost || gained <= paid) return false
  if (ether(result.state, holder) > ether(start, holder)) return false
  if (harness.heldBy(result.state, note, holder) > harness.heldBy(start, note, holder)) return false
  const own = new Set([holder.slice(2)])
  return !result.effects.some(
    (effect) => effect.is === 'write' && effect.value.v > effect.before && isKeyedBy(effect.key, own),
  )
}
