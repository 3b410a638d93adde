import lists from './concepts.json' with { type: 'json' }
import { hashed, mixed } from './features.ts'

/**
 * A sentence by what its words are made of and stand for, so that a word that was never learned still says something:
 * pieces of words, beginnings of words in twos, and concepts (`concepts.json`) by themselves, in their order, and in
 * threes. In the lists a word that ends in `-` stands for every word that begins so, and `_` joins words.
 */

type Phrase = { readonly words: readonly string[]; readonly isBeginning: boolean; readonly concept: number }

const exact = new Map<string, number[]>()
const beginnings = new Map<string, number[]>()
const phrases = new Map<string, Phrase[]>()
const names = Object.keys(lists)
for (const [concept, list] of Object.values(lists).entries()) {
  for (const entry of list.split(' ')) {
    const isBeginning = entry.endsWith('-')
    const word = isBeginning ? entry.slice(0, -1) : entry
    const words = word.split('_')
    const [first = ''] = words
    if (words.length > 1) listUnder(phrases, first).push({ words, isBeginning, concept })
    else listUnder(isBeginning ? beginnings : exact, word).push(concept)
  }
}

function listUnder<T>(map: Map<string, T[]>, key: string): T[] {
  const known = map.get(key)
  if (known !== undefined) return known
  const list: T[] = []
  map.set(key, list)
  return list
}

const longestBeginning = Math.max(...[...beginnings.keys()].map(({ length }) => length))
const shortestBeginning = 3
/** Kinds of names and addresses that are concepts of their own. */
const kinds = '@own @foreign @foreigntool @param @url @mail @secretpath @path @number @caps'.split(' ')

/** What is kept of a word: the hashes of its pieces, that of its beginning, and its concepts. */
type Known = { readonly pieces: readonly number[]; readonly stem: number; readonly concepts: readonly number[] }

const known = new Map<string, Known>()
/** A text made of new words must not fill the memory. */
const mostKnown = 20_000
const pieceLengths = [3, 4, 5] as const
const stemLength = 4
/** Of a longer word the end is not cut into pieces; a word may be a megabyte. */
const longestCut = 30

function knownOf(token: string): Known {
  const before = known.get(token)
  if (before !== undefined) return before
  const isKind = token.startsWith('@')
  const short = token.slice(0, longestCut)
  const made = {
    pieces: isKind ? [mixed(hashed(token, seedOfPieces))] : piecesOf(`^${short}$`),
    stem: hashed(isKind ? token : token.slice(0, stemLength), seedOfStems),
    concepts: conceptsOf(short),
  }
  if (known.size >= mostKnown) known.clear()
  known.set(token, made)
  return made
}

const seedOfPieces = hashed('g:')
const seedOfStems = hashed('g2:')

function piecesOf(word: string): readonly number[] {
  const keys = new Set([mixed(hashed(word, seedOfPieces))])
  for (const length of pieceLengths) {
    for (let at = 0; at + length <= word.length; at += 1) {
      keys.add(mixed(hashed(word.slice(at, at + length), seedOfPieces)))
    }
  }
  return [...keys]
}

function conceptsOf(token: string): readonly number[] {
  const kind = kinds.indexOf(token)
  if (kind !== -1) return [names.length + kind]
  const found = new Set(exact.get(token))
  for (let length = shortestBeginning; length <= Math.min(token.length, longestBeginning); length += 1) {
    for (const concept of beginnings.get(token.slice(0, length)) ?? []) found.add(concept)
  }
  return [...found]
}

/** The concepts at each place of a sentence that has any. */
function conceptsIn(tokens: readonly string[]): readonly (readonly number[])[] {
  const places: (readonly number[])[] = []
  for (const [at, token] of tokens.entries()) {
    const own = knownOf(token).concepts
    const said = phrases.get(token)?.filter((phrase) => isSaidAt(tokens, at, phrase))
    if (said !== undefined && said.length > 0) {
      places.push([...new Set([...said.map(({ concept }) => concept), ...own])])
    } else if (own.length > 0) places.push(own)
  }
  return places
}

function isSaidAt(tokens: readonly string[], from: number, { words, isBeginning }: Phrase): boolean {
  const last = words.length - 1
  return words.every((word, index) => {
    const token = tokens[from + index]
    return isBeginning && index === last ? token?.startsWith(word) === true : token === word
  })
}

/** How many places further on a concept still counts as following another. */
const mostBetween = 8
const many = names.length + kinds.length + 1

/** The hashed pieces and concepts of a sentence, each once. */
export function piecesIn(tokens: readonly string[]): Int32Array {
  const keys = new Set<number>()
  let before: number | undefined
  for (const token of tokens) {
    const { pieces, stem } = knownOf(token)
    for (const piece of pieces) keys.add(piece)
    if (before !== undefined) keys.add(mixed(Math.imul(before, 0x01000193) ^ stem))
    before = stem
  }
  const places = conceptsIn(tokens)
  for (const [at, here] of places.entries()) {
    const [next, third] = [places[at + 1] ?? [], places[at + 2] ?? []]
    for (const one of here) {
      keys.add(conceptKey(one, 1))
      for (const later of places.slice(at + 1, at + 1 + mostBetween)) {
        for (const other of later) keys.add(conceptKey(one * many + other, 2))
      }
      for (const two of next) for (const three of third) keys.add(conceptKey((one * many + two) * many + three, 3))
    }
  }
  return Int32Array.from(keys)
}

function conceptKey(number: number, kind: number): number {
  return mixed(Math.imul(Math.imul(number, 0x9e3779b1) ^ kind, 0x85ebca6b))
}
