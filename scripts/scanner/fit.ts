import { keyBits, keyOf } from '../../tools/agentic/mcp-security-scanner/witness/features.ts'
import type { Window } from '../../tools/agentic/mcp-security-scanner/witness/windows.ts'
import { runNet, runWords } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { Judges } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import { type Example, learnNet, learnWords } from './learn.ts'
import type { Read } from './records.ts'

const size = 1 << keyBits
const hiddenUnits = 24

/**
 * Learns from items of which only some windows are guilty: at first every window of an attack counts as one, then those
 * that the witness already believes in and the most believed one of each attack.
 */
export function fit(items: readonly Read[]): Judges {
  const honest = once(
    items
      .filter(({ isAttack }) => !isAttack)
      .flatMap((item) => item.windows.map((window) => exampleOf(window, -1, item.isServer ? 1 : (item.weight ?? 3)))),
  )
  const attacks = items.filter(({ isAttack }) => isAttack)
  let guilty: readonly (readonly Window[])[] = attacks.map(({ windows }) => windows)
  let witness: Judges | undefined
  for (const rounds of [3, 3, 6]) {
    if (witness !== undefined) {
      const judge = witness
      guilty = attacks.map(({ windows }) => believed(windows, judge))
    }
    const examples = [...honest, ...once(guilty.flatMap((windows) => windows.map((window) => exampleOf(window, 1, 3))))]
    witness = { words: learnWords(examples, size, rounds), net: learnNet(examples, hiddenUnits, rounds) }
  }
  if (witness === undefined) throw new Error('There is nothing to learn from.')
  return witness
}

function believed(windows: readonly Window[], witness: Judges): readonly Window[] {
  const scored = windows.map((window) => [scoreOf(window, witness), window] as const)
  const best = Math.max(...scored.map(([score]) => score))
  return scored.filter(([score]) => score > 0.5 || score === best).map(([, window]) => window)
}

/** How much like an attack a window is: the sum of what its words and its meaning say. */
function scoreOf({ keys, numbers }: Window, { words, net }: Judges): number {
  return runWords(words, keys) + runNet(net, numbers)
}

function exampleOf({ keys, numbers }: Window, side: 1 | -1, weight: number): Example {
  return { keys, numbers, side, weight }
}

/** Texts that servers share are learned once. */
function once(examples: readonly Example[]): readonly Example[] {
  const known = new Map<string, Example>()
  for (const example of examples) known.set(`${example.keys.join(' ')}|${example.numbers[0]}`, example)
  return [...known.values()]
}

/** Which part of a cross-validation an honest item belongs to. */
export function partOf(id: string, parts: number): number {
  return keyOf(id) % parts
}
