import grammar from './grammar.json' with { type: 'json' }

/** A text that the grammar made, and the rule it began with. */
export type Made = { readonly text: string; readonly isAttack: boolean; readonly rule: string }

const parts: Readonly<Record<string, readonly string[]>> = grammar.parts
const deepest = 10

/**
 * Texts of the grammar, each once; the same number gives the same texts. `{name}` in a rule stands for any line of the
 * part of that name, and `start` says which rules begin a text and how often.
 */
export function madeTexts(count: number): readonly Made[] {
  const random = randomOf(5)
  const pick = (all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? ''
  const expand = (text: string, depth = 0): string =>
    text.replace(/\{(\w+)\}/g, (_whole, name: string) => {
      const lines = parts[name]
      if (lines === undefined) throw new Error(`The grammar has no part ${name}.`)
      return depth > deepest ? '' : expand(pick(lines), depth + 1)
    })
  const starts = { attack: repeated(grammar.start.attack), honest: repeated(grammar.start.honest) }
  const made = new Map<string, Made>()
  for (let index = 0; index < count; index += 1) {
    const isAttack = index % 3 !== 2
    const rule = pick(isAttack ? starts.attack : starts.honest)
    const text = tidy(expand(pick(parts[rule] ?? [])))
    if (!made.has(text)) made.set(text, { text, isAttack, rule })
  }
  return [...made.values()]
}

function repeated(weights: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(weights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name))
}

/** Parts are written without regard to what stands around them. */
function tidy(text: string): string {
  const plain = text
    .replaceAll('@OWN', 'own_tool')
    .replace(/\s+/g, ' ')
    .replace(/\.\./g, '.')
    .replace(/ ([.,;])/g, '$1')
    .trim()
  return plain.slice(0, 1).toUpperCase() + plain.slice(1)
}

/** Numbers from 0 to 1 that look like chance and are the same every time (xorshift). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 4_294_967_296
  }
}
