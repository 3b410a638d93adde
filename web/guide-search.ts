import MiniSearch from 'minisearch'

import { cutAtWord } from './words.ts'
import { docsPath } from './docs-paths.ts'
import { loadGuides } from './guides.ts'
import { type Offered, toolPagePath } from './tools-page.ts'

/** A place in the guides, or a tool. */
export type Hit = { readonly path: string; readonly title: string; readonly where: string; readonly text: string }

export type GuideSearch = (question: string) => Promise<readonly Hit[]>

const most = 20
const few = 5
/** Words of a question that are looked for: a question is read by the thread that settles payments. */
const mostWords = 8
const how = {
  tokenize: (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]{2,30}/gu) ?? []).slice(0, mostWords),
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
  boost: { title: 3, where: 1.5 },
}
/** Sections that are taken into the index in one turn of the event loop. */
const chunkSize = 20

/** Looks for words in the guides and in what tools say of themselves; the index is made by the first question. */
export function createGuideSearch(offered: Offered): GuideSearch {
  let made: Promise<MiniSearch<Hit & { readonly id: number }>> | undefined
  return async (question) => {
    made ??= indexOf(placesOf(offered))
    const index = await made
    const all = index.search(question, { ...how, combineWith: 'AND' })
    // Words that no section holds together may still each lead to the right one.
    const some = all.length >= few ? [] : index.search(question, { ...how, combineWith: 'OR' })
    const known = new Set(all.map(({ id }) => Number(id)))
    return [...all, ...some.filter(({ id }) => !known.has(Number(id)))].slice(0, most).map((hit) => ({
      path: String(hit['path']),
      title: String(hit['title']),
      where: String(hit['where']),
      text: around(String(hit['text']), hit.terms),
    }))
  }
}

async function indexOf(places: readonly Hit[]): Promise<MiniSearch<Hit & { readonly id: number }>> {
  const index = new MiniSearch<Hit & { readonly id: number }>({
    fields: ['title', 'where', 'text'],
    storeFields: ['path', 'title', 'where', 'text'],
  })
  await index.addAllAsync(
    places.map((place, id) => ({ ...place, id })),
    { chunkSize },
  )
  return index
}

function placesOf(offered: Offered): readonly Hit[] {
  const guides = loadGuides().flatMap((guide) =>
    guide.sections.map(({ id, title, depth, text }) => ({
      path: depth === 1 ? `${docsPath}/${guide.slug}` : `${docsPath}/${guide.slug}#${id}`,
      title,
      where: depth === 1 ? guide.group : guide.title,
      text,
    })),
  )
  const tools = [...offered.agentic, ...offered.site].map((tool) => ({
    path: toolPagePath(tool),
    title: tool.name,
    where: 'Tool',
    text: `${tool.description} ${tool.tags.join(', ')}.`,
  }))
  return [...guides, ...tools]
}

/** The stretch of a text in which the first of the words stands. */
function around(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place !== -1)
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 80)
  const begin = start === 0 ? 0 : text.indexOf(' ', start) + 1
  return `${begin === 0 ? '' : '… '}${cutAtWord(text.slice(begin), 240)}`
}
