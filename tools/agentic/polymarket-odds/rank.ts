import type { Market, MarketEvent } from './odds.ts'
import { isOpen, isYesNo, openMembersOf } from './odds.ts'

/** What a search led to, and how much of the question its text covers (0 to 1). */
type Pick =
  | { readonly kind: 'market'; readonly market: Market; readonly coverage: number }
  | { readonly kind: 'event'; readonly event: MarketEvent; readonly coverage: number }

/** Below this share of the question's words a hit is about something else. */
const leastCoverage = 0.5
const smallestList = 3

/**
 * Picks the one answer among the hits of a search, or undefined where nothing fits.
 * Best coverage first; then open before closed, then volume, liquidity and the lower id, so that the same hits
 * always give the same answer. A question that says a whole event's title and no single member gives the event.
 */
export function pickOf(words: string, events: readonly MarketEvent[]): Pick | undefined {
  const query = tokensOf(words)
  if (query.size === 0) return undefined
  const hits = events.flatMap((event) =>
    event.markets.map((market) => ({ event, market, coverage: coverageOf(query, event, market) })),
  )
  const best = Math.max(0, ...hits.map((hit) => hit.coverage))
  if (best < leastCoverage) return undefined
  const kept = hits.filter((hit) => hit.coverage >= best - 0.001)
  // Who writes a market's own question out means that market.
  const named = kept.filter((hit) => plain(hit.market.question) === plain(words))
  const titled = events.find((event) => plain(event.title) === plain(words) && isAboutList(query, event))
  if (named.length === 0 && titled !== undefined) return { kind: 'event', event: titled, coverage: best }
  const [top] = (named.length > 0 ? named : kept).sort((one, other) => byWeight(one.market, other.market))
  if (top === undefined) return undefined
  return named.length === 0 && isAboutList(query, top.event)
    ? { kind: 'event', event: top.event, coverage: top.coverage }
    : { kind: 'market', market: top.market, coverage: top.coverage }
}

/** Open before closed, then more volume, more liquidity, lower id. */
export function byWeight(one: Market, other: Market): number {
  return (
    Number(isOpen(other)) - Number(isOpen(one)) ||
    (other.volumeUsd ?? 0) - (one.volumeUsd ?? 0) ||
    (other.liquidityUsd ?? 0) - (one.liquidityUsd ?? 0) ||
    (Number(one.id) || 0) - (Number(other.id) || 0)
  )
}

function coverageOf(query: ReadonlySet<string>, event: MarketEvent, market: Market): number {
  const text = tokensOf(`${market.question} ${event.title} ${market.groupItemTitle ?? ''}`)
  return [...query].filter((token) => text.has(token)).length / query.size
}

function isAboutList(query: ReadonlySet<string>, event: MarketEvent): boolean {
  const title = tokensOf(event.title)
  if (title.size === 0 || ![...title].every((token) => query.has(token))) return false
  const open = openMembersOf(event)
  if (open.length < smallestList || !open.every(isYesNo)) return false
  const members = tokensOf(open.map((market) => market.groupItemTitle ?? '').join(' '))
  return ![...query].some((token) => members.has(token) && !title.has(token))
}

const stopWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been by can could did do does for from had has have how if in is it its many much of on ' +
    'or s should that the their there these this those to was were what when where which who whom whose why will with would'
  ).split(' '),
)

/** The words that carry meaning, folded so that `José's $64k` meets `jose 64,000`. */
function tokensOf(text: string): ReadonlySet<string> {
  const words = plain(text).split(' ')
  const meaning = words.filter((word) => word !== '' && !stopWords.has(word))
  // A question of stop words alone is better searched for as it is than not at all.
  return new Set((meaning.length > 0 ? meaning : words.filter((word) => word !== '')).map(stemOf))
}

/** Lower case, no accents, no punctuation; `64k` and `64,000` alike. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s\b/gu, '')
    .replace(/(\d),(?=\d{3}(?!\d))/gu, '$1')
    .replace(/(?<![\p{L}\d])(\d+(?:\.\d+)?)(k|m|b|t)(?![\p{L}\d])/gu, (_all, number: string, unit: string) => {
      const size = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 }[unit] ?? 1
      return String(Math.round(Number(number) * size))
    })
    .replace(/(\d)\.(?=\d)/gu, '$1point')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function stemOf(word: string): string {
  if (word.length <= 3 || /\d/.test(word) || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  return word.endsWith('ies') && word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
}
