import type { Data } from './memory.ts'
import { dataIn, type Tag } from './tag.ts'

/**
 * How a word of the call data was used: by its shape, and by the part that it plays in a call, e.g. as the one who is
 * called or who pays.
 */
export type Use =
  | 'address'
  | 'flag'
  | 'offset'
  | 'plain'
  | 'signed'
  /** Measured by the clock, as a time until which a call holds. */
  | 'moment'
  /** Another contract that is called, or asked. */
  | 'callee'
  /** A contract whose code is run as one's own. */
  | 'module'
  /** Whose tokens are moved, and who gets them. */
  | 'payer'
  | 'payee'
  /** Whose signature is asked for, and the parts of it. */
  | 'signer'
  | 'v'
  | 'r'
  | 's'

export type Uses = Map<number, Set<Use>>

export function use(uses: Uses, at: number, how: Use): void {
  const known = uses.get(at) ?? new Set<Use>()
  known.add(how)
  uses.set(at, known)
}

function useAll(uses: Uses, tag: Tag | undefined, how: Use): void {
  for (const at of dataIn(tag)) if (at >= 4) use(uses, at, how)
}

const transfers: ReadonlyMap<string, readonly (readonly [at: number, how: Use])[]> = new Map([
  ['a9059cbb', [[4, 'payee']]],
  [
    '23b872dd',
    [
      [4, 'payer'],
      [36, 'payee'],
    ],
  ],
  [
    '42842e0e',
    [
      [4, 'payer'],
      [36, 'payee'],
    ],
  ],
  [
    'b88d4fde',
    [
      [4, 'payer'],
      [36, 'payee'],
    ],
  ],
])

/** Notes what part words of the call data play in a call that the code makes. */
export function noteCall(uses: Uses, to: Tag | undefined, { bytes, tags }: Data, how: 'callee' | 'module'): void {
  useAll(uses, to, how === 'callee' && bytes.length === 0 ? 'payee' : how)
  if (tags === undefined || bytes.length < 36) return
  const parts = transfers.get(Buffer.from(bytes.subarray(0, 4)).toString('hex'))
  for (const [at, part] of parts ?? []) useAll(uses, tags.get(at), part)
}

/** Notes which words a signature was made of. */
export function noteSignature(uses: Uses, { tags }: Data): void {
  for (const [at, how] of [
    [32, 'v'],
    [64, 'r'],
    [96, 's'],
  ] as const)
    useAll(uses, tags?.get(at), how)
}
