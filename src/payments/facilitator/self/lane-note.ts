import { z } from 'zod'

/** Where something is remembered beyond the life of a process; what was written survives a loss of power. */
export type Notes = {
  readonly get: (name: string) => Promise<string | undefined>
  /** Writes only over what was read; false where another process wrote since. */
  readonly replace: (name: string, before: string | undefined, value: string) => Promise<boolean>
}

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])
const decimal = z.string().regex(/^\d+$/).transform(BigInt)

const attempt = z.object({ hash: hex, raw: hex, maxFee: decimal, tip: decimal })
const transaction = z.object({
  /** What it settles, so that the same payment finds its own transaction again. */
  key: z.string(),
  nonce: z.int().min(0),
  to: hex,
  data: hex,
  gas: decimal,
  /** Every form in which it was signed, the newest last; all but the fees is the same in each. */
  attempts: z.array(attempt).min(1),
})
const note = z.object({ version: z.literal(1), entries: z.array(transaction) })

export type Attempt = z.output<typeof attempt>

/** A transaction that was signed and may have been sent, and is in no block yet. */
export type LaneTransaction = z.output<typeof transaction>

/** @throws Error where the note is damaged: what was sent must not be guessed. */
export function readNote(text: string | undefined): readonly LaneTransaction[] {
  if (text === undefined) return []
  return note.parse(JSON.parse(text)).entries
}

export function writeNote(transactions: readonly LaneTransaction[]): string {
  return JSON.stringify({ version: 1, entries: transactions }, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}
