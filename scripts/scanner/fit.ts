import { keyOf } from '../../tools/agentic/mcp-security-scanner/witness/features.ts'
import type { Window } from '../../tools/agentic/mcp-security-scanner/witness/windows.ts'
import { fewest, runJudge } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { Judges, LinearJudge, WordsModel } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import { type Example, type Learned, learned } from './learn.ts'
import type { Item, Read } from './records.ts'

/**
 * How much one text counts. Servers are many and repeat themselves; what the grammar makes is all of one hand; what
 * writers wrote is nearest to what is to be judged, their honest texts most of all, since they were written to be hard.
 * Honest examples of the rules are few and each stands for many.
 */
const counts = {
  close: { written: 14, lookalike: 17, published: 3, server: 3, own: 1.2, example: 8 },
  whole: { written: 3.5, lookalike: 4.2, published: 0.5, server: 1, own: 0.3, example: 2 },
} as const
type Which = keyof typeof counts
/** What a judge weighs beside the numbers; it learns each apart. */
type Sight = keyof typeof fewest

/** How many steps each of the two fits takes at most; the second goes on from the first. */
const steps = { close: [30, 25], whole: [35, 20] } as const
/** One in so many of a server's pairs of sentences is learned from as a whole; they are many, and much alike. */
const pairsOfServers = 4

/** Learns both judges. */
export function fit(items: readonly Read[]): Judges {
  return { close: fitOne(items, 'close'), whole: fitOne(items, 'whole') }
}

/** Learns words and pieces apart and lets each say half. */
function fitOne(items: readonly Read[], which: Which): LinearJudge {
  const [words, pieces] = [fitSight(items, which, 'words'), fitSight(items, which, 'pieces')]
  const [one, other] = [words.meaning, pieces.meaning]
  return {
    words: { ...words.features, scale: 0.5 },
    pieces: { ...pieces.features, scale: 0.5 },
    meaning: {
      weights: Float64Array.from({ length: one.weights.length }, (_, i) => mean(one.weights[i], other.weights[i])),
      bias: mean(one.bias, other.bias),
    },
  }
}

function mean(one = 0, other = 0): number {
  return (one + other) / 2
}

const nothing: WordsModel = { weights: [], scale: 0 }

/**
 * Learns from items of which only some windows are guilty: at first an attack as a whole, then the windows that the
 * judge already believes in and the most believed one of each attack.
 */
function fitSight(items: readonly Read[], which: Which, sight: Sight): Learned {
  const exampleIn =
    (item: Read): ((window: Window) => Example) =>
    (window) =>
      exampleOf(window, item, { which, sight })
  const honest = once(
    items
      .filter(({ isAttack }) => !isAttack)
      .flatMap((item) => kept(item, which).map((window) => [window, item] as const)),
  ).map(([window, item]) => exampleIn(item)(window))
  const attacks = items.filter(({ isAttack }) => isAttack)
  const suspected = attacks.flatMap((item) =>
    item[which].filter(({ isPart }) => which === 'close' || !isPart).map((window) => [window, item] as const),
  )
  const least = fewest[sight]
  const first = learned(
    [...honest, ...once(suspected).map(([window, item]) => exampleIn(item)(window))],
    least,
    steps[which][0],
  )
  const judge = { words: nothing, pieces: nothing, meaning: first.meaning, [sight]: first.features }
  const guilty = attacks.flatMap((item) =>
    believed(item[which], (window) => runJudge(judge, window)).map((window) => [window, item] as const),
  )
  return learned(
    [...honest, ...once(guilty).map(([window, item]) => exampleIn(item)(window))],
    least,
    steps[which][1],
    first.weights,
  )
}

function kept(item: Read, which: Which): readonly Window[] {
  if (which === 'close' || !item.isServer || item.isWritten === true) return item[which]
  return item.whole.filter(({ isPart, keys }) => !isPart || (keys[0] ?? 0) % pairsOfServers === 0)
}

function believed(windows: readonly Window[], scoreOf: (window: Window) => number): readonly Window[] {
  const scored = windows.map((window) => [scoreOf(window), window] as const)
  const best = Math.max(...scored.map(([score]) => score))
  return scored.filter(([score]) => score > 0.5 || score === best).map(([, window]) => window)
}

function exampleOf(window: Window, item: Item, { which, sight }: { which: Which; sight: Sight }): Example {
  const keys = sight === 'words' ? window.keys : window.pieces
  return { keys, numbers: window.numbers, side: item.isAttack ? 1 : -1, weight: counts[which][kindOf(item)] }
}

function kindOf({ isWritten, isServer, isExample, isAttack, group }: Item): keyof (typeof counts)['close'] {
  if (isExample === true) return 'example'
  if (isWritten === true) return isAttack ? 'written' : 'lookalike'
  return isServer ? 'server' : group === 'own' ? 'own' : 'published'
}

/** Texts that servers share are learned once; what has the same words has the same pieces. */
function once(pairs: readonly (readonly [Window, Read])[]): readonly (readonly [Window, Read])[] {
  return [...new Map(pairs.map((pair) => [`${pair[0].keys.join(' ')}|${pair[0].numbers[0]}`, pair])).values()]
}

/** Which part of a cross-validation an item belongs to. */
export function partOf(id: string, parts: number): number {
  return keyOf(id) % parts
}
