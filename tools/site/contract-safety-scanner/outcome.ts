import type { Branch, Result, Transaction } from './evm/frame.ts'
import type { State } from './evm/state.ts'
import { isKeyedBy } from './evm/tag.ts'
import type { Guard, Place } from './guards.ts'

/** By what right somebody called. */
export type Right =
  | { readonly is: 'anyone' }
  | {
      readonly is: 'address'
      readonly address: string
      readonly places: readonly Place[]
      readonly bySignature: boolean
      /** Whoever stands in the entry that the call names, e.g. under a user's name. */
      readonly isNamed?: boolean
    }
  | { readonly is: 'list'; readonly guard: Extract<Guard, { is: 'list' }> }
  /** Entitled are those for whom, and for what they ask, there is a hash, e.g. the root of a tree. */
  | {
      readonly is: 'hidden'
      readonly isEntitled: boolean
      readonly isSecret: boolean
      readonly places: readonly Place[]
    }

/** A call that succeeded and did something. */
export type Outcome = {
  readonly selector: string
  readonly actor: string
  readonly right: Right
  readonly words: readonly bigint[]
  readonly result: Result
  /** The call itself, and the state it was made on. */
  readonly transaction: Transaction
  readonly before: State
  /** Conditions that no trial met, and that were taken to be met; none where it was really carried out. */
  readonly assumed?: readonly Branch[]
}

/** All that was tried with one function. */
export type Exploration = {
  readonly selector: string
  readonly outcomes: readonly Outcome[]
  readonly rights: readonly Right[]
  readonly results: readonly Result[]
  /** What somebody without rights came to who paid for it. */
  readonly bought: readonly Outcome[]
  /** Of the results, those of callers without any right. */
  readonly common: readonly Result[]
}

/** What a function is tried with. */
export type Question = {
  readonly start: State
  /** Addresses that calls may be about beside the actors, e.g. the pool. */
  readonly places: readonly string[]
  /** People who really use this contract, by its events. */
  readonly users?: readonly string[]
  /** People whom its lists name, e.g. those among whom something is shared. */
  readonly kept?: readonly string[]
  /** Names under which the contract keeps what its ordinary use reads, e.g. in a table of settings. */
  readonly keys?: readonly bigint[]
  /** An amount or id that matters in this contract. */
  readonly amount: bigint
  /** All that the contract holds of what people put in. */
  readonly whole?: bigint
  /** Numbers under which the contract keeps what somebody put in, e.g. that of an offer. */
  readonly ids?: readonly bigint[]
  /** Whose signature every signature is taken for. */
  readonly signer?: string
  /** What stands for a token that the caller names; one made for the trial unless given. */
  readonly coin?: string
  /** Who asks first; somebody without rights unless given. */
  readonly first?: string
  readonly value?: bigint
  /** Seconds after the block that was read. */
  readonly later?: number
  readonly maxRuns?: number
  /** Nobody else's part is taken. */
  readonly isAlone?: boolean
}

/** Whether anything is different after a call, or somebody else was called. */
export function didSomething({ effects }: Result): boolean {
  return effects.some((effect) => {
    if (effect.is === 'write') return effect.before !== effect.value.v
    return effect.is === 'call' ? !effect.isStatic : effect.is !== 'log'
  })
}

/** Whether something was written down under somebody's name, or their name itself. */
export function credits({ ok, effects }: Result, who: string): boolean {
  const names = new Set([who.slice(2)])
  return (
    ok &&
    effects.some((effect) => effect.is === 'write' && (isKeyedBy(effect.key, names) || effect.value.v === BigInt(who)))
  )
}
