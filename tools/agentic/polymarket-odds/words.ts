import aliases from './aliases.json' with { type: 'json' }

/**
 * A text as the words that are compared: lower case, folded and stemmed. Numbers are `#64000`, years `=2025`, days
 * `@9-26`, times `~4:00am`, directions of change `^down`, so that each is matched only by its own kind.
 */
export type Words = {
  readonly words: readonly string[]
  /** Those that the text writes as a name: with a capital inside a sentence. */
  readonly names: ReadonlySet<string>
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
const monthWord =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const monthFirst = new RegExp(`\\b${monthWord}\\s+${day}\\b(?!\\s*:|\\d)`, 'gu')
const dayFirst = new RegExp(`\\b${day}\\s+(?:of\\s+)?${monthWord}(?![\\p{L}])`, 'gu')

const number = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?'
const unit = 'k|m|mm|b|bn|t|thousand|million|mil|billion|trillion'
const range = new RegExp(`(${number})\\s*(?:-|–|—|to)\\s*\\$?(${number})\\s*(${unit})\\b`, 'gu')
const quantity = new RegExp(`(?<![\\p{L}\\d#@~=.-])(${number})\\s*(${unit})?(?![\\p{L}\\d])`, 'gu')
const spelled: Readonly<Record<string, string>> = {
  ...{ one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9', ten: '10' },
}
const sizes: Readonly<Record<string, number>> = {
  ...{ k: 1e3, thousand: 1e3, m: 1e6, mm: 1e6, mil: 1e6, million: 1e6, b: 1e9, bn: 1e9, billion: 1e9 },
  ...{ t: 1e12, trillion: 1e12 },
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
const longestAlias = Math.max(...[...aliasOf.keys()].map((alias) => alias.split(' ').length))

/** Reads a text as words. */
export function wordsOf(text: string): Words {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]s\b/gu, '')
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
  const names = namesIn(plain)
  const marked = withQuantities(withDates(plain.toLowerCase()))
  const parts = marked.split(/[^\p{L}\p{N}#@~=:.+-]+/u).flatMap(partsOf)
  const words = canonical(parts).flatMap((word) => {
    const sign = directionOf.get(word)
    return [...(isMeaning(word) ? [stemOf(word)] : []), ...(sign === undefined ? [] : [sign])]
  })
  return { words: [...new Set(words)], names: new Set([...names].flatMap((name) => canonical([name]).map(stemOf))) }
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

function withDates(text: string): string {
  const dated = text
    .replace(monthFirst, (_all, month: string, of: string) => ` @${monthOf(month)}-${Number(of)} `)
    .replace(dayFirst, (_all, of: string, month: string) => ` @${monthOf(month)}-${Number(of)} `)
    .replace(
      /\b(\d{1,2})(?::(\d\d))?\s*(am|pm)\b/gu,
      (_all, hour: string, minute: string | undefined, half: string) => {
        return ` ~${Number(hour)}:${minute ?? '00'}${half} `
      },
    )
  return dated
    .replace(/(?<![\p{L}\d#@~.,$-])((?:19|20)\d\d)(?![\d%,.]*\d|[\p{L}%])/gu, ' =$1 ')
    .replace(/(?:['’]|\bin\s+)(2\d)(?![\p{L}\d%:,.-])/gu, ' =20$1 ')
}

function monthOf(word: string): number {
  return months.findIndex((month) => word.startsWith(month)) + 1
}

function withQuantities(text: string): string {
  return text
    .replace(
      new RegExp(`\\b(${Object.keys(spelled).join('|')})(?=\\s+(?:${unit})\\b)`, 'gu'),
      (word) => spelled[word] ?? word,
    )
    .replace(/\bhalf a (million|billion|trillion)\b/gu, '0.5 $1')
    .replace(/\b(?:a|one) (hundred) (thousand|million|billion)\b/gu, '100 $2')
    .replace(/\ba (million|billion|trillion)\b/gu, '1 $1')
    .replace(range, (_all, low: string, high: string, size: string) => `${low}${size} - ${high}${size}`)
    .replace(quantity, (_all, digits: string, size: string | undefined) => ` #${scaled(digits, size)} `)
    .replace(/\bno[- ]change\b/gu, ' nochange ')
}

function scaled(digits: string, size: string | undefined): string {
  const value = Number(digits.replaceAll(',', '')) * (size === undefined ? 1 : (sizes[size] ?? 1))
  return String(Number(value.toPrecision(12)))
}

function partsOf(part: string): readonly string[] {
  if (/^[#@~=]/.test(part)) return [part.replace(/[+.]+$/, '')]
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
  if (shorter >= 5 && (one.startsWith(other) || other.startsWith(one)) && Math.abs(one.length - other.length) <= 3)
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
