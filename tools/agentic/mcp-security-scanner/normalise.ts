import { foreignWordsIn } from './witness/other-languages.ts'
import { r, saysOftenInAnyCase } from './signals/says.ts'

/** A reading of one text: as a person or a model would see it, or as it comes out of an encoding. */
export type View = {
  readonly text: string
  /** How the text was hidden or encoded; `undefined` for the plain reading. */
  readonly how: string | undefined
  /** True where a person who looks at the manifest or a rendering of it would not see this text. */
  readonly isHidden: boolean
}

/** What stands in a text that a person cannot see. */
export type Oddities = {
  readonly tags: number
  readonly selectors: number
  readonly zeroWidth: number
  readonly bidi: number
  readonly escapes: number
  readonly backspaces: number
  readonly mixedScript: number
  readonly gap: boolean
}

type Reading = { readonly views: readonly View[]; readonly oddities: Oddities }

const nestingLimit = 3
/** Decoded text of one string is read up to this length; the plain reading has no such limit. */
const decodedLimit = 40_000
const viewLimit = 24

/** Nothing odd at all. */
export const quiet: Oddities = {
  tags: 0,
  selectors: 0,
  zeroWidth: 0,
  bidi: 0,
  escapes: 0,
  backspaces: 0,
  mixedScript: 0,
  gap: false,
}

/** Letters of other scripts that look like Latin ones, by code point; capitals stand for themselves. */
const lookAlikes = new Map<string, string>(
  Object.entries({
    a: 'аɑαａ',
    b: 'ƅЬ',
    c: 'сϲⅽ',
    d: 'ԁⅾ',
    e: 'еҽ℮ε',
    g: 'ɡԍ',
    h: 'һհ',
    i: 'іıɩιⅰ',
    j: 'јϳ',
    k: 'κк',
    l: 'ӏⅼاՙ',
    m: 'ⅿм',
    n: 'ոп',
    o: 'оοօ๐໐',
    p: 'рρ',
    q: 'ԛգ',
    r: 'гᴦ',
    s: 'ѕꜱ',
    t: 'тτ',
    u: 'υսц',
    v: 'ѵνⅴ',
    w: 'ԝѡա',
    x: 'хⅹχ',
    y: 'уүγ',
    z: 'ᴢ',
    A: 'АΑᎪ',
    B: 'ВΒᏴ',
    C: 'СϹᏟ',
    D: 'Ꭰ',
    E: 'ЕΕᎬ',
    G: 'ԌᏀ',
    H: 'НΗᎻ',
    I: 'ІΙӀ',
    J: 'ЈᎫ',
    K: 'КΚᏦ',
    L: 'Ꮮ',
    M: 'МΜᎷ',
    N: 'Ν',
    O: 'ОΟՕ',
    P: 'РΡᏢ',
    S: 'ЅᏚ',
    T: 'ТΤᎢ',
    V: 'ѴᏙ',
    W: 'ԜᎳ',
    X: 'ХΧ',
    Y: 'ҮΥ',
    Z: 'ΖᏃ',
  }).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
)

// A word that mixes Latin letters with Cyrillic, Greek, Armenian or Cherokee ones.
const mixedWord =
  /[A-Za-z][\p{L}]{0,40}[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}][\p{L}]{0,40}[A-Za-z]/gu
const notPlain = /[^\x20-\x7e\n]/
const terminalEscape =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)[0-9;?]{0,40}[A-Za-z]|\u001b\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)|\u001b[()#][A-Z0-9]/g
// The flags of England, Scotland and Wales are the only plain use of tag characters.
const flag = /\u{1F3F4}[\u{E0061}-\u{E007A}]{2,6}\u{E007F}/gu

/** Reads a text in every way that could hide an instruction in it. */
export function readText(text: string): Reading {
  const oddities = notPlain.test(text) ? oddnessOf(text) : gapOnly(text)
  const plain = visible(text)
  const views: View[] = [{ text: plain, how: undefined, isHidden: false }]
  addHidden(text, views)
  addDecoded(text, plain, views, 0)
  return { views: views.length > viewLimit ? views.slice(0, viewLimit) : views, oddities }
}

/** The text without what a person cannot see, in compatibility form, on single spaces. */
function visible(text: string): string {
  if (!notPlain.test(text) && !text.includes('&')) return squeeze(text)
  const spoken = text.replace(terminalEscape, '').normalize('NFKC')
  return squeeze(readEntities(dropInvisible(spoken)))
}

/** Replaces letters that look like Latin ones by those. */
export function foldLookAlikes(text: string): string {
  let folded = ''
  for (const letter of text.normalize('NFKC')) folded += lookAlikes.get(letter) ?? letter
  return folded
}

/** Whether a text has a word in which Latin letters stand beside look-alikes from another script. */
export function hasMixedScript(text: string): boolean {
  return mixedWordsIn(text) > 0
}

/** Units and formulas mix alphabets too, with letters that look like no Latin one. */
function mixedWordsIn(text: string): number {
  let count = 0
  for (const [word] of text.matchAll(mixedWord)) {
    const isUnit = Array.from(word).every((letter) => /[A-Za-z]/.test(letter) || !lookAlikes.has(letter))
    if (!isUnit && word.length > 1) count += 1
  }
  return count
}

/** Shows a piece of a text so that nothing in it stays invisible: `\u{…}` for what has no shape of its own. */
export function quote(text: string, length = 160): string {
  let shown = ''
  for (const letter of text) {
    if (shown.length >= length) return `${shown}…`
    shown += /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/u.test(letter)
      ? escapeOf(letter)
      : letter
  }
  return shown
}

function escapeOf(letter: string): string {
  if (letter === '\n' || letter === '\t' || letter === '\r') return ' '
  return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`
}

function squeeze(text: string): string {
  return text.replace(/[ \t\r\f\v]+/g, ' ')
}

function gapOnly(text: string): Oddities {
  return text.length > 60 && / {40}|\n[ \n]{15}/.test(text) ? { ...quiet, gap: hasGap(text) } : quiet
}

/** Text pushed out of sight: a long run of blanks or empty lines with words after it. */
function hasGap(text: string): boolean {
  // The cells of a table are padded too.
  return /[^\s|][ \t\u00a0]{40,400}[^\s|]/.test(text) || (text.includes('\n') && /\S(?:[ \t]{0,8}\n){10}/.test(text))
}

function oddnessOf(text: string): Oddities {
  let tags = 0
  let selectors = 0
  let zeroWidth = 0
  let bidi = 0
  let backspaces = 0
  let before = 0
  for (const letter of text.replace(flag, '')) {
    const point = letter.codePointAt(0) ?? 0
    if (point >= 0xe0000 && point <= 0xe007f) tags += 1
    else if (point >= 0xe0100 && point <= 0xe01ef) selectors += 1
    else if (point >= 0xfe00 && point <= 0xfe0e) selectors += 1
    else if (isZeroWidth(point) && !isJoinerInPlace(point, before)) zeroWidth += 1
    else if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069)) bidi += 1
    else if (point === 8) backspaces += 1
    before = point
  }
  const escapes = text.match(terminalEscape)?.length ?? 0
  const mixedScript = mixedWordsIn(text)
  return { tags, selectors, zeroWidth, bidi, escapes, backspaces, mixedScript, gap: hasGap(text) }
}

function isZeroWidth(point: number): boolean {
  return (
    (point >= 0x200b && point <= 0x200d) ||
    (point >= 0x2060 && point <= 0x2064) ||
    point === 0xfeff ||
    point === 0x00ad ||
    point === 0x180e ||
    point === 0x034f ||
    point === 0x3164 ||
    point === 0x115f ||
    point === 0x1160
  )
}

/** Joiners shape emoji, Arabic and Indic script; after anything else they only hide. */
function isJoinerInPlace(point: number, before: number): boolean {
  if (point !== 0x200c && point !== 0x200d) return false
  return before > 0x2190 || (before >= 0x0590 && before <= 0x0dff)
}

function isInvisible(point: number): boolean {
  return (
    isZeroWidth(point) ||
    (point >= 0xe0000 && point <= 0xe01ef) ||
    (point >= 0xfe00 && point <= 0xfe0f) ||
    (point >= 0x200e && point <= 0x200f) ||
    (point >= 0x202a && point <= 0x202e) ||
    (point >= 0x2066 && point <= 0x206f) ||
    (point < 32 && point !== 10 && point !== 9) ||
    point === 127
  )
}

function dropInvisible(text: string): string {
  let kept = ''
  for (const letter of text) if (!isInvisible(letter.codePointAt(0) ?? 0)) kept += letter
  return kept
}

/** Adds what is written in characters that have no shape: tags, variation selectors, zero-width bits. */
function addHidden(text: string, views: View[]): void {
  if (notPlain.test(text)) {
    let tags = ''
    let bits = ''
    const bytes: number[] = []
    for (const letter of text.replace(flag, '')) {
      const point = letter.codePointAt(0) ?? 0
      if (point >= 0xe0020 && point <= 0xe007e) tags += String.fromCodePoint(point - 0xe0000)
      else if (point >= 0xe0100 && point <= 0xe01ef) bytes.push(point - 0xe0100 + 16)
      else if (point >= 0xfe00 && point <= 0xfe0f) bytes.push(point - 0xfe00)
      else if (point === 0x200b) bits += '0'
      else if (point === 0x200c) bits += '1'
      else if (point === 0x200d || point === 0x2060) bits += ' '
    }
    if (tags.length > 3) add(views, tags, 'tag characters', true)
    if (bytes.length > 6) {
      const said = Buffer.from(bytes.slice(0, 4_000)).toString('utf8')
      if (isProse(said) || isMostlyLetters(said)) add(views, said, 'variation selectors', true)
    }
    if (bits.length > 40) {
      for (const said of [
        fromBits(bits),
        fromBits(bits.replaceAll('0', 'x').replaceAll('1', '0').replaceAll('x', '1')),
      ]) {
        if (isProse(said)) add(views, said, 'zero-width characters', true)
      }
    }
    // Invisible characters in a row stand between words rather than in them.
    const parted = text.replace(/[\u200b-\u200d\u2060-\u2064\ufeff]{2,}/g, ' ')
    if (parted !== text) add(views, visible(parted), 'zero-width characters', false)
    const turned = text.match(/[\u202e\u2067]([^\u202c\u2069\n]{8,2000})/)
    if (turned?.[1] !== undefined)
      add(views, Array.from(turned[1]).toReversed().join(''), 'text that runs backwards', true)
    const backspaced = rubOut(text)
    if (backspaced !== undefined) add(views, backspaced, 'backspaces', true)
    const concealed = text.match(/\u001b\[(?:8|30;40|37;47|97;107|0;8)m([^\u001b]{4,2000})/) // oxlint-disable-line no-control-regex
    if (concealed?.[1] !== undefined) add(views, concealed[1], 'terminal escapes', true)
    if (hasMixedScript(text)) add(views, visible(foldLookAlikes(text)), 'look-alike letters', false)
  }
  for (const said of commentsIn(text)) add(views, visible(said), 'an HTML comment', true)
  for (const [pattern, how] of hiddenMarkup) {
    for (const match of text.matchAll(pattern)) {
      const said = match.slice(1).find((group) => group !== undefined)
      if (said !== undefined && said.trim().length > 3) add(views, visible(said), how, true)
    }
  }
  if (text.length > 100 && hasGap(text)) {
    const tail = text
      .split(/(?<=[^\s|])[ \t\u00a0]{40,}(?=[^\s|])|(?:[ \t]{0,8}\n){10,}/)
      .slice(1)
      .join(' ')
    if (tail.trim().length > 3) add(views, visible(tail), 'a long run of blanks', true)
  }
}

/** What stands in HTML comments; found by position, since a pattern over many openings is slow. */
function commentsIn(text: string): readonly string[] {
  const found: string[] = []
  for (let from = text.indexOf('<!--'); from !== -1 && found.length < 40; from = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', from)
    found.push(text.slice(from + 4, Math.min(end === -1 ? text.length : end, from + 4_000)))
    if (end === -1) return found
    from = end
  }
  return found
}

const hiddenMarkup: readonly (readonly [RegExp, string])[] = [
  [/\[(?:\/\/|comment|_)\]:\s?(?:#|<>)\s?[("']([^\n]{1,2000})/gi, 'a Markdown comment'],
  [
    saysOftenInAnyCase(r`<(?:span|div|p|font|i|b|small|details)\b[^<>]{0,200}{display}[^<>]{0,200}>([^<]{1,2000})`),
    'markup that is not shown',
  ],
  [/\{#([^#]{8,1000})#\}/g, 'a template comment'],
]

/** Adds what comes out of an encoding, and what comes out of that, up to a bound. */
function addDecoded(raw: string, plain: string, views: View[], depth: number): void {
  if (depth >= nestingLimit || plain.length < 12) return
  const text = plain.length > decodedLimit ? plain.slice(0, decodedLimit) : plain
  const found: (readonly [string, string])[] = []
  for (const match of text.matchAll(/[A-Za-z0-9+/_-]{20,}={0,2}/g)) {
    const said = fromBase64(match[0])
    if (said !== undefined) found.push([said, 'base64'])
  }
  for (const match of text.matchAll(/[0-9a-fA-F](?:[0-9a-fA-F]|[ :,](?=[0-9a-fA-F])|0x|\\x){23,}/g)) {
    const said = fromHex(match[0])
    if (said !== undefined) found.push([said, 'hexadecimal'])
  }
  // A character or two in an address are no disguise.
  if (countMatches(text, /%(?:[46][1-9a-f]|[57][0-9a]|20)/gi) >= 6) {
    const said = text.replace(/(?:%[0-9a-fA-F]{2}){2,}|%[0-9a-fA-F]{2}/g, fromPercent)
    if (said !== text) found.push([said, 'percent encoding'])
  }
  if (/\\[ux][0-9a-fA-F]{2}|\\u\{/.test(text)) {
    const said = text.replace(/\\u\{?([0-9a-fA-F]{2,6})\}?|\\x([0-9a-fA-F]{2})/g, (_, long?: string, short?: string) =>
      fromPoint(Number.parseInt(long ?? short ?? '20', 16)),
    )
    if (said !== text) found.push([said, 'character escapes'])
  }
  if (countMatches(raw, /&#(?:x[46][1-9a-f]|x[57][0-9a]|6[5-9]|[789]\d|1[01]\d|12[0-2]);/gi) >= 6)
    found.push([readEntities(raw), 'HTML entities'])
  if (depth > 0 && raw.includes('&')) found.push([readEntities(text), 'HTML entities'])
  const words = lettersIn(text)
  if (countWords(words, rotatedWords) >= 2) found.push([rotate(text), 'rot13'])
  if (isReversed(text, words)) found.push([Array.from(text).toReversed().join(''), 'reversed text'])
  if (countMatches(text, /[a-z][013457@$!8]|[013457@$!8][a-z]/gi) >= 8) {
    const said = fromDigits(text)
    // Numbers in plain text become no words; letters that were swapped for digits do.
    if (countWords(lettersIn(said), plainWords) > countWords(words, plainWords) + 1)
      found.push([said, 'digits in place of letters'])
  }
  const spaced = raw.match(/(?:(?<![\p{L}\p{N}])[\p{L}\p{N}/~.'"(),:;!?<>@_-](?:[ .*_-]{1,3}|$)){8,}/gu)
  for (const run of spaced ?? []) found.push([closeUp(run), 'spaced letters'])
  if (/[a-z]\n[a-z]+\n[a-z]+\n[a-z]+\n/i.test(text)) found.push([text.replace(/\n/g, ' '), 'split lines'])
  const joined = text.match(/\b[a-z]+(?:[A-Z][a-z]+|[_-][a-z]+){6,}/g)
  for (const run of joined?.slice(0, 8) ?? []) {
    found.push([
      run
        .replace(/[_-]/g, ' ')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase(),
      'joined words',
    ])
  }
  for (const [said, how] of found) {
    if (views.length >= viewLimit) return
    const shown = visible(said)
    if (add(views, shown, how, false)) addDecoded(said, shown, views, depth + 1)
  }
}

function add(views: View[], text: string, how: string, isHidden: boolean): boolean {
  if (
    text.trim().length < 4 ||
    views.some(
      (view) => view.text === text && view.isHidden === isHidden && (view.how !== undefined || how !== 'HTML entities'),
    )
  )
    return false
  views.push({ text, how, isHidden })
  return true
}

/** How many more words a text of another language must have backwards than forwards. */
const reversedMore = 3
const shortestReversed = 24

function isReversed(text: string, words: readonly string[]): boolean {
  if (countWords(words, reversedWords) >= 2) return true
  if (text.length < shortestReversed || countWords(words, plainWords) > 2) return false
  const turned = Array.from(text).toReversed().join('')
  return foreignWordsIn(turned) >= foreignWordsIn(text) + reversedMore
}

/** Whether bytes that were hidden are text of any language. */
function isMostlyLetters(text: string): boolean {
  if (text.includes('\ufffd')) return false
  const letters = text.match(/[\p{L}\p{M} ]/gu)?.length ?? 0
  return letters / text.length > 0.7
}

const rotatedWords = new Set(
  'gur naq lbh zhfg abg gb bs hfre guvf ernq svyr pnyy orsber nyjnlf gbby vg sbe jvgu'.split(' '),
)
const reversedWords = new Set('eht dna uoy tsum ton ot resu siht daer elif llac erofeb syawla loot htiw rof'.split(' '))
const plainWords = new Set(
  'the and you must not to of user this read file call before always tool it for with is in are be or from that do any all ignore previous instructions send use your'.split(
    ' ',
  ),
)

function lettersIn(text: string): readonly string[] {
  return text.toLowerCase().split(/[^a-z]+/)
}

function countWords(said: readonly string[], words: ReadonlySet<string>): number {
  let count = 0
  for (const word of said) if (words.has(word)) count += 1
  return count
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** Whether a decoded text reads like sentences rather than like chance. */
function isProse(text: string): boolean {
  if (text.length < 8) return false
  let good = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if ((code >= 32 && code < 127) || code === 10 || code === 9) good += 1
  }
  if (good / text.length < 0.9) return false
  const words = text.toLowerCase().split(/[^a-z]+/)
  const known = words.filter((word) => plainWords.has(word)).length
  return known >= 2 || (known >= 1 && words.filter((word) => word.length > 2).length >= 3)
}

function fromBase64(text: string): string | undefined {
  const bytes = Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('utf8')
  if (isMostlyPrintable(bytes)) return bytes
  // Text for one scripting host is encoded with two bytes per letter.
  const wide = Buffer.from(text, 'base64').toString('utf16le')
  return isMostlyPrintable(wide) ? wide : undefined
}

// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0008\u000e-\u001f\ufffd]/

/** Whether decoded bytes are text, or once more an encoding of it. */
function isMostlyPrintable(text: string): boolean {
  if (text.length < 12 || unprintable.test(text)) return false
  return /[ \n/]/.test(text) || /^[A-Za-z0-9+=_-]{24,}$/.test(text)
}

function fromHex(text: string): string | undefined {
  const digits = text.replace(/0x|\\x|[^0-9a-fA-F]/g, '')
  const said = Buffer.from(digits.slice(0, digits.length - (digits.length % 2)), 'hex').toString('utf8')
  return isMostlyPrintable(said) ? said : undefined
}

function fromPercent(text: string): string {
  return Buffer.from(text.replaceAll('%', ''), 'hex').toString('utf8')
}

function fromPoint(point: number): string {
  return point > 0x10ffff ? ' ' : String.fromCodePoint(point)
}

function fromBits(bits: string): string {
  const groups = bits.includes(' ') ? bits.split(' ') : (bits.match(/[01]{8}/g) ?? [])
  return groups.map((group) => (group === '' ? '' : fromPoint(Number.parseInt(group.slice(-16), 2)))).join('')
}

function rubOut(text: string): string | undefined {
  if (!text.includes('\b')) return undefined
  return squeeze(text.replaceAll('\b', ''))
}

function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}

const digitLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
}

function fromDigits(text: string): string {
  return text.replace(
    /[013457@$!8](?=[013457@$!8]{0,3}[a-z])|(?<=[a-z][013457@$!8]{0,3})[013457@$!8]|\b70\b/gi,
    (digit) => (digit === '70' ? 'to' : (digitLetters[digit] ?? digit)),
  )
}

/** Closes up letters that stand apart; wider gaps are the ends of words. */
function closeUp(run: string): string {
  return run
    .replace(/[ ]{2,}/g, '\u0000')
    .replace(/[ .*_-](?=\S)/g, '')
    .replaceAll('\u0000', ' ')
}

const entityNames: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  sol: '/',
  period: '.',
  comma: ',',
  colon: ':',
}

function readEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole: string, ...groups: string[]) => {
    const [decimal, hex, name] = groups
    if (decimal !== undefined) return fromPoint(Number(decimal))
    if (hex !== undefined) return fromPoint(Number.parseInt(hex, 16))
    return entityNames[name?.toLowerCase() ?? ''] ?? whole
  })
}
