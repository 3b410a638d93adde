import { keyBits, keyOf } from '../../tools/agentic/mcp-security-scanner/witness/features.ts'
import type { Window } from '../../tools/agentic/mcp-security-scanner/witness/windows.ts'
import { runMeaning, runNet, runWords } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { CloseJudge, Judges, WholeJudge } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import { learnNet, learnWords } from './learn-apart.ts'
import { type Example, learned } from './learn-together.ts'
import type { Item, Read } from './records.ts'

/**
 * How much one text counts. Servers are many and repeat themselves; what the grammar makes is all of one hand; what
 * writers wrote is nearest to what is to be judged. Honest examples of the rules are few and each stands for many.
 */
const counts = {
  close: { written: 4, published: 3, server: 1, own: 2, example: 8 },
  whole: { written: 1, published: 0.5, server: 0.35, own: 0.5, example: 2 },
} as const

const size = 1 << keyBits
const hiddenUnits = 24
/** Rounds over the examples, a line for each time that the guilty windows are chosen anew. */
const closeRounds = [3, 3, 6] as const
/** How many steps each of the two fits takes at most; the second goes on from the first. */
const wholeSteps = [35, 20] as const
/** One in so many of a server's pairs of sentences is learned from; they are many, and much alike. */
const pairsOfServers = 4

/** Learns both judges. */
export function fit(items: readonly Read[]): Judges {
  return { close: fitClose(items), whole: fitWhole(items) }
}

/**
 * Learns from items of which only some windows are guilty: at first every window of an attack counts as one, then those
 * that the judge already believes in and the most believed one of each attack.
 */
function fitClose(items: readonly Read[]): CloseJudge {
  const honest = once(
    items
      .filter(({ isAttack }) => !isAttack)
      .flatMap((item) => item.close.map((window) => exampleOf(window, item, 'close'))),
  )
  const attacks = items.filter(({ isAttack }) => isAttack)
  let judge: CloseJudge | undefined
  for (const rounds of closeRounds) {
    const before = judge
    const guilty = attacks.flatMap((item) =>
      (before === undefined
        ? item.close
        : believed(item.close, ({ keys, numbers }) => runWords(before.words, keys) + runNet(before.net, numbers))
      ).map((window) => exampleOf(window, item, 'close')),
    )
    const examples = [...honest, ...once(guilty)]
    judge = { words: learnWords(examples, size, rounds), net: learnNet(examples, hiddenUnits, rounds) }
  }
  if (judge === undefined) throw new Error('There is nothing to learn from.')
  return judge
}

/** The same for all that is said of a tool; at first an attack as a whole is guilty. */
function fitWhole(items: readonly Read[]): WholeJudge {
  const honest = items
    .filter(({ isAttack }) => !isAttack)
    .flatMap((item) => kept(item).map((window) => exampleOf(window, item, 'whole')))
  const attacks = items.filter(({ isAttack }) => isAttack)
  const first = learned(
    once([
      ...honest,
      ...attacks.flatMap((item) =>
        item.whole.filter(({ isPart }) => !isPart).map((window) => exampleOf(window, item, 'whole')),
      ),
    ]),
    wholeSteps[0],
  )
  const guilty = attacks.flatMap((item) =>
    believed(
      item.whole,
      ({ keys, numbers }) => runWords(first.judge.words, keys) + runMeaning(first.judge.meaning, numbers),
    ).map((window) => exampleOf(window, item, 'whole')),
  )
  return learned(once([...honest, ...guilty]), wholeSteps[1], first.weights).judge
}

function kept(item: Read): readonly Window[] {
  if (!item.isServer || item.isWritten === true) return item.whole
  return item.whole.filter(({ isPart, keys }) => !isPart || (keys[0] ?? 0) % pairsOfServers === 0)
}

function believed(windows: readonly Window[], scoreOf: (window: Window) => number): readonly Window[] {
  const scored = windows.map((window) => [scoreOf(window), window] as const)
  const best = Math.max(...scored.map(([score]) => score))
  return scored.filter(([score]) => score > 0.5 || score === best).map(([, window]) => window)
}

function exampleOf({ keys, numbers }: Window, item: Item, judge: keyof typeof counts): Example {
  return { keys, numbers, side: item.isAttack ? 1 : -1, weight: counts[judge][kindOf(item)] }
}

function kindOf({ isWritten, isServer, isExample, group }: Item): keyof (typeof counts)['close'] {
  if (isExample === true) return 'example'
  if (isWritten === true) return 'written'
  return isServer ? 'server' : group === 'own' ? 'own' : 'published'
}

/** Texts that servers share are learned once. */
function once(examples: readonly Example[]): readonly Example[] {
  return [...new Map(examples.map((one) => [`${one.side} ${one.keys.join(' ')}|${one.numbers[0]}`, one])).values()]
}

/** Which part of a cross-validation an item belongs to. */
export function partOf(id: string, parts: number): number {
  return keyOf(id) % parts
}
