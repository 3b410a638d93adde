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
    const stems = [...new Set(words.flatMap(meaningsOf))]
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
        const phrased = whole.reduce((sum, phrase) => sum + phrase.length, 0)
        const spoken = (result?.score ?? 0) * (1 + 0.15 * Math.min(phrased, 8))
        const score = spoken * likeness(slots[id] ?? [], entities) + bonus(slots[id] ?? [], entities)
        const spoke = new Set(result?.queryTerms)
        return { entry, score, words: words.filter((word) => meaningsOf(word).some((meaning) => spoke.has(meaning))) }
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
  }
}

/** Some things by themselves ask for one tool: a repository, an ENS name. */
function bonus(slots: readonly Slot[], entities: Entities): number {
  if (slots.includes('repo') && entities.repo.length > 0) return 12
  return slots.includes('name_or_address') && entities.ens.length > 0 ? 3 : 0
}

/** A goal that names an address or a URL more likely means a tool that takes one. */
function likeness(slots: readonly Slot[], { address, ens, url }: Entities): number {
  const takesAddress = slots.includes('address') || slots.includes('name_or_address')
  if (address.length + ens.length > 0) return takesAddress ? 1.3 : 0.6
  if (url.length > 0) return slots.includes('url') ? 1.5 : 0.7
  return 1
}
