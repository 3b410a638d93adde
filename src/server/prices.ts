import { z } from 'zod'

import { priceOf } from '../payments/terms.ts'
import type { NoteStore } from '../store/store.ts'
import { isPriced } from '../tool/access.ts'
import type { Tool } from '../tool/tool.ts'

/** How long a price is still taken after it was changed: as long as somebody may need to look at it and sign. */
export const formerPriceMs = 10 * 60_000

const noted = 'prices'
const notes = z.record(
  z.string(),
  z.strictObject({ amount: z.string(), former: z.string().optional(), until: z.number().optional() }),
)

/** The former price of a tool in atomic units, while it is still taken. */
export type FormerPriceOf = (slug: string) => string | undefined

/**
 * Notes what the tools cost, and finds those whose price has changed since this ledger was last served: whoever was told
 * the former price a moment ago, and signs it, is not sent away.
 */
export async function rememberPrices(
  tools: readonly Tool[],
  { notes: store, now }: { readonly notes: NoteStore; readonly now: () => number },
): Promise<FormerPriceOf> {
  const before = readNotes(await store.get(noted))
  const after = Object.fromEntries(
    tools
      .filter(({ access }) => isPriced(access))
      .map((tool) => {
        const amount = priceOf(tool).toString()
        const known = before[tool.slug]
        if (known === undefined || known.amount === amount) return [tool.slug, known ?? { amount }]
        return [tool.slug, { amount, former: known.amount, until: now() + formerPriceMs }]
      }),
  )
  const text = JSON.stringify({ ...before, ...after })
  if (text !== JSON.stringify(before)) await store.set(noted, text)
  return (slug) => {
    const { former, until = 0 } = after[slug] ?? {}
    return until > now() ? former : undefined
  }
}

/** A note that cannot be read is as good as none: it was not written by this program. */
function readNotes(text: string | undefined): z.output<typeof notes> {
  try {
    return notes.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}
