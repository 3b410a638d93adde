import { html } from 'hono/html'

/** A piece of a page; every text of others in it is escaped already. */
export type Markup = ReturnType<typeof html>

export type Fields = Readonly<Record<string, unknown>>

export const nothing: Markup = html``

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSimple(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** A text, or an empty one where the value is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A number that can be drawn; undefined for everything else, decimals in text included in what can. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,30}(?:\.\d{1,30})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Joins that belong to a letter: they are part of emoji and of several scripts. */
const joiners = new Set(['\u200C', '\u200D', '\n', '\t', '\r'])

/**
 * A text in which nothing is hidden: letters that nobody sees, or that turn the text after them around, are spelled
 * out. What others wrote must not look like something else.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u{E0100}-\u{E01EF}]/gu, (letter) =>
    joiners.has(letter) ? letter : `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

/** A text that is cut where it would be too long for its place. */
export function shortened(text: string, most: number): string {
  const letters = Array.from(visible(text))
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('')
}

const dollars = /(^|_)usd(_|$)|Usd($|[A-Z0-9])/
const percents = /(^|_)(pct|percent)(_|$)|Pct($|[A-Z0-9])|^percent/
/** Numbers that name something; nobody adds them up. */
const names = /(^|_)(id|block|slot|nonce|year|index)$|(Id|Block|Slot|Nonce|Number|Index)$|^(block|index)|_number$/

/** Whether a number names something, so that it is no measure. */
export function isNaming(name: string): boolean {
  return names.test(name)
}

/** A number as people read it. */
export function numberText(value: number, name = ''): string {
  if (names.test(name)) return String(value)
  const size = Math.abs(value)
  const digits = size >= 1_000 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 6 }
  const isMoney = dollars.test(name)
  const hasCents = isMoney && size >= 0.01
  const cents = hasCents ? { minimumFractionDigits: 2, maximumFractionDigits: size >= 1 ? 2 : 4 } : digits
  const text = value.toLocaleString('en-US', cents)
  if (isMoney) return value < 0 ? `−$${text.slice(1)}` : `$${text}`
  return percents.test(name) ? `${text} %` : text
}

/** A number for an axis, where there is little room. */
export function axisText(value: number, name = ''): string {
  if (names.test(name)) return String(value)
  const text = value.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 4 })
  return dollars.test(name) ? `$${text}` : percents.test(name) ? `${text} %` : text
}

/** `2026-11-20T12:00:00.000Z` as `2026-11-20 12:00 UTC`; other texts as they are. */
function timeText(text: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(text) ?? []
  return day === undefined || minute === undefined ? text : `${day} ${minute} UTC`
}

/** A value in a line of text. */
export function plain(value: unknown, name = ''): string {
  if (value === null || value === undefined || value === '') return '–'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value, name) : '–'
  if (typeof value === 'string') return visible(timeText(value))
  return visible(JSON.stringify(value))
}

/** A part of a whole as a bar; the number beside it is its text. */
export function bar(part: number): Markup {
  const width = (Math.min(1, Math.max(0, part)) * 100).toFixed(1)
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="10" rx="2" />
    <rect width="${width}" height="10" rx="2" fill="currentColor" />
  </svg>`
}

/** How bad something is, the worst first, and the tone that its mark has. */
const tones: Readonly<Record<string, 'bad' | 'warn' | 'calm'>> = {
  dangerous: 'bad',
  critical: 'bad',
  high: 'bad',
  high_risk: 'bad',
  fail: 'bad',
  medium: 'warn',
  moderate_risk: 'warn',
  warning: 'warn',
  warn: 'warn',
  low: 'calm',
  info: 'calm',
  none: 'calm',
}

const levels = Object.keys(tones)

/** Whether a word says how bad something is. */
export function isLevel(value: unknown): value is string {
  return typeof value === 'string' && levels.includes(value)
}

/** A place in the order of what is bad, the worst first. */
export function rankOf(level: unknown): number {
  return levels.indexOf(textOf(level))
}

/** A word that says how bad something is, marked by its tone too. */
export function levelMark(level: string): Markup {
  return html`<span class="level ${tones[level] ?? 'calm'}">${level.replaceAll('_', ' ')}</span>`
}

export function toneOf(level: string): 'bad' | 'warn' | 'calm' {
  return tones[level] ?? 'calm'
}
