import type { Branch } from './evm/frame.ts'
import { invert, type Wanted } from './evm/invert.ts'
import { source, type Tag, type Word } from './evm/tag.ts'

/** One thing that whoever calls can choose, and what it must be. */
export type Choice =
  | { readonly is: 'word'; readonly at: number; readonly value: bigint }
  | { readonly is: 'paid'; readonly value: bigint }
  /** The clock of the chain, or its count of blocks. */
  | { readonly is: 'time'; readonly value: bigint }

const [lt, gt, slt, sgt, eq, isZero, and, or, xor, sub] = [
  0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x03,
] as const
const max = (1n << 256n) - 1n

const choosable: Wanted = {
  sources: source.data | source.value | source.time,
  isLeaf: (tag) => (tag.is === 'data' && tag.at >= 4) || tag.is === 'value' || tag.is === 'time',
  // A mask of low bits takes nothing away from what fits under it.
  keeps: (mask, value) => (mask & (mask + 1n)) === 0n && (value & ~mask) === 0n,
}

/** What a caller could choose otherwise, so that a branch goes the other way. */
export function waysRound({ condition }: Branch): readonly Choice[] {
  return condition.t === undefined ? [] : turned(condition.t, condition.v === 0n)
}

/** What makes a value be something, or nothing. */
function turned(tag: Tag, truth: boolean): readonly Choice[] {
  if ((tag.from & choosable.sources) === 0) return []
  if (tag.is !== 'op') return choose(tag, truth ? 1n : 0n)
  const { a, b } = tag
  switch (tag.op) {
    case isZero:
      return a.t === undefined ? [] : turned(a.t, !truth)
    case eq:
      return truth ? equal(a, b) : different(a, b)
    case xor:
    case sub:
      return truth ? different(a, b) : equal(a, b)
    case lt:
    case slt:
      return ordered(a, b, truth)
    case gt:
    case sgt:
      return ordered(b, a, truth)
    case and:
    case or: {
      // A question of yes and no on both sides; else a mask.
      const sides = [a, b].flatMap(({ t }) => (t?.is === 'op' ? turned(t, truth) : []))
      return sides.length > 0 ? sides : choose(tag, truth ? 1n : 0n)
    }
    default:
      return choose(tag, truth ? 1n : 0n)
  }
}

function equal(a: Word, b: Word): readonly Choice[] {
  return [...sideOf(a, b.v), ...sideOf(b, a.v)]
}

function different(a: Word, b: Word): readonly Choice[] {
  return [...sideOf(a, b.v + 1n), ...sideOf(b, a.v + 1n)]
}

/** The first is less than the second; or not. */
function ordered(a: Word, b: Word, truth: boolean): readonly Choice[] {
  return truth
    ? [...sideOf(a, b.v - 1n), ...sideOf(b, a.v + 1n)]
    : [...sideOf(a, b.v), ...sideOf(b, a.v), ...sideOf(a, b.v + 1n)]
}

function sideOf({ t }: Word, value: bigint): readonly Choice[] {
  return t === undefined ? [] : choose(t, value & max)
}

function choose(tag: Tag, value: bigint): readonly Choice[] {
  const found = invert(tag, value, choosable)
  if (found === undefined) return []
  const { leaf } = found
  if (leaf.is === 'data') return [{ is: 'word', at: leaf.at, value: found.value }]
  return [{ is: leaf.is === 'value' ? 'paid' : 'time', value: found.value }]
}
