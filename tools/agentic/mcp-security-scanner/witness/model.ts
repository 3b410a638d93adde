import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { keyBits } from './features.ts'
import facts from './scanner-witness.json' with { type: 'json' }

type Numbers = { readonly [index: number]: number; readonly length: number }

/** Weighs words, pairs and triples of words, and signals. */
export type WordsModel = { readonly weights: Numbers; readonly scale: number }

/** Weighs meaning and context, each number by itself. */
export type MeaningModel = { readonly weights: Numbers; readonly bias: number }

/** Words and numbers, weighed together; its halves learned together. */
export type LinearJudge = { readonly words: WordsModel; readonly meaning: MeaningModel }

/**
 * The two that the second witness is made of: one judges one and two sentences, the other all that is said of a tool.
 */
export type Judges = { readonly close: LinearJudge; readonly whole: LinearJudge }

/**
 * How the two judges are joined, and from which score on a text is how suspicious, by honest texts they had not seen.
 */
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
  /** What is added where a tool that the manifest does not have is named. */
  readonly otherTool: number
}

export type WitnessModel = Judges & { readonly thresholds: Thresholds }

/** How a sum over features is scaled: a long window is not louder than a short one. */
export function scaleOf(count: number): number {
  return 1 / Math.sqrt(Math.max(count, 25))
}

/** What a judge says of a window: above 0 is more like an attack than not. */
export function runJudge({ words, meaning }: LinearJudge, keys: readonly number[], numbers: Numbers): number {
  let sum = 0
  for (const key of keys) sum += words.weights[key] ?? 0
  let answer = sum * words.scale * scaleOf(keys.length) + meaning.bias
  for (let i = 0; i < meaning.weights.length; i += 1) answer += (meaning.weights[i] ?? 0) * (numbers[i] ?? 0)
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
  const { close, whole, thresholds } = facts
  const judgeOf = ({ scale, bias, inputs }: typeof close, words: number, numbers: number): LinearJudge => ({
    words: { weights: new Int8Array(own, words, size), scale },
    meaning: { weights: new Float32Array(own, numbers, inputs), bias },
  })
  return {
    close: judgeOf(close, 0, size * 2),
    whole: judgeOf(whole, size, size * 2 + close.inputs * 4),
    thresholds,
  }
}
