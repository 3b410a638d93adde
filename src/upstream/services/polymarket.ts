import { z } from 'zod'

import { parsedJson } from '../../platform/json.ts'
import { UpstreamError } from '../../errors.ts'
import type { HttpOf } from './services.ts'

/** The event a market belongs to, as far as the market itself tells. */
type EventHead = {
  readonly slug: string
  readonly title: string
  /** At most one of its markets can resolve Yes. */
  readonly negRisk: boolean
}

/** One market of Polymarket. Text is the market makers' own: untrusted. */
type Market = {
  readonly id: string
  readonly slug: string
  readonly question: string
  readonly conditionId: string | null
  readonly outcomes: readonly string[]
  /** One price per outcome, or empty where Gamma has none. */
  readonly prices: readonly number[]
  readonly tokenIds: readonly string[]
  readonly volumeUsd: number | null
  readonly liquidityUsd: number | null
  readonly endDate: string | null
  readonly active: boolean
  readonly closed: boolean
  readonly archived: boolean
  readonly acceptingOrders: boolean | null
  readonly closedAt: Date | null
  readonly updatedAt: Date | null
  readonly umaStatus: string | null
  readonly automaticallyResolved: boolean
  /** The catch-all of a list that may still grow; its meaning changes whenever the list does. */
  readonly isOther: boolean
  readonly groupItemTitle: string | null
  readonly isScalar: boolean
  readonly lowerBound: number | null
  readonly upperBound: number | null
  readonly lastTradePrice: number | null
  readonly event: EventHead | null
}

/** A question with several markets, e.g. one per candidate. */
type MarketEvent = EventHead & {
  readonly volumeUsd: number | null
  readonly liquidityUsd: number | null
  readonly endDate: string | null
  readonly closed: boolean
  readonly markets: readonly Market[]
}

/** What the order book's service knows of a market: how it ended. */
type ClobMarket = {
  readonly tokens: readonly { readonly outcome: string; readonly price: number | null; readonly winner: boolean }[]
}

/** A parsed answer and the time its body arrived. */
type Fetched<T> = { readonly value: T; readonly fetchedAt: Date }

/** Polymarket's public data: Gamma for the markets, CLOB for the order books. @throws UpstreamError */
export type Polymarket = {
  /** Undefined where no market has the slug. */
  readonly market: (slug: string) => Promise<Fetched<Market> | undefined>
  /** Undefined where no event has the slug. */
  readonly event: (slug: string) => Promise<Fetched<MarketEvent> | undefined>
  /** Events that match the words; only open ones, or those that have ended too. */
  readonly search: (words: string, which: 'open' | 'all') => Promise<Fetched<readonly MarketEvent[]>>
  /** Middle of bid and ask by token; a token without a book is left out. */
  readonly midpoints: (tokenIds: readonly string[]) => Promise<Fetched<ReadonlyMap<string, number>>>
  /** Undefined where the order book's service never knew the market. */
  readonly clobMarket: (conditionId: string) => Promise<Fetched<ClobMarket> | undefined>
}

/** An unknown slug answers 404, one with spaces or capitals 422; both mean that there is none. */
const absent = [404, 422] as const
const searchBytes = 8 * 1024 * 1024
/** The order book only makes a price fresher; waiting long for it would cost more than it gives. */
const bookTimeoutMs = 2_000

/** Builds the client of Polymarket on its two services. */
export function createPolymarket({ http }: { readonly http: HttpOf }): Polymarket {
  const gamma = http('gamma')
  const clob = http('clob')

  return {
    market: async (slug) => {
      const path = `/markets/slug/${encodeURIComponent(slug)}`
      const answer = await gamma.request({ path, accept: absent, maxBytes: searchBytes })
      if (answer.status !== 200) return undefined
      const value = marketOf(single(answer.body), null)
      return { value: value ?? fail('gamma'), fetchedAt: answer.fetchedAt }
    },
    event: async (slug) => {
      const path = `/events/slug/${encodeURIComponent(slug)}`
      const answer = await gamma.request({ path, accept: absent, maxBytes: searchBytes })
      if (answer.status !== 200) return undefined
      const value = eventOf(single(answer.body))
      return { value: value ?? fail('gamma'), fetchedAt: answer.fetchedAt }
    },
    search: async (words, which) => {
      const query = new URLSearchParams({
        q: words,
        limit_per_type: '20',
        ...(which === 'open' ? { events_status: 'active' } : {}),
        keep_closed_markets: '1',
        search_tags: 'false',
        search_profiles: 'false',
      })
      const answer = await gamma.request({
        path: `/public-search?${query.toString()}`,
        accept: [422],
        maxBytes: searchBytes,
      })
      if (answer.status !== 200) return { value: [], fetchedAt: answer.fetchedAt }
      const found = searchAnswer.safeParse(answer.body)
      if (!found.success) fail('gamma', found.error)
      return {
        value: (found.data?.events ?? []).map(eventOf).filter((event) => event !== undefined),
        fetchedAt: answer.fetchedAt,
      }
    },
    midpoints: async (tokenIds) => {
      const answer = await clob.request({
        method: 'POST',
        path: '/midpoints',
        body: tokenIds.map((tokenId) => ({ token_id: tokenId })),
        timeoutMs: bookTimeoutMs,
      })
      const mids = midpointsAnswer.safeParse(answer.body)
      if (!mids.success) fail('clob', mids.error)
      const known = Object.entries(mids.data ?? {}).flatMap(([tokenId, mid]) => {
        const price = priceOf(mid)
        return price === null ? [] : [[tokenId, price] as const]
      })
      return { value: new Map(known), fetchedAt: answer.fetchedAt }
    },
    clobMarket: async (conditionId) => {
      const path = `/markets/${encodeURIComponent(conditionId)}`
      const answer = await clob.request({ path, accept: absent, timeoutMs: bookTimeoutMs })
      if (answer.status !== 200) return undefined
      const market = clobMarketAnswer.safeParse(answer.body)
      if (!market.success) fail('clob', market.error)
      const tokens = (market.data?.tokens ?? []).map((token) => ({
        outcome: token.outcome,
        price: priceOf(token.price),
        winner: token.winner === true,
      }))
      return { value: { tokens }, fetchedAt: answer.fetchedAt }
    },
  }
}

const flag = z.boolean().nullish()

const eventHead = z.looseObject({ slug: z.string().min(1), title: z.string().nullish(), negRisk: flag })

/** Gamma changes the types of its fields between records; what is not text or a flag is read below. */
const marketAnswer = z.looseObject({
  id: z.unknown().optional(),
  slug: z.string().min(1),
  question: z.string().min(1),
  conditionId: z.string().nullish(),
  endDate: z.string().nullish(),
  active: flag,
  closed: flag,
  archived: flag,
  acceptingOrders: flag,
  closedTime: z.string().nullish(),
  updatedAt: z.string().nullish(),
  umaResolutionStatus: z.string().nullish(),
  automaticallyResolved: flag,
  negRiskOther: flag,
  groupItemTitle: z.string().nullish(),
  marketType: z.string().nullish(),
  events: z.array(z.unknown()).nullish(),
})

const eventAnswer = eventHead.extend({
  endDate: z.string().nullish(),
  closed: flag,
  markets: z.array(z.unknown()).nullish(),
})

const searchAnswer = z.looseObject({ events: z.array(z.unknown()).nullish() })
const midpointsAnswer = z.record(z.string(), z.unknown())
const clobMarketAnswer = z.looseObject({
  tokens: z.array(z.looseObject({ outcome: z.string(), price: z.unknown().optional(), winner: flag })),
})

/** A market that lacks its very name is no market; the rest may be missing. */
function marketOf(body: unknown, parent: EventHead | null): Market | undefined {
  const parsed = marketAnswer.safeParse(body)
  if (!parsed.success) return undefined
  const raw = parsed.data
  const head = eventHead.safeParse(raw.events?.[0])
  return {
    id: typeof raw.id === 'number' || typeof raw.id === 'string' ? String(raw.id) : '',
    slug: raw.slug,
    question: raw.question,
    conditionId: raw.conditionId || null,
    outcomes: listOf(raw['outcomes']),
    prices: pricesOf(raw['outcomePrices']),
    tokenIds: listOf(raw['clobTokenIds']),
    volumeUsd: numberOf(raw['volumeNum']) ?? numberOf(raw['volume']),
    liquidityUsd: numberOf(raw['liquidityNum']) ?? numberOf(raw['liquidity']),
    endDate: dateText(raw.endDate),
    active: raw.active !== false,
    closed: raw.closed === true,
    archived: raw.archived === true,
    acceptingOrders: raw.acceptingOrders ?? null,
    closedAt: dateOf(raw.closedTime),
    updatedAt: dateOf(raw.updatedAt),
    umaStatus: raw.umaResolutionStatus || null,
    automaticallyResolved: raw.automaticallyResolved === true,
    isOther: raw.negRiskOther === true,
    groupItemTitle: raw.groupItemTitle?.trim() ? raw.groupItemTitle : null,
    isScalar: raw.marketType === 'scalar',
    lowerBound: numberOf(raw['lowerBound']),
    upperBound: numberOf(raw['upperBound']),
    lastTradePrice: priceOf(raw['lastTradePrice']),
    event: parent ?? (head.success ? headOf(head.data) : null),
  }
}

function eventOf(body: unknown): MarketEvent | undefined {
  const parsed = eventAnswer.safeParse(body)
  if (!parsed.success) return undefined
  const raw = parsed.data
  const head = headOf(raw)
  return {
    ...head,
    volumeUsd: numberOf(raw['volume']),
    liquidityUsd: numberOf(raw['liquidity']),
    endDate: dateText(raw.endDate),
    closed: raw.closed === true,
    markets: (raw.markets ?? []).map((market) => marketOf(market, head)).filter((market) => market !== undefined),
  }
}

function headOf(raw: z.output<typeof eventHead>): EventHead {
  return { slug: raw.slug, title: raw.title ?? '', negRisk: raw.negRisk === true }
}

/** Look-ups by slug answer the record; the older lists answer an array of one. */
function single(body: unknown): unknown {
  return Array.isArray(body) && body.length === 1 ? body[0] : body
}

/** Lists come as JSON in a string, and at times as lists. */
function listOf(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? parsedJson(value) : value
  return Array.isArray(list) ? list.map(String) : []
}

function pricesOf(value: unknown): readonly number[] {
  const prices = listOf(value).map(priceOf)
  return prices.every((price) => price !== null) ? prices : []
}

function numberOf(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** A price is a share of one dollar. */
function priceOf(value: unknown): number | null {
  const price = numberOf(value)
  return price !== null && price >= 0 && price <= 1 ? price : null
}

/** A date as it is given. Only what looks like one: the parser of dates overlooks whatever stands in brackets. */
function dateText(value: string | null | undefined): string | null {
  return dateOf(value) === null ? null : (value ?? null)
}

const dateForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Gamma writes `2026-03-19T23:20:15Z`, `2026-03-19 23:20:15+00` and, of older events, `2026-03-19`. */
function dateOf(value: string | null | undefined): Date | null {
  if (value === null || value === undefined || !dateForm.test(value)) return null
  const time = Date.parse(value.replace(' ', 'T').replace(/(T.*[+-]\d\d)$/, '$1:00'))
  return Number.isNaN(time) ? null : new Date(time)
}

function fail(service: 'gamma' | 'clob', cause?: unknown): never {
  throw new UpstreamError(service, 'Polymarket answered in a form that this server cannot read.', { cause })
}
