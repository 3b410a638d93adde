import type { Result } from './evm/frame.ts'
import { addressOf } from './evm/machine.ts'
import { explore } from './explore.ts'
import type { Exploration } from './outcome.ts'
import type { Lab, Note } from './lab.ts'
import { type Known, type Power, powersOf } from './powers.ts'
import { ordinary } from './trials.ts'

export function coverageOf({ world }: Lab, addresses: readonly string[], results: readonly Result[]) {
  const reached = new Set(results.flatMap(({ sites }) => [...sites]))
  const all = addresses.flatMap((address) =>
    [...(world.codes.get(address)?.sinks.keys() ?? [])].map((pc) => `${address}:${pc}`),
  )
  return { sites: all.length, unreached: all.filter((site) => !reached.has(site)).length }
}

const maxSecondSteps = 6

/** Where somebody privileged named an address, what that makes possible: deposits may be sent there by a second call. */
export function secondSteps(
  known: Known,
  explorations: readonly Exploration[],
  functions: readonly string[],
): readonly ((note: Note) => readonly Power[])[] {
  const { lab, baselines } = known
  if (!baselines.some(({ harness }) => harness.kind === 'deposit')) return []
  const firsts = explorations
    .flatMap(({ outcomes }) => outcomes)
    .filter(({ right, actor, result }) => {
      const chosen = new Set([actor, lab.actors.consent, lab.actors.recipient])
      return (
        right.is !== 'anyone' &&
        result.effects.some(
          (effect) => effect.is === 'write' && effect.key === undefined && chosen.has(addressOf(effect.value.v)),
        )
      )
    })
    .slice(0, maxSecondSteps)
  return firsts.map((first) => (note: Note) => {
    const question = { start: first.result.state, places: [], amount: baselines[0]?.harness.amount ?? 1n, maxRuns: 4 }
    return functions
      .filter((one) => !ordinary.has(one))
      .slice(0, 40)
      .flatMap((selector) => explore(lab, selector, { ...question, first: first.actor }, note).outcomes)
      .flatMap((outcome) => powersOf(known, outcome, note))
      .filter(({ kind }) => kind === 'drain')
      .map((power) => ({ ...power, selector: first.selector, right: first.right, actor: first.actor }))
  })
}

/** By the way out, taken again before it is written down that it was taken. */
export const openPower = { kind: 'drain', right: { is: 'anyone' }, figure: undefined } as const
