import { NotFoundError } from '../../../src/tool/tool.ts'
import type { Upstreams } from '../../../src/tool/tool.ts'
import { isYesNo, type Market, type MarketEvent } from './odds.ts'
import { byWeight, type Pick, pickOf } from './rank.ts'
import { searchTermsOf, usualTermsOf } from './words.ts'
import type { Question } from './question.ts'

/** What a question led to, when its record arrived, and whether one more question to an upstream is within bounds. */
export type Found = { readonly fetchedAt: Date; readonly mayAskMore: boolean } & Partial<
  globalThis.Pick<Pick, 'runnerUp'>
> &
  ({ readonly kind: 'market'; readonly market: Market } | { readonly kind: 'event'; readonly event: MarketEvent })

type Polymarket = Upstreams['polymarket']

/** Below this share the search looks among ended markets too: the better answer may be one that is over. */
const goodSureness = 0.75

/** Finds the one market or event a question is about, in at most four questions. @throws NotFoundError */
export async function find(question: Question, polymarket: Polymarket): Promise<Found> {
  const found =
    question.kind === 'address'
      ? await findAddress(question, polymarket)
      : await findWords(question.words, question.slugs, polymarket)
  if (found !== undefined) return found
  throw new NotFoundError('No Polymarket market fits this question.', {
    nextStep: 'Ask with a market slug, a polymarket.com address, or other words.',
  })
}

async function findAddress(
  { eventSlug, marketSlug }: Extract<Question, { kind: 'address' }>,
  polymarket: Polymarket,
): Promise<Found | undefined> {
  const slug = marketSlug ?? eventSlug ?? ''
  const market = quietly(polymarket.market(slug))
  const event = eventSlug === null ? undefined : quietly(polymarket.event(eventSlug))
  // The address of an event alone names the event, even where one of its markets has the same slug.
  if (marketSlug === null) return asEvent(await event, true) ?? asMarket(await market, true)
  return asMarket(await market, true) ?? asEvent(await event, true)
}

async function findWords(
  words: string,
  [slug, lowerSlug]: readonly string[],
  polymarket: Polymarket,
): Promise<Found | undefined> {
  const open = quietly(polymarket.search(searchTermsOf(words), 'open'))
  if (slug !== undefined) {
    const market = quietly(polymarket.market(slug))
    const event = quietly(polymarket.event(lowerSlug ?? slug))
    // A failed look-up ends the call: what it would have found outranks whatever a search finds.
    const exact = asMarket(await market, true) ?? asEvent(await event, true)
    if (exact !== undefined) return exact
  }
  const first = await open
  const pick = pickOf(words, first.value)
  if (pick !== undefined && pick.sureness >= goodSureness)
    return { ...pick, fetchedAt: first.fetchedAt, mayAskMore: true }

  if (lowerSlug !== undefined) {
    const exact = asMarket(await polymarket.market(lowerSlug), false)
    if (exact !== undefined || pick !== undefined) {
      return exact ?? (pick && { ...pick, fetchedAt: first.fetchedAt, mayAskMore: false })
    }
    return undefined
  }
  const all = await polymarket.search(usualTermsOf(words), 'all')
  const wider = pickOf(words, [...first.value, ...all.value])
  return wider && { ...wider, fetchedAt: all.fetchedAt, mayAskMore: slug === undefined }
}

type Fetched<T> = { readonly value: T; readonly fetchedAt: Date }

function asMarket(fetched: Fetched<Market> | undefined, mayAskMore: boolean): Found | undefined {
  return fetched && { kind: 'market', market: fetched.value, fetchedAt: fetched.fetchedAt, mayAskMore }
}

/**
 * An event of one market, or of bets that are no list of answers (a match, its totals, its handicaps), is its main
 * market.
 */
function asEvent(fetched: Fetched<MarketEvent> | undefined, mayAskMore: boolean): Found | undefined {
  if (fetched === undefined) return undefined
  const { value: event, fetchedAt } = fetched
  if (event.markets.length > 1 && event.markets.every(isYesNo)) return { kind: 'event', event, fetchedAt, mayAskMore }
  const main = event.markets.find((market) => market.slug === event.slug) ?? [...event.markets].sort(byWeight)[0]
  return main && { kind: 'market', market: main, fetchedAt, mayAskMore }
}

/**
 * Keeps a request whose answer may not be needed from ending the process when it fails; a caller that awaits it still
 * gets the error.
 */
function quietly<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined)
  return answer
}
