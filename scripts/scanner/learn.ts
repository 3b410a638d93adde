import { keyBits } from '../../tools/agentic/mcp-security-scanner/witness/features.ts'
import { scaleOf } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { MeaningModel, WordsModel } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'

/** Rows to learn from: features by hash, numbers, and which side a row is on, 1 or -1. */
export type Example = {
  readonly keys: readonly number[] | Int32Array
  readonly numbers: Float32Array
  readonly side: 1 | -1
  readonly weight: number
}

const size = 1 << keyBits
/** How much the weights are held back, and how much numbers count beside words. */
const freedom = 60
const numbersCount = 0.1
const remembered = 6

/** What was learned of hashed features and of the numbers beside them. */
export type Learned = { readonly features: WordsModel; readonly meaning: MeaningModel; readonly weights: Float64Array }

/**
 * Learns hashed features and the numbers together, so that each adds what the other lacks: logistic regression by
 * L-BFGS. Nothing in it is left to chance: the same examples give the same weights. `least` is how many features a
 * window counts for at least.
 */
export function learned(examples: readonly Example[], least: number, mostSteps: number, start?: Float64Array): Learned {
  const inputs = examples[0]?.numbers.length ?? 0
  const spread = spreadOf(examples, inputs)
  const rows = rowsOf(examples, spread, least)
  const from = start ?? new Float64Array(size + inputs + 1)
  const weights = leastOf((point, slope) => lossOf(rows, point, slope), from, mostSteps)
  // The numbers come as they are when the witness judges, so what scaled them goes into their weights.
  const meaning = Float64Array.from({ length: inputs }, (_, i) => at(weights, size + i) * at(spread.scale, i))
  const shift = meaning.reduce((sum, weight, i) => sum + weight * at(spread.mean, i), 0)
  return {
    features: { weights: weights.subarray(0, size), scale: 1 },
    meaning: { weights: meaning, bias: at(weights, size + inputs) - shift },
    weights,
  }
}

/** Examples one behind the other, since every step reads all of them. */
type Rows = {
  readonly inputs: number
  /** Where each example's keys begin; the last entry is where they end. */
  readonly from: Int32Array
  readonly keys: Int32Array
  readonly numbers: Float32Array
  readonly sides: Int8Array
  readonly weights: Float64Array
  readonly scales: Float64Array
}

function rowsOf(examples: readonly Example[], spread: Spread, least: number): Rows {
  const inputs = spread.mean.length
  const from = new Int32Array(examples.length + 1)
  for (const [index, { keys }] of examples.entries()) from[index + 1] = at(from, index) + keys.length
  const keys = new Int32Array(at(from, examples.length))
  const numbers = new Float32Array(examples.length * inputs)
  for (const [index, example] of examples.entries()) {
    keys.set(example.keys, from[index])
    for (let i = 0; i < inputs; i += 1) {
      numbers[index * inputs + i] = (at(example.numbers, i) - at(spread.mean, i)) * at(spread.scale, i)
    }
  }
  return {
    inputs,
    from,
    keys,
    numbers,
    sides: Int8Array.from(examples, ({ side }) => side),
    weights: Float64Array.from(examples, ({ weight }) => weight),
    scales: Float64Array.from(examples, (example) => scaleOf(example.keys.length, least)),
  }
}

/**
 * The loss at a point, and its slope, which is written into `slope`. This is where training spends its time, so arrays
 * are read here directly, each in a place of its own.
 */
function lossOf(rows: Rows, point: Float64Array, slope: Float64Array): number {
  const { inputs, from, keys, numbers, sides, weights, scales } = rows
  const last = point.length - 1
  let loss = 0
  for (let i = 0; i < last; i += 1) {
    const value = point[i] ?? 0
    loss += (0.5 * value * value) / freedom
    slope[i] = value / freedom
  }
  const numberWeights = point.subarray(size, last)
  const numberSlopes = new Float64Array(inputs)
  const bias = point[last] ?? 0
  let biasSlope = 0
  for (let row = 0; row < sides.length; row += 1) {
    const begin = from[row] ?? 0
    const end = from[row + 1] ?? 0
    const first = row * inputs
    const scale = scales[row] ?? 0
    const side = sides[row] ?? 0
    const weight = weights[row] ?? 0
    let words = 0
    for (let i = begin; i < end; i += 1) words += point[keys[i] ?? 0] ?? 0
    let answer = words * scale + bias
    for (let i = 0; i < inputs; i += 1) answer += (numberWeights[i] ?? 0) * (numbers[first + i] ?? 0)
    const margin = side * answer
    loss += weight * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin)
    const push = (-weight * side) / (1 + Math.exp(margin))
    // What is judged well beyond doubt hardly moves anything.
    if (Math.abs(push) < 1e-4) continue
    const step = push * scale
    for (let i = begin; i < end; i += 1) {
      const key = keys[i] ?? 0
      slope[key] = (slope[key] ?? 0) + step
    }
    for (let i = 0; i < inputs; i += 1) numberSlopes[i] = (numberSlopes[i] ?? 0) + push * (numbers[first + i] ?? 0)
    biasSlope += push
  }
  for (let i = 0; i < inputs; i += 1) slope[size + i] = (slope[size + i] ?? 0) + (numberSlopes[i] ?? 0)
  slope[last] = biasSlope
  return loss
}

type Step = { readonly moved: Float64Array; readonly turned: Float64Array; readonly curve: number }

/** Where a loss is least: L-BFGS, each step halved until it is downhill enough. */
function leastOf(
  lossAt: (point: Float64Array, slope: Float64Array) => number,
  start: Float64Array,
  mostSteps: number,
): Float64Array {
  const { length } = start
  let point = Float64Array.from(start)
  let slope = new Float64Array(length)
  let loss = lossAt(point, slope)
  const steps: Step[] = []
  for (let round = 0; round < mostSteps; round += 1) {
    const way = wayDown(slope, steps)
    const steepness = product(slope, way)
    let [next, nextSlope, nextLoss] = [point, slope, loss]
    for (let pace = 1; pace > 1e-6; pace /= 2) {
      next = point.map((value, i) => value - pace * at(way, i))
      nextSlope = new Float64Array(length)
      nextLoss = lossAt(next, nextSlope)
      if (nextLoss <= loss - 1e-4 * pace * steepness) break
    }
    const moved = next.map((value, i) => value - at(point, i))
    const turned = nextSlope.map((value, i) => value - at(slope, i))
    const curve = product(moved, turned)
    if (curve > 1e-10) steps.push({ moved, turned, curve })
    if (steps.length > remembered) steps.shift()
    const gained = loss - nextLoss
    ;[point, slope, loss] = [next, nextSlope, nextLoss]
    if (gained < 1e-4 * Math.abs(loss)) break
  }
  return point
}

/** The direction of the next step, by what the last steps said of the loss's shape. */
function wayDown(slope: Float64Array, steps: readonly Step[]): Float64Array {
  const way = Float64Array.from(slope)
  const shares = steps.toReversed().map(({ moved, turned, curve }) => {
    const share = product(moved, way) / curve
    addTo(way, turned, -share)
    return share
  })
  const last = steps.at(-1)
  const length =
    last === undefined ? 1 / Math.sqrt(product(slope, slope)) : last.curve / product(last.turned, last.turned)
  for (let i = 0; i < way.length; i += 1) way[i] = at(way, i) * length
  for (const [index, { moved, turned, curve }] of steps.entries()) {
    addTo(way, moved, at(shares, steps.length - 1 - index) - product(turned, way) / curve)
  }
  return way
}

type Spread = { readonly mean: Float64Array; readonly scale: Float64Array }

/** The mean of each number and what it is scaled by, so that all vary alike. */
function spreadOf(examples: readonly Example[], inputs: number): Spread {
  const mean = new Float64Array(inputs)
  const squares = new Float64Array(inputs)
  for (const { numbers } of examples)
    for (let i = 0; i < inputs; i += 1) mean[i] = at(mean, i) + at(numbers, i) / examples.length
  for (const { numbers } of examples)
    for (let i = 0; i < inputs; i += 1)
      squares[i] = at(squares, i) + (at(numbers, i) - at(mean, i)) ** 2 / examples.length
  return { mean, scale: squares.map((value) => numbersCount / Math.max(1e-6, Math.sqrt(value))) }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

function addTo(sum: Float64Array, values: Float64Array, share: number): void {
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) + share * (values[i] ?? 0)
}

function at(values: { readonly [index: number]: number }, index: number): number {
  return values[index] ?? 0
}
