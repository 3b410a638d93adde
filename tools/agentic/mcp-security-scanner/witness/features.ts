/** Weights stand under this many bits of a feature's hash. */
export const keyBits = 19

const size = 1 << keyBits

/** Words that every text has; alone they say nothing, in pairs they do. */
const small = new Set(
  (
    'a an the this that these those it its is are was were be been being am of in on at by to from for with as and or if so but ' +
    'not no do does did done has have had can could may might will would shall should must you your we our us i me my he she ' +
    'they them their his her all any each every some one two than then there here when while where what which who how why also ' +
    'only just more most other such same own into out up down over under again about between through per via'
  ).split(' '),
)

/** Where a sentence stands; a word weighs differently as a default than in a description. */
export type Place = {
  /** A letter for the kind of place, where it is not a description. */
  readonly kind: string | undefined
  /** The words of the parameter's name that it stands at. */
  readonly names: readonly string[]
}

/** The hashed features of a sentence, each once: words, pairs and triples of words, and the signals of the rules. */
export function keysOf(tokens: readonly string[], signals: Iterable<string>): readonly number[] {
  const keys = new Set<number>()
  // A pair begins with its first word, and so does a triple with its pair: their hashes go on from there.
  for (let at = -1; at < tokens.length; at += 1) {
    const first = at === -1 ? '<s>' : (tokens[at] ?? '')
    const third = at + 2 < tokens.length ? tokens[at + 2] : at + 2 === tokens.length ? '</s>' : undefined
    const word = hashed(first)
    if (at >= 0 && !small.has(first)) keys.add(mixed(word))
    const pair = hashed(tokens[at + 1] ?? '</s>', hashed(' ', word))
    keys.add(mixed(pair))
    if (third !== undefined) keys.add(mixed(hashed(third, hashed(' ', pair))))
  }
  for (const signal of signals) keys.add(keyOf(`#${signal}`))
  return [...keys]
}

/** The same by name, for showing what weighed. */
export function* featuresOf(tokens: readonly string[], signals: Iterable<string>): Iterable<string> {
  const all = ['<s>', ...tokens, '</s>']
  for (let at = 0; at + 1 < all.length; at += 1) {
    const [first = '', second = '', third] = [all[at], all[at + 1], all[at + 2]]
    if (at > 0 && !small.has(first)) yield first
    yield `${first} ${second}`
    if (third !== undefined) yield `${first} ${second} ${third}`
  }
  for (const signal of signals) yield `#${signal}`
}

/** The hashed features of where a sentence stands: its words by place, and the words of the parameter's name. */
export function placeKeysOf(tokens: readonly string[], { kind, names }: Place): readonly number[] {
  if (kind === undefined && names.length === 0) return []
  const keys = new Set(names.map((name) => keyOf(`$${name}`)))
  if (kind !== undefined) for (const token of tokens) if (!small.has(token)) keys.add(keyOf(`${kind}:${token}`))
  return [...keys]
}

/** Where a feature's weight stands. */
export function keyOf(name: string): number {
  return mixed(hashed(name))
}

/** The hash of a text, going on from another. */
export function hashed(text: string, from = 0x811c9dc5): number {
  let hash = from
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Where the weight of a hash stands. */
export function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((half ^ (half >>> 12)) >>> 0) & (size - 1)
}
