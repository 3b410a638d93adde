import words from './words.json' with { type: 'json' }

/**
 * Patterns are written in small parts: a pattern says one of several things, each a line of its own in which `{name}`
 * stands for any line of the list of that name in `words.json`. A line too long for one is a list of its pieces.
 */

type Way = string | readonly string[]

const lists: Readonly<Record<string, readonly string[]>> = words
const known = new Map<string, string>()
const placeholder = /(?<!\\[pP])\{([a-z]\w*)\}/g

/** Text as it stands, without escapes of the language. */
export const r = String.raw

/** A pattern that finds any of the ways to say a thing. */
export function says(...ways: readonly Way[]): RegExp {
  return new RegExp(sourceOf(ways))
}

/** The same whatever the case of the letters. */
export function saysInAnyCase(...ways: readonly Way[]): RegExp {
  return new RegExp(sourceOf(ways), 'i')
}

/** The same, for finding every place where it is said. */
export function saysOften(...ways: readonly Way[]): RegExp {
  return new RegExp(sourceOf(ways), 'g')
}

/** Every place, whatever the case of the letters. */
export function saysOftenInAnyCase(...ways: readonly Way[]): RegExp {
  return new RegExp(sourceOf(ways), 'gi')
}

function sourceOf(ways: readonly Way[]): string {
  return ways.map((way) => filled(typeof way === 'string' ? way : way.join(''))).join('|')
}

function filled(text: string): string {
  return text.replace(placeholder, (_whole, name: string) => listed(name))
}

function listed(name: string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  const lines = Object.hasOwn(lists, name) ? lists[name] : undefined
  if (lines === undefined) throw new Error(`words.json has no list ${name}.`)
  const source = `(?:${lines.map(filled).join('|')})`
  known.set(name, source)
  return source
}
