import type { Branch } from './evm/frame.ts'
import { addressOf, mask160 } from './evm/machine.ts'
import { dependsOnArguments, identity, isUnderNamed, loadsIn, source, type Tag, type Word } from './evm/tag.ts'

/** Something in the code that asks who is calling. */
export type Guard =
  /** The caller must be this address; `places` are where it is kept, none where it is written into the code. */
  | {
      readonly is: 'address'
      readonly address: string
      readonly places: readonly Place[]
      readonly bySignature: boolean
    }
  /** The caller must be on a list, which is kept at these places for this caller. */
  | {
      readonly is: 'list'
      readonly entries: readonly Place[]
      readonly keys: readonly (Tag | undefined)[]
      /** What an entry is compared with, where it is more than yes or no. */
      readonly marks: readonly bigint[]
    }
  /**
   * Which caller passes cannot be told from the code, e.g. where only a hash of the address is kept, or, as a secret, of
   * something that the caller must say.
   */
  | {
      readonly is: 'hidden'
      readonly place: string
      readonly taken: boolean
      readonly isSecret: boolean
      readonly isEntitled: boolean
    }

export type Place = { readonly account: string; readonly slot: bigint }

const [eq, sub, xor, isZero, and, lt, sgt] = [0x14, 0x03, 0x18, 0x15, 0x16, 0x10, 0x13]

/** What a branch asks about the caller; nothing where it does not. */
export function guardsOf({ condition, place, taken }: Branch): readonly Guard[] {
  const tag = condition.t
  if (tag === undefined) return []
  if ((tag.from & (identity | source.keyed)) === 0)
    return asksSecret(tag) ? [{ is: 'hidden', place, taken, isSecret: true, isEntitled: false }] : []
  if ((tag.from & source.data) !== 0 && asksSecret(tag))
    return [{ is: 'hidden', place, taken, isSecret: true, isEntitled: true }]
  const found: Guard[] = []
  walk(tag, found, place, taken)
  return found
}

function walk(tag: Tag, found: Guard[], place: string, taken: boolean): void {
  if (tag.is === 'mix') {
    if ((tag.from & identity) !== 0) found.push({ is: 'hidden', place, taken, isSecret: false, isEntitled: false })
    return
  }
  if (tag.is === 'load') {
    // An entry that also depends on whom the call is about is that person's consent, e.g. an allowance.
    if ((tag.from & source.keyed) !== 0 && !isUnderNamed(tag.key))
      found.push({ is: 'list', entries: [{ account: tag.account, slot: tag.slot }], keys: [tag.key], marks: [] })
    return
  }
  if (tag.is !== 'op') return
  // Amounts are compared by size; a list is only asked whether one is on it.
  if (tag.op >= lt && tag.op <= sgt) return
  if (tag.op === eq || tag.op === sub || tag.op === xor) {
    const guard = comparisonOf(tag.a, tag.b, place, taken) ?? comparisonOf(tag.b, tag.a, place, taken)
    if (guard !== undefined) {
      found.push(guard)
      return
    }
  }
  const before = found.length
  for (const side of [tag.a.t, tag.b.t]) if (side !== undefined) walk(side, found, place, taken)
  if (tag.op !== eq && tag.op !== sub && tag.op !== xor) return
  // An entry may be a rank or a role instead of yes or no.
  const [mark] = [tag.a, tag.b].filter((side) => side.t === undefined).map(({ v }) => v)
  if (mark === undefined || mark < 2n) return
  for (const [index, guard] of found.entries())
    if (index >= before && guard.is === 'list') found[index] = { ...guard, marks: [mark] }
}

/** Whether something that the caller says must have a hash that is fixed: whoever knows the word passes. */
function asksSecret(tag: Tag): boolean {
  if (tag.is !== 'op') return false
  if (tag.op === isZero) return tag.a.t !== undefined && asksSecret(tag.a.t)
  if (tag.op !== eq && tag.op !== sub && tag.op !== xor) return false
  return isSaidHash(tag.a, tag.b) || isSaidHash(tag.b, tag.a)
}

function isSaidHash(said: Word, wanted: Word): boolean {
  const isFixed = wanted.t === undefined || (wanted.t.is === 'load' && wanted.t.key === undefined)
  // A hash is never nothing, nor a short number.
  return isFixed && wanted.v >> 128n !== 0n && said.t?.is === 'hash' && dependsOnArguments(said.t)
}

/** Whose address makes both sides equal. */
function comparisonOf(asked: Word, wanted: Word, place: string, taken: boolean): Guard | undefined {
  const tag = asked.t
  if (tag === undefined || (tag.from & identity) === 0) return undefined
  // Two sides that both depend on the caller, or on what the caller said, compare no fixed person.
  if (wanted.t !== undefined && (wanted.t.from & (identity | source.data)) !== 0) return undefined
  const solved = solve(tag, wanted.v)
  if (solved === undefined) {
    return (tag.from & source.data) === 0 && wanted.v > 1n
      ? { is: 'hidden', place, taken, isSecret: false, isEntitled: false }
      : undefined
  }
  return {
    is: 'address',
    address: addressOf(solved),
    places: loadsIn(wanted.t).map(({ account, slot }) => ({ account, slot })),
    bySignature: (tag.from & source.signer) !== 0,
  }
}

/** Which functions the beginning of the call data is compared with, however much of it is looked at. */
export function selectorsIn({ condition }: Branch): readonly string[] {
  const tag = condition.t
  if (tag?.is !== 'op' || (tag.from & ~source.data) !== 0) return []
  if (tag.op === isZero) return tag.a.t === undefined ? [] : selectorsIn({ ...emptyBranch, condition: tag.a })
  if (tag.op !== eq && tag.op !== sub && tag.op !== xor) return []
  const [said, wanted] = tag.a.t === undefined ? [tag.b, tag.a] : [tag.a, tag.b]
  if (said.t === undefined || wanted.t !== undefined) return []
  const word = solve(said.t, wanted.v)
  return word === undefined ? [] : [word.toString(16).padStart(64, '0').slice(0, 8)]
}

const emptyBranch = { place: '', account: '', taken: false, depth: 0 }

/** The caller for whom a computation gives a value; undefined where it cannot be turned round. */
function solve(tag: Tag, value: bigint): bigint | undefined {
  if (tag.is === 'caller' || tag.is === 'origin' || tag.is === 'signer') return value
  if (tag.is === 'data') return tag.at === 0 ? value : undefined
  if (tag.is !== 'op') return undefined
  const isAsked = (one: Tag | undefined): boolean => one !== undefined && (one.from & (identity | source.data)) !== 0
  const [aIs, bIs] = [isAsked(tag.a.t), isAsked(tag.b.t)]
  if (aIs === bIs) return undefined
  const inner = aIs ? tag.a.t : tag.b.t
  const other = aIs ? tag.b.v : tag.a.v
  if (inner === undefined) return undefined
  const back = (next: bigint): bigint | undefined => solve(inner, BigInt.asUintN(256, next))
  switch (tag.op) {
    case and:
      return other === mask160 || other === (1n << 256n) - 1n ? back(value) : undefined
    case xor:
      return back(value ^ other)
    case 0x01:
      return back(value - other)
    case sub:
      return aIs ? back(value + other) : back(other - value)
    case 0x19:
      return back(((1n << 256n) - 1n) ^ value)
    case 0x1b:
      return bIs ? back(value >> other) : undefined
    case 0x1c:
      return bIs ? back(value << other) : undefined
    case 0x1a:
      // One byte of it.
      return bIs && other < 32n ? back(value << (8n * (31n - other))) : undefined
    case 0x04:
      return aIs ? back(value * other) : undefined
    case 0x02:
      return other === 0n || value % other !== 0n ? undefined : back(value / other)
    case isZero:
      return undefined
    default:
      return undefined
  }
}
