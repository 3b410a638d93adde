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

/** Weighs meaning and context, each number by itself. */
export type MeaningModel = { readonly weights: Numbers; readonly bias: number }

/** Judges one and two sentences; its halves learned apart. */
export type CloseJudge = { readonly words: WordsModel; readonly net: NetModel }

/** Judges all that is said of a tool; its halves learned together. */
export type WholeJudge = { readonly words: WordsModel; readonly meaning: MeaningModel }

/** The two judges that the second witness is made of. */
export type Judges = { readonly close: CloseJudge; readonly whole: WholeJudge }

/** How the two judges are joined, and from which score on a text is how suspicious, by honest texts they had not seen. */
export type Thresholds = {
  /** Enough to let a rule's finding stand. */
  readonly weak: number
  readonly medium: number
  /** High where the rules speak against the tool too: a finding of theirs, or signals that add up to so much. */
  readonly seconded: { readonly score: number; readonly signals: number }
  /** High without any support. */
  readonly alone: number
  /** What the whole judge's score counts beside the close judge's. */
  readonly wholeShare: number
  /** What is taken off for each time that a manifest is e times as long: in many sentences one sounds odd by chance. */
  readonly toll: { readonly close: number; readonly whole: number }
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

/** What meaning and context say where each number has a weight of its own. */
export function runMeaning({ weights, bias }: MeaningModel, numbers: Numbers): number {
  let sum = bias
  for (let i = 0; i < weights.length; i += 1) sum += (weights[i] ?? 0) * (numbers[i] ?? 0)
  return sum
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
  const { close, whole, thresholds } = facts
  const firstLength = close.hidden * (close.inputs + 1)
  const second = size * 2 + firstLength * 4
  const meaning = second + (close.hidden + 1) * 4
  return {
    close: {
      words: { weights: new Int8Array(own, 0, size), scale: close.scale, bias: close.bias },
      net: {
        hidden: close.hidden,
        inputs: close.inputs,
        first: new Float32Array(own, size * 2, firstLength),
        second: new Float32Array(own, second, close.hidden + 1),
      },
    },
    whole: {
      words: { weights: new Int8Array(own, size, size), scale: whole.scale, bias: 0 },
      meaning: { weights: new Float32Array(own, meaning, whole.inputs), bias: whole.bias },
    },
    thresholds,
  }
}
