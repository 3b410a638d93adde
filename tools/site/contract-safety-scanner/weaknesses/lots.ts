import type { Effect, Result } from '../evm/frame.ts'
import { source, type Tag } from '../evm/tag.ts'
import type { Note } from '../lab.ts'
import type { Fault } from './faults.ts'
import { type Stage, wealthIn } from './stage.ts'

/**
 * Whoever is to be paid is drawn from what the block is like, in a call that anybody makes: who looks first, and only
 * calls when it falls on them, wins what others put in.
 */
export function lotFaults(stage: Stage, note: Note): readonly Fault[] {
  const { lab, explorations, state, harnesses } = stage
  const drawing = explorations.find(({ common }) => common.some((one) => one.ok && draws(one, lab.target)))
  if (drawing === undefined) return []
  const isPlayed =
    harnesses.length > 0 ||
    explorations.some(({ bought }) => bought.length > 0) ||
    wealthIn(stage, note, state, lab.target).some((one) => one > 0n)
  return isPlayed ? [{ is: 'lot', selector: drawing.selector }] : []
}

function draws({ effects }: Result, target: string): boolean {
  return effects.some((effect) => {
    if (effect.is === 'write')
      return (
        effect.account === target && effect.value.v > effect.before && (isDrawnPlace(effect) || isDrawnName(effect))
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
  switch (tag.is) {
    case 'environment':
      return true
    case 'hash':
      return (tag.from & (source.environment | source.time)) !== 0 || tag.words.some(({ t }) => isLot(t, depth + 1))
    case 'op':
      return isLot(tag.a.t, depth + 1) || isLot(tag.b.t, depth + 1)
    case 'load':
      return isLot(tag.key, depth + 1) || isLot(tag.put, depth + 1)
    default:
      return false
  }
}
