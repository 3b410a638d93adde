import { z } from 'zod'

import { priceOf } from '../payments/terms.ts'
import type { NoteStore } from '../store/store.ts'
import { isPriced } from '../tool/access.ts'
import type { Tool } from '../tool/tool.ts'

/** How long a price is still taken after it was changed: as long as somebody may need to look at it and sign. */
export const formerPriceMs = 10 * 60_000

const noted = 'prices'
/** Prices that are remembered of one tool: whoever changes one more often in ten minutes is trying something out. */
const mostFormers = 20
const notes = z.record(
  z.string(),
  z
    .strictObject({
      amount: z.string(),
      /** Prices before it, each with the time until which it is taken. */
      formers: z.array(z.strictObject({ amount: z.string(), until: z.number() })).optional(),
      /** The one price before it, as earlier versions wrote it. */
      former: z.string().optional(),
      until: z.number().optional(),
    })
    .transform(({ amount, formers = [], former, until }) => ({
      amount,
      formers: former === undefined || until === undefined ? formers : [...formers, { amount: former, until }],
    })),
)
type Note = z.output<typeof notes>[string]

/**
 * Whether so much, in atomic units, was asked for a call of the tool a moment ago, and is taken although it is not the
 * price.
 */
export type TakesPrice = (slug: string, amount: string) => Promise<boolean>

export type PriceParts = { readonly notes: NoteStore; readonly now: () => number }

/**
 * Notes what the tools cost, and finds those whose price has changed since this ledger was last served: whoever was
 * told the former price a moment ago, and signs it, is not sent away. Nodes that share a ledger share the notes, and
 * one takes what another has asked for.
 */
export async function rememberPrices(tools: readonly Tool[], { notes: store, now }: PriceParts): Promise<TakesPrice> {
  const before = await readNotes(store)
  const after = Object.fromEntries(
    tools
      .filter(({ access }) => isPriced(access))
      .map((tool) => [tool.slug, noteOf(before[tool.slug], priceOf(tool).toString(), now())]),
  )
  const text = JSON.stringify({ ...before, ...after })
  if (text !== JSON.stringify(before)) await store.set(noted, text)
  return async (slug, amount) => {
    const isTaken = (note: Note | undefined): boolean =>
      note?.formers.some((one) => one.amount === amount && one.until > now()) === true
    if (isTaken(after[slug])) return true
    // Rarely asked: a payment of another amount is either this, or refused.
    const shared = (await readNotes(store))[slug]
    return shared?.amount === amount || isTaken(shared)
  }
}

function noteOf(known: Note | undefined, amount: string, now: number): Note {
  if (known === undefined) return { amount, formers: [] }
  if (known.amount === amount) return known
  const formers = known.formers.filter((one) => one.until > now && one.amount !== known.amount)
  return { amount, formers: [{ amount: known.amount, until: now + formerPriceMs }, ...formers].slice(0, mostFormers) }
}

/** A note that cannot be read is as good as none: it was not written by this program. */
async function readNotes(store: NoteStore): Promise<z.output<typeof notes>> {
  try {
    return notes.parse(JSON.parse((await store.get(noted)) ?? '{}'))
  } catch {
    return {}
  }
}
