/**
 * Which pieces of text a pattern cannot do without, so that a sentence that has none of them is not searched. Most
 * sentences say nothing that any signal looks for, and looking for a hundred patterns is what a scan would take longest
 * over.
 */

/** Pieces of which a match has at least one; `undefined` where nothing can be said. */
type Needed = readonly string[] | undefined

/** Shorter pieces stand in every text. */
const shortest = 3
const mostPieces = 120

/** The pieces that a pattern needs one of. It reads the constructs that the signals use and gives up on any other. */
export function neededBy(pattern: RegExp): Needed {
  const reader = { source: pattern.source, at: 0 }
  const needed = alternatives(reader)
  return reader.at === reader.source.length ? needed : undefined
}

type Reader = { readonly source: string; at: number }

function alternatives(reader: Reader): Needed {
  const options: Needed[] = [sequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at += 1
    options.push(sequence(reader))
  }
  const all: string[] = []
  for (const option of options) {
    if (option === undefined) return undefined
    all.push(...option)
  }
  return all.length > mostPieces ? undefined : [...new Set(all)]
}

/** Of the parts of a sequence, all of which must be there, the one that is most telling. */
function sequence(reader: Reader): Needed {
  let best: Needed
  let run = ''
  const consider = (needed: Needed): void => {
    if (needed !== undefined && worthOf(needed) > worthOf(best)) best = needed
  }
  const endRun = (): void => {
    if (run.length >= shortest) consider([run])
    run = ''
  }
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const part = atom(reader)
    const least = leastTimes(reader)
    if (part.kind === 'letter' && least === undefined) {
      run += part.letter
      continue
    }
    // A place in the text is no part of it; what stands around it still stands together.
    if (part.kind === 'place' && least === undefined) continue
    endRun()
    if (part.kind === 'group' && least !== 0) consider(part.needed)
  }
  endRun()
  return best
}

type Atom =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'group'; readonly needed: Needed }
  | { readonly kind: 'place' | 'other' }

function atom(reader: Reader): Atom {
  const { source, at } = reader
  const letter = source[at] ?? ''
  if (letter === '(') return group(reader)
  if (letter === '[') {
    reader.at = endOfClass(source, at)
    return { kind: 'other' }
  }
  if (letter === '\\') {
    const next = source[at + 1] ?? ''
    const length =
      next === 'u' ? 6 : next === 'x' ? 4 : next === 'p' || next === 'P' ? source.indexOf('}', at) - at + 1 : 2
    reader.at += length
    if (next === 'b' || next === 'B') return { kind: 'place' }
    return /[a-zA-Z0-9]/.test(next) ? { kind: 'other' } : { kind: 'letter', letter: next }
  }
  reader.at += 1
  if (letter === '^' || letter === '$') return { kind: 'place' }
  return letter === '.' ? { kind: 'other' } : { kind: 'letter', letter }
}

function group(reader: Reader): Atom {
  const opening = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(reader.source.slice(reader.at, reader.at + 24))?.[0] ?? '('
  reader.at += opening.length
  const needed = alternatives(reader)
  reader.at += 1
  // What must not follow, or must have come before, may stand anywhere.
  return /[=!]$/.test(opening) ? { kind: 'place' } : { kind: 'group', needed }
}

/** How often an atom must be there at least, where a quantifier follows it. */
function leastTimes(reader: Reader): number | undefined {
  const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(reader.source.slice(reader.at, reader.at + 12))
  if (found === null) return undefined
  reader.at += found[0].length
  if (found[1] !== undefined) return Number(found[1])
  return found[0].startsWith('+') ? 1 : 0
}

function endOfClass(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at + 1
}

/** Few long pieces tell more than many short ones. */
function worthOf(needed: Needed): number {
  if (needed === undefined || needed.length === 0) return 0
  return Math.min(...needed.map(({ length }) => length)) / (1 + needed.length / 8)
}

/** Finds for a text which of some patterns may match; the rest cannot. */
export function createSieve(patterns: readonly RegExp[]): (text: string) => Uint8Array {
  const always = new Uint8Array(patterns.length)
  // Every letter of every text is looked up here, so it is a table and no map.
  const places = new Uint16Array(startCount)
  const lists: (readonly [piece: string, pattern: number])[][] = [[]]
  for (const [index, pattern] of patterns.entries()) {
    const needed = neededBy(pattern)
    if (needed === undefined) always[index] = 1
    for (const piece of needed ?? []) {
      const start = startOf(piece, 0)
      const place = places[start] ?? 0
      if (place !== 0) lists[place]?.push([piece, index])
      else places[start] = lists.push([[piece, index]]) - 1
    }
  }
  return (text) => {
    const may = Uint8Array.from(always)
    for (let at = 0; at + shortest <= text.length; at += 1) {
      const place = places[startOf(text, at)] ?? 0
      if (place === 0) continue
      for (const [piece, index] of lists[place] ?? [])
        if (may[index] === 0 && text.startsWith(piece, at)) may[index] = 1
    }
    return may
  }
}

const startCount = 1 << 16

/** Three letters as one number; few others share it. */
function startOf(text: string, at: number): number {
  return ((text.charCodeAt(at) << 10) ^ (text.charCodeAt(at + 1) << 5) ^ text.charCodeAt(at + 2)) & (startCount - 1)
}
