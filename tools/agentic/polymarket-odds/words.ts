import aliases from './aliases.json' with { type: 'json' }
import { withMarks } from './numbers.ts'

/**
 * A text as the words that are compared: lower case, folded and stemmed. Numbers are `#64000`, years `=2025`, days
 * `@9-26`, times `~4:00am`, directions of change `^down`, so that each is matched only by its own kind.
 */
export type Words = {
  readonly words: readonly string[]
  /** Those that the text writes as a name: with a capital inside a sentence. */
  readonly names: ReadonlySet<string>
}

/** Words of a language that say nothing of what is asked: articles, pronouns, auxiliaries, prepositions, question words. */
const closedClass: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be been being but by can could did do does doing dont for ' +
    'from get gets getting go goes going gonna got had has have having he her hers him his how i if im in into is isnt it ' +
    'its just let like lot me might more most much must my need no not now of off on once only or other our out please ' +
    'really s shall she should so some still such t tell than thank thanks that the their them then there theres these ' +
    'they this those to too up us very want was wasnt we were what whats when where which who whom whose whos why will ' +
    'with wont would wouldnt yes you your'
  ).split(' '),
)
/** How one asks for a price of a bet; the same in every question. */
const askingWords: ReadonlySet<string> = new Set(
  (
    'ask bet bets betting bettor chance chances crowd current currently expect expected favor favored favorite favorites ' +
    'favour favoured favourite favourites give implied know latest likelihood likely line look looking market markets odd ' +
    'odds percent percentage polymarket possible predict predicted predicting prediction price priced pricing probability ' +
    'probable right say saying says show today think thinks trading'
  ).split(' '),
)

const directions: Readonly<Record<string, readonly string[]>> = {
  '^down': [
    'cut',
    'cuts',
    'cutting',
    'lower',
    'lowers',
    'decrease',
    'decreases',
    'reduce',
    'reduces',
    'reduction',
    'slash',
  ],
  '^up': ['raise', 'raises', 'hike', 'hikes', 'increase', 'increases', 'hiking', 'raising'],
  '^flat': ['unchanged', 'hold', 'holds', 'pause', 'pauses', 'steady', 'nochange'],
}
const directionOf = new Map(Object.entries(directions).flatMap(([sign, words]) => words.map((word) => [word, sign])))
const aliasOf: ReadonlyMap<string, string> = new Map(
  aliases.rows.flatMap(({ canonical, also }) => also.map((other) => [other, canonical] as const)),
)
const knownNames: ReadonlySet<string> = new Set(
  aliases.rows.flatMap(({ canonical: name, isName }) => (isName && !name.includes(' ') ? [stemOf(name)] : [])),
)
const longestAlias = Math.max(...[...aliasOf.keys()].map((alias) => alias.split(' ').length))

/** Reads a text as words. */
export function wordsOf(text: string): Words {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]s\b/gu, '')
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .replace(/\bU\.?S\.?(?:A\.?)?(?![\p{L}\d])/gu, ' United States ')
  const names = namesIn(plain)
  const marked = withMarks(plain.toLowerCase()).replace(/\bno[- ]change\b/gu, ' nochange ')
  const parts = marked.split(/[^\p{L}\p{N}#@~=:.+-]+/u).flatMap(partsOf)
  const words = canonical(parts).flatMap((word) => {
    const sign = directionOf.get(word)
    return [...(isMeaning(word) ? [stemOf(word)] : []), ...(sign === undefined ? [] : [sign])]
  })
  return { words: [...new Set(words)], names: new Set([...names].flatMap((name) => canonical([name]).map(stemOf))) }
}

/** Whether a word is known as somebody's or something's name, however it is written. */
export function isKnownName(word: string): boolean {
  return knownNames.has(word)
}

/** A year, a day or a time: it says when, and never what. */
export function isWhen(word: string): boolean {
  return /^[@~=]/.test(word)
}

/** A number, a year, a day or a time: it fits exactly or not at all. */
export function isExact(word: string): boolean {
  return /^[#@~=]/.test(word)
}

/** The numbers of a text in their order, as they are compared. */
export function numbersIn(words: readonly string[]): readonly number[] {
  return words.filter((word) => word.startsWith('#')).map((word) => Number(word.slice(1)))
}

function isMeaning(word: string): boolean {
  return word !== '' && !closedClass.has(word) && !askingWords.has(word)
}

function partsOf(part: string): readonly string[] {
  if (/^[#@~=]/.test(part)) return part.length > 1 ? [part.replace(/[+.]+$/, '')] : []
  return part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Replaces nicknames, tickers and the names of peoples by the usual names, the longest first. */
function canonical(parts: readonly string[]): readonly string[] {
  const out: string[] = []
  for (let at = 0; at < parts.length;) {
    const length = Array.from({ length: longestAlias }, (_value, index) => longestAlias - index).find((count) =>
      aliasOf.has(parts.slice(at, at + count).join(' ')),
    )
    const found = length === undefined ? undefined : aliasOf.get(parts.slice(at, at + length).join(' '))
    out.push(...(found?.split(' ') ?? [parts[at] ?? '']))
    at += length ?? 1
  }
  return out
}

/** Words with a capital that do not begin a sentence. A text all in capitals, or in title case, names nothing by them. */
function namesIn(text: string): ReadonlySet<string> {
  const all = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const inside = [...text.matchAll(/(?<=[\p{L}\p{N},'"()]\s+)\p{Lu}[\p{L}\p{N}]*/gu)].map(([word]) => word)
  const isTitle = all.length > 3 && inside.length >= (all.length - 1) * 0.8
  return new Set(isTitle ? [] : inside.map((word) => word.toLowerCase()))
}

/** The names in a text, each as the words that it is made of: neighbours with capitals are one name. */
export function namePhrasesOf(text: string): readonly (readonly string[])[] {
  const runs = [
    ...text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .matchAll(/\p{Lu}[\p{L}\p{N}'’.]*(?:[ -]\p{Lu}[\p{L}\p{N}'’.]*)*/gu),
  ]
  return runs.map(([run]) => wordsOf(run).words.filter((word) => !isExact(word))).filter((words) => words.length > 0)
}

/** Plural and tense folded away, carefully: what is wrong on both sides still meets. */
function stemOf(word: string): string {
  if (word.length <= 3 || /\d/.test(word) || /^[\^#@~=]/.test(word)) return word
  for (const [ending, instead] of [
    ['ies', 'y'],
    ['ing', ''],
    ['ed', ''],
    ['es', ''],
  ] as const) {
    if (word.endsWith(ending) && word.length - ending.length >= 4)
      return unDoubled(word.slice(0, -ending.length) + instead)
  }
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word.endsWith('e') && word.length > 4 ? word.slice(0, -1) : word
}

function unDoubled(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word
}

/** How well a word meets another: 1 the same, less with a slip of the finger, 0 not at all. */
export function likeness(one: string, other: string): number {
  if (one === other) return 1
  if (isExact(one) || isExact(other) || one.startsWith('^') || other.startsWith('^')) return 0
  const shorter = Math.min(one.length, other.length)
  if (shorter < 4) return 0
  if (shorter >= 5 && (one.startsWith(other) || other.startsWith(one)) && Math.abs(one.length - other.length) <= 2)
    return 0.85
  const allowed = shorter >= 8 ? 2 : 1
  if (one[0] !== other[0] && shorter < 6) return 0
  return slips(one, other, allowed) <= allowed ? 0.75 : 0
}

/** Damerau's distance: letters left out, put in, changed, or two swapped. Ends early beyond `most`. */
function slips(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_value, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1]
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[to - 2] ?? 0) + 1 : Number.MAX_SAFE_INTEGER,
        ),
      )
    }
    if (Math.min(...next) > most) return most + 1
    before = row
    row = next
  }
  return row[other.length] ?? most + 1
}

/** What is worth searching for in a question: its own words, without those that any question has. */
export function searchTermsOf(text: string): string {
  const parts = text.split(/\s+/u)
  const kept = parts.filter((part) => {
    const word = part.toLowerCase().replace(/^[^\p{L}\p{N}$#]+|[^\p{L}\p{N}%]+$/gu, '')
    return isMeaning(word)
  })
  return (kept.length === 0 ? parts : kept).join(' ')
}
