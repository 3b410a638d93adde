import { placesRead, placesWritten } from '../beyond.ts'
import { forkOf, type State } from '../evm/state.ts'
import { isKeyedBy } from '../evm/tag.ts'
import { addressOf } from '../evm/machine.ts'
import type { Note } from '../lab.ts'
import type { Fault } from './faults.ts'
import { search, shapeOf, type Tail, type Tried } from './search.ts'
import { entered, type Stage, wealthIn } from './stage.ts'

const most = { firsts: 6, ofFirst: 2, nexts: 6, alone: 6, runs: 26 }
const tails: readonly Tail[] = ['call', 'pay', 'empty']

/**
 * Somebody makes the contract run code of their own as if it were its own, or say what they like to a token: at once,
 * or after they had an address written down.
 */
export function hijackFaults(stage: Stage, note: Note): readonly Fault[] {
  const { lab, tokens, thief } = stage
  const start = entered(stage, note, thief)
  for (const selector of stage.functions.filter((one) => isTold(stage, one)).slice(0, most.alone)) {
    const found = taken(stage, note, start, { selector, named: tokens[0] })
    if (found !== undefined) return [found]
  }
  const reads = new Map(
    stage.explorations.map(({ selector, results }) => [selector, placesRead(lab, results.slice(-40))]),
  )
  for (const named of [lab.actors.module, ...tokens]) {
    for (const { one, selector } of registering(stage, note, start, named)) {
      const written = [...placesWritten(lab, one.result)]
      const nexts = stage.functions.filter(
        (next) => next !== selector && written.some((place) => reads.get(next)?.has(place) === true),
      )
      for (const next of nexts.slice(0, most.nexts)) {
        if (stage.isSpent()) return []
        const found = taken(stage, note, one.result.state, { selector: next, named })
        if (found !== undefined) return [{ ...found, selector, next }]
      }
    }
  }
  return []
}

/** Whether the caller says whose code is run, or whom to call with bytes of their own. */
function isTold(stage: Stage, selector: string): boolean {
  const uses = [...shapeOf(stage, selector).uses.values()]
  return uses.some((one) => one.has('module') || one.has('callee')) && uses.some((one) => one.has('offset'))
}

/** Calls after which an address of the caller's choice stands somewhere. */
function registering(stage: Stage, note: Note, state: State, named: string) {
  const { lab, thief } = stage
  const digits = new Set([named.slice(2)])
  return stage.functions
    .flatMap((selector) => {
      if (stage.isSpent() || !takesAddress(stage, selector)) return []
      const asked = { state, selector, actor: thief, named, callees: [named], value: 10n ** 18n, tails, runs: 10 }
      return search(stage, note, asked)
        .filter(({ result }) =>
          result.effects.some(
            (effect) =>
              effect.is === 'write' &&
              effect.account === lab.target &&
              effect.value.v !== effect.before &&
              (isKeyedBy(effect.key, digits) || holds(effect.value.v, named)),
          ),
        )
        .slice(0, most.ofFirst)
        .map((one) => ({ one, selector }))
    })
    .slice(0, most.firsts)
}

/** An address may share its word with something else. */
function holds(word: bigint, named: string): boolean {
  return [0n, 32n, 64n, 96n].some((by) => addressOf(word >> by) === named)
}

function takesAddress(stage: Stage, selector: string): boolean {
  const { uses } = shapeOf(stage, selector)
  return [...uses.values()].some((one) => one.has('address') || one.has('callee') || one.has('module'))
}

type Next = { readonly selector: string; readonly named: string | undefined }

/** Whether somebody without rights takes what the victim has by one call. */
function taken(stage: Stage, note: Note, state: State, { selector, named }: Next): Fault | undefined {
  const { lab, thief, tokens } = stage
  const found = search(stage, note, {
    state,
    selector,
    actor: thief,
    tails,
    runs: most.runs,
    callees: [...tokens, lab.actors.consent],
    ...(named === undefined ? {} : { named }),
  })
  const theft = found.find((one) => isTheft(stage, note, state, one))
  if (theft === undefined) return undefined
  const isModule = theft.result.effects.some(
    (effect) => effect.is === 'delegate' && effect.to.v === BigInt(lab.actors.module),
  )
  return { is: isModule ? 'module' : 'anycall', selector }
}

/** Whether the victim, who did nothing, lost what somebody else has now. */
function isTheft(stage: Stage, note: Note, before: State, { result }: Tried): boolean {
  const { victim, thief, harnesses } = stage
  const change = (who: string): readonly bigint[] => {
    const had = wealthIn(stage, note, before, who)
    return wealthIn(stage, note, result.state, who).map((one, at) => one - (had[at] ?? 0n))
  }
  const own = change(victim)
  const gained = change(thief)
  if (own.some((one) => one > 0n)) return false
  // Nobody lets a contract spend that only passes calls on.
  if (own.some((one, at) => one < 0n && (gained[at] ?? 0n) > 0n)) return stage.invitesApproval
  // What is in it may be less although nobody's purse is: but whoever got it must have more than they put in.
  const start = wealthIn(stage, note, stage.state, thief)
  const net = wealthIn(stage, note, result.state, thief).map((one, at) => one - (start[at] ?? 0n))
  return (
    net.some((one) => one > 0n) &&
    harnesses.some((harness) => {
      const held = harness.held(forkOf(before), note)
      return held > 0n && harness.held(forkOf(result.state), note) * 10n < held * 9n
    })
  )
}
