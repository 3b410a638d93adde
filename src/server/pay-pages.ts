import { createHash, randomBytes } from 'node:crypto'

import { canonicalize } from 'json-canonicalize'
import { z } from 'zod'

import { isRecord } from '../platform/record.ts'
import type { NoteStore } from '../store/store.ts'
import type { Tool } from '../tool/tool.ts'

/** A call that waits for somebody to pay for it on a page. */
const schema = z.object({
  id: z.string(),
  /** Who asked and what for, as a hash; nobody else is given the answer. */
  asker: z.string(),
  slug: z.string(),
  input: z.record(z.string(), z.unknown()),
  expiresAt: z.number(),
  /** The payment that was signed for it, and the key it is sent with; absent before. */
  payment: z.object({ header: z.string(), key: z.string() }).optional(),
  /** Whether the answer was given to who asked. */
  isDelivered: z.boolean(),
})

export type PayPage = z.output<typeof schema>

export type PayPages = {
  /**
   * The page for a call, made when it is first asked for; undefined where there is no room for it.
   * @param asker a secret of whoever asks, such as a session.
   */
  readonly open: (asker: string, tool: Tool, input: unknown) => Promise<PayPage | undefined>
  /** The page that somebody was given for a call, if it can still be used. */
  readonly askedBy: (asker: string, tool: Tool, input: unknown) => Promise<PayPage | undefined>
  readonly find: (id: string) => Promise<PayPage | undefined>
  /** Notes the payment for a call before it is made; false where another one is noted. */
  readonly pay: (id: string, payment: NonNullable<PayPage['payment']>) => Promise<boolean>
  /** Takes back a payment that was refused. */
  readonly refuse: (id: string) => Promise<void>
  readonly deliver: (id: string) => Promise<void>
}

const lifeMs = 15 * 60_000
/** As many calls can wait at once; each takes one note, which is written over when its time is up. */
const places = 4_096
const mostInput = 16_384

export type PayPagesParts = { readonly notes: NoteStore; readonly now: () => number }

/**
 * Calls that wait for a person to pay for them elsewhere: over MCP the model's program asks, and a page takes the
 * payment. Kept in the store, so that what was paid for is found by every node and after a restart.
 */
export function createPayPages({ notes, now }: PayPagesParts): PayPages {
  const read = async (place: string): Promise<{ readonly text: string | undefined; readonly page?: PayPage }> => {
    const text = await notes.get(nameOf(place))
    if (text === undefined) return { text }
    const { data } = schema.safeParse(JSON.parse(text))
    return data === undefined || data.expiresAt <= now() ? { text } : { text, page: data }
  }
  const change = async (id: string, make: (page: PayPage) => PayPage | undefined): Promise<boolean> => {
    const place = placeIn(id)
    for (let tries = 0; tries < 5; tries += 1) {
      const { text, page } = await read(place)
      if (page === undefined || page.id !== id) return false
      const next = make(page)
      if (next === undefined) return false
      if (await notes.replace(nameOf(place), text, JSON.stringify(next))) return true
    }
    return false
  }
  const askedBy: PayPages['askedBy'] = async (asker, tool, input) => {
    const known = hashOf(asker, tool, input)
    const { page } = await read(placeOf(known))
    return page?.asker === known && !page.isDelivered ? page : undefined
  }
  const find: PayPages['find'] = async (id) => {
    if (!/^[0-9a-f]{35}$/.test(id)) return undefined
    const { page } = await read(placeIn(id))
    return page?.id === id ? page : undefined
  }

  return {
    open: async (asker, tool, input) => {
      const known = await askedBy(asker, tool, input)
      if (known !== undefined) return known
      if (!isRecord(input) || JSON.stringify(input).length > mostInput) return undefined
      const hash = hashOf(asker, tool, input)
      const place = placeOf(hash)
      const { text, page: other } = await read(place)
      if (other !== undefined && !other.isDelivered) return undefined
      const page: PayPage = {
        id: `${place}${randomBytes(16).toString('hex')}`,
        asker: hash,
        slug: tool.slug,
        input,
        expiresAt: now() + lifeMs,
        isDelivered: false,
      }
      return (await notes.replace(nameOf(place), text, JSON.stringify(page))) ? page : undefined
    },
    askedBy,
    find,
    pay: (id, payment) =>
      change(id, (page) => {
        const isAnother = page.payment !== undefined && page.payment.header !== payment.header
        return page.isDelivered || isAnother ? undefined : { ...page, payment }
      }),
    refuse: async (id) => {
      await change(id, ({ payment: _refused, ...page }) => page)
    },
    deliver: async (id) => {
      await change(id, (page) => ({ ...page, isDelivered: true }))
    },
  }
}

function hashOf(asker: string, tool: Tool, input: unknown): string {
  return createHash('sha256')
    .update(`${asker}|${tool.slug}|${canonicalize(input)}`)
    .digest('hex')
}

/** Where a page is kept follows from who asked for what, so that it is found by both, and by its own name. */
function placeOf(hash: string): string {
  return (Number.parseInt(hash.slice(0, 8), 16) % places).toString(16).padStart(3, '0')
}

function placeIn(id: string): string {
  return id.slice(0, 3)
}

function nameOf(place: string): string {
  return `pay-page/${place}`
}
