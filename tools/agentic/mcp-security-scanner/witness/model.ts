import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { keyBits } from './features.ts'
import facts from './scanner-witness.json' with { type: 'json' }

type Numbers = { readonly [index: number]: number; readonly length: number }

/** Weighs words, pairs and triples of words, and signals. */
export type WordsModel = { readonly weights: Numbers; readonly scale: number; readonly bias: number }

/** Weighs meaning and context: one layer of hidden units between the numbers and the answer. */
export type NetModel = {
  readonly hidden: number
  readonly inputs: number
  /** By unit: the weights of the inputs and then the unit's own bias. */
  readonly first: Numbers
  /** The weights of the units and then the bias. */
  readonly second: Numbers
}

/** The two halves of the second witness. */
export type Judges = { readonly words: WordsModel; readonly net: NetModel }

/** From which score on a text counts as how suspicious, by honest servers that the witness had not seen. */
export type Thresholds = {
  /** Enough to let a rule's finding stand. */
  readonly weak: number
  readonly medium: number
  readonly high: number
  /** What each half must say by itself to count as a witness of its own. */
  readonly wordsAlone: number
  readonly netAlone: number
  /** What is taken off for each time that a manifest is e times as long: in many sentences one sounds odd by chance. */
  readonly toll: number
}

export type WitnessModel = Judges & { readonly thresholds: Thresholds }

/** How a sum over features is scaled: a long window is not louder than a short one. */
export function scaleOf(count: number): number {
  return 1 / Math.sqrt(Math.max(count, 25))
}

/** What the words say. */
export function runWords({ weights, scale, bias }: WordsModel, keys: readonly number[]): number {
  let sum = 0
  for (const key of keys) sum += weights[key] ?? 0
  return sum * scale * scaleOf(keys.length) + bias
}

/** What meaning and context say; `units` is where the hidden layer is left. */
export function runNet(net: NetModel, numbers: Numbers, units = new Float64Array(net.hidden)): number {
  let answer = net.second[net.hidden] ?? 0
  for (let unit = 0; unit < net.hidden; unit += 1) {
    const from = unit * (net.inputs + 1)
    let sum = net.first[from + net.inputs] ?? 0
    for (let i = 0; i < net.inputs; i += 1) sum += (net.first[from + i] ?? 0) * (numbers[i] ?? 0)
    const out = Math.tanh(sum)
    units[unit] = out
    answer += out * (net.second[unit] ?? 0)
  }
  return answer
}

let model: WitnessModel | undefined

/**
 * The trained witness, read once.
 * @throws when its file is not the one that was trained.
 */
export function witnessModel(): WitnessModel {
  model ??= readModel()
  return model
}

function readModel(): WitnessModel {
  const bytes = readFileSync(new URL('./scanner-witness.bin', import.meta.url))
  if (createHash('sha256').update(bytes).digest('hex') !== facts.sha256) {
    throw new Error('scanner-witness.bin is not the file that scanner-witness.json describes.')
  }
  // A copy of its own is aligned as the typed arrays need it.
  const own = Uint8Array.from(bytes).buffer
  const size = 1 << keyBits
  const { hidden, inputs } = facts
  const firstLength = hidden * (inputs + 1)
  return {
    words: { weights: new Int8Array(own, 0, size), scale: facts.scale, bias: facts.bias },
    net: {
      hidden,
      inputs,
      first: new Float32Array(own, size, firstLength),
      second: new Float32Array(own, size + firstLength * 4, hidden + 1),
    },
    thresholds: facts.thresholds,
  }
}
