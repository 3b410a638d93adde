import { LRUCache } from 'lru-cache'
import type MiniSearch from 'minisearch'

import type { CatalogEntry } from '../../../src/tool/tool.ts'
import type { Entities } from './entities.ts'
import { type Need, type Route, routes } from './routes.ts'

type Row = { readonly id: string; readonly asks: string; readonly about: string }

/** Below this a likeness is chance. */
const leastScore = 4
/** Who asks for something to be done is not answered by something that was read. */
const deed = /^(?:please )?(?:send|transfer|pay|swap|buy|sell|mint|deploy|sign|bridge|stake|withdraw|vote|revoke)\b/i

// What a question has because it is a question.
const idle = new Set(
  'a an and any are as at be before been but by can could current currently did do does for from get give had has have hello her him his how i if in is it its just let list look many may me more much my now of off on one or our out please right s should show so some tell than that the their them then there these they this those to today up use was we were what when where which while who whom whose why will with would you your'.split(
    ' ',
  ),
)

/**
 * How to ask the tool of the catalog that fits a question best; undefined where none does. The search library is loaded
 * on the first call.
 */
export async function matchOf(
  catalog: readonly Pick<CatalogEntry, 'slug' | 'name' | 'tags'>[],
  rest: string,
  entities: Entities,
): Promise<Route | undefined> {
  const offered = routes.filter((route) => catalog.some(({ slug }) => slug === route.slug))
  const words = [...new Set(wordsOf(rest))]
  if (deed.test(rest.trim())) return undefined
  // An address or a name and nothing else asks whose it is.
  if (words.length === 0 && isNamed('name or address', entities)) {
    return offered.find(({ slug }) => slug === 'ens-resolver')
  }
  const index = await indexOf(
    offered.map(({ slug, asks }) => {
      const { name = '', tags = [] } = catalog.find((entry) => entry.slug === slug) ?? {}
      return { id: slug, asks: asks.join(' ; '), about: [name, ...tags].join(' ') }
    }),
  )
  const found = new Map(
    index
      .search(words.join(' '), {
        boost: { asks: 3 },
        prefix: (term) => term.length > 4,
        bm25: { k: 1.2, b: 0.3, d: 0.5 },
      })
      .map(({ id, score }) => [String(id), score]),
  )
  const [best] = offered
    .filter((route) => isMeant(route, words, entities))
    .map((route) => ({ route, score: (found.get(route.slug) ?? 0) * likeness(route, entities) }))
    .toSorted((a, b) => b.score - a.score)
  return best === undefined || best.score < leastScore ? undefined : best.route
}

/** A server always offers the same tools; making their index takes longer than the rest of an answer. */
const indices = new LRUCache<string, MiniSearch<Row>>({ max: 4 })

async function indexOf(rows: readonly Row[]): Promise<MiniSearch<Row>> {
  const key = JSON.stringify(rows)
  const known = indices.get(key)
  if (known !== undefined) return known
  const { default: Search } = await import('minisearch')
  const index: MiniSearch<Row> = new Search<Row>({
    fields: ['asks', 'about'],
    tokenize: (text) => [...wordsOf(text)],
    processTerm: (term) => term,
  })
  index.addAll(rows)
  indices.set(key, index)
  return index
}

/** Whether a question is about what a tool looks at at all, however many words they share. */
function isMeant(route: Route, words: readonly string[], entities: Entities): boolean {
  const telling = wordsOf(route.telling)
  return takenBy(route).some((need) => isNamed(need, entities)) || words.some((word) => telling.includes(word))
}

function takenBy({ needs: needed, takes = [] }: Route): readonly Need[] {
  return [needed, ...takes].filter((need) => need !== undefined)
}

/** A question that names an address more likely means a tool that takes one, and less likely one that needs a repository. */
function likeness(route: Route, entities: Entities): number {
  const taken = takenBy(route)
  const named = needs.filter((need) => isNamed(need, entities))
  const fits = taken.some((need) => named.includes(need))
  if (fits) return taken.includes('repo') || taken.includes('collection') ? 2 : 1.5
  return (named.length > 0 ? 0.5 : 1) * (route.needs === undefined ? 1 : 0.6)
}

const needs: readonly Need[] = ['address', 'collection', 'repo', 'url', 'symbol', 'name or address']

/** Whether a question names what a tool must be told. */
export function isNamed(need: Need, { addresses, names, collections, repos, urls, symbols }: Entities): boolean {
  const named: Readonly<Record<Need, number>> = {
    address: addresses.length + names.length,
    'name or address': addresses.length + names.length,
    collection: collections.length,
    repo: repos.length,
    url: urls.length,
    symbol: symbols.length,
  }
  return named[need] > 0
}

/** The words of a text that say something, without their endings. */
function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !idle.has(word))
    .map(stemOf)
}

function stemOf(word: string): string {
  if (word.length < 5) return word.replace(/(?<=[a-z]{3})s$/, '')
  return word
    .replace(/(?:ies)$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace(/(?:ing|ed)$/, '')
    .replace(/(?<=[a-z]{3})e$/, '')
}
