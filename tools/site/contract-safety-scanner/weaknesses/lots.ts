import type { Effect, Result } from '../evm/frame.ts'
import { source, type Tag } from '../evm/tag.ts'
import { forkOf } from '../evm/state.ts'
import { plainCall } from '../explore.ts'
import type { Harness } from '../harness.ts'
import { callData, type Note } from '../lab.ts'
import type { Fault } from './faults.ts'
import { type Stage, wealthIn } from './stage.ts'

/**
 * Whoever is to be paid is drawn from what the block is like, in a call that anybody makes: who looks first, and only
 * calls when it falls on them, wins what others put in.
 */
export function lotFaults(stage: Stage, note: Note): readonly Fault[] {
  const { lab, explorations, state, harnesses } = stage
  const drawing =
    explorations.find(({ common }) => common.some((one) => one.ok && draws(one, lab.target)))?.selector ??
    harnesses.find((harness) => isDrawnOnEntry(stage, note, harness))?.entry?.selector
  if (drawing === undefined) return []
  const isPlayed =
    harnesses.length > 0 ||
    explorations.some(({ bought }) => bought.length > 0) ||
    wealthIn(stage, note, state, lab.target).some((one) => one > 0n)
  return isPlayed ? [{ is: 'lot', selector: drawing }] : []
}

/** Whoever put in last may have been the one for whom it was drawn. */
function isDrawnOnEntry({ lab, victim }: Stage, note: Note, { entry, currency, amount, isItem }: Harness): boolean {
  if (entry === undefined || isItem === true) return false
  const { selector, words, before } = entry
  const data = selector === plainCall ? new Uint8Array(0) : callData(selector, ...words)
  const value = currency === undefined ? amount : 0n
  // What was put in is told by what was lost: where something was won at once it was more.
  return [value, 10n ** 18n].some((paid) => {
    const result = lab.run(forkOf(before), { from: victim, to: lab.target, data, value: paid }, note)
    return result.ok && draws(result, lab.target)
  })
}

function draws({ effects }: Result, target: string): boolean {
  return effects.some((effect) => {
    if (effect.is === 'write')
      return (
        effect.account === target && ((effect.value.v > effect.before && isDrawnPlace(effect)) || isDrawnName(effect))
      )
    return effect.is === 'call' && effect.from === target && !effect.isStatic && effect.value > 0n && isLot(effect.to.t)
  })
}

type Write = Extract<Effect, { is: 'write' }>

/** An entry of whoever was drawn. */
function isDrawnPlace({ key }: Write): boolean {
  return key?.is === 'hash' && key.words.some(({ v, t }) => isAddress(v) && isLot(t))
}

/** The name of whoever was drawn. */
function isDrawnName({ value }: Write): boolean {
  return isAddress(value.v) && value.t?.is !== 'hash' && isLot(value.t)
}

function isAddress(word: bigint): boolean {
  return word >> 80n !== 0n && word >> 160n === 0n
}

/** Whether something was chosen by a hash of what the block is like, or by that itself. */
function isLot(tag: Tag | undefined, depth = 0): boolean {
  if (tag === undefined || depth > 12) return false
  const isIn = (one: Tag | undefined): boolean => isLot(one, depth + 1)
  if (tag.is === 'hash')
    return (tag.from & (source.environment | source.time)) !== 0 || tag.words.some(({ t }) => isIn(t))
  if (tag.is === 'op') return isIn(tag.a.t) || isIn(tag.b.t)
  if (tag.is === 'load') return isIn(tag.key) || isIn(tag.put)
  return tag.is === 'environment'
}
