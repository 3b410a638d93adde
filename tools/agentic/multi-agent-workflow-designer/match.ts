import type MiniSearch from 'minisearch'

import { requiredSlots } from './entry.ts'
import type { Entry, Slot } from './entry.ts'
import type { Entities } from './entities.ts'
import { meaningsOf, stem, wordsOf } from './words.ts'

/** How well an entry fits a text; `words` are those of the text that spoke for it. */
export type Hit = { readonly entry: Entry; readonly score: number; readonly words: readonly string[] }

/** Ranks the catalog for one text, best first; equal scores in the order of the catalog. */
export type Matcher = (words: readonly string[], entities: Entities) => readonly Hit[]

type Row = { readonly id: number; readonly keywords: string; readonly slug: string; readonly category: string }

/** Builds the index; the search library is loaded on the first call that needs it. */
export async function createMatcher(entries: readonly Entry[]): Promise<Matcher> {
  const { default: Search } = await import('minisearch')
  const index: MiniSearch<Row> = new Search<Row>({
    fields: ['keywords', 'slug', 'category'],
    tokenize: (text) => [...wordsOf(text)],
    processTerm: stem,
  })
  index.addAll(
    entries.map(({ keywords, slug, category }, id) => ({ id, keywords: keywords.join(' ; '), slug, category })),
  )
  const phrases = entries.map(({ keywords }) =>
    keywords.map((keyword) => wordsOf(keyword).map(stem)).filter((stems) => stems.length > 1),
  )
  const slots = entries.map(requiredSlots)

  return (words, entities) => {
    // A coin is something to ask about, like an address, and says little about the tool.
    const telling = words.filter((word) => !coinNames.has(word))
    const wish = { entities, coin: telling.length < words.length, free: words.includes('free') }
    const stems = [...new Set(telling.flatMap(meaningsOf))]
    const found = new Map(
      index
        .search(stems.join(' '), {
          tokenize: (text) => text.split(' '),
          processTerm: (term) => term,
          boost: { keywords: 2 },
          prefix: (term) => term.length > 4,
          fuzzy: (term) => (term.length > 6 ? 0.15 : false),
          bm25: { k: 1.2, b: 0.2, d: 0.5 },
        })
        .map((result) => [Number(result.id), result]),
    )
    return entries
      .map((entry, id) => {
        const result = found.get(id)
        const whole = (phrases[id] ?? []).filter((phrase) => phrase.every((part) => stems.includes(part)))
        // A clause that is one keyword and nothing else means it, however common the word.
        const exact = telling.length === 1 && entry.keywords.includes(telling[0] ?? '') ? 4 : 0
        const phrased = exact + whole.reduce((sum, phrase) => sum + phrase.length, 0)
        const spoken = (result?.score ?? 0) * (1 + 0.15 * Math.min(phrased, 8))
        const score = spoken * likeness(entry, slots[id] ?? [], wish) + bonus(slots[id] ?? [], wish)
        const spoke = new Set(result?.queryTerms)
        return { entry, score, words: telling.filter((word) => meaningsOf(word).some((meaning) => spoke.has(meaning))) }
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
  }
}

const coinNames = new Set(['bitcoin', 'btc', 'ethereum', 'eth', 'ether', 'solana', 'sol', 'usdc'])

/** What a text says beside its words. */
type Wish = { readonly entities: Entities; readonly coin: boolean; readonly free: boolean }

/** Some things by themselves ask for one tool: a repository, an ENS name, a coin. */
function bonus(slots: readonly Slot[], { entities, coin }: Wish): number {
  if (slots.includes('repo') && entities.repo.length > 0) return 12
  if (slots.includes('coin_id') && coin) return 3
  return slots.includes('name_or_address') && entities.ens.length > 0 ? 3 : 0
}

/** A goal that names an address, an amount, a URL or a coin more likely means a tool that takes one. */
function likeness({ priceMicroUsd, input }: Entry, slots: readonly Slot[], { entities, coin, free }: Wish): number {
  const { address, ens, url } = entities
  const wanted = (free && priceMicroUsd === 0n ? 2 : 1) * (entities.usd.length > 0 && 'thresholdUsd' in input ? 2 : 1)
  const takesAddress = slots.includes('address') || slots.includes('name_or_address')
  if (address.length + ens.length > 0) return wanted * (takesAddress ? 1.3 : 0.6)
  if (url.length > 0) return wanted * (slots.includes('url') ? 1.5 : 0.7)
  return coin && (slots.includes('coin_id') || slots.includes('symbol')) ? wanted * 1.3 : wanted
}
