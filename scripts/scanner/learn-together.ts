import { keyBits } from '../../tools/agentic/mcp-security-scanner/witness/features.ts'
import { scaleOf } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { WholeJudge } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'

/** Rows to learn from: features by hash, numbers, and which side a row is on, 1 or -1. */
export type Example = {
  readonly keys: readonly number[]
  readonly numbers: Float32Array
  readonly side: 1 | -1
  readonly weight: number
}

const size = 1 << keyBits
/** How much the weights are held back, and how much numbers count beside words. */
const freedom = 60
const numbersCount = 0.2
const remembered = 6

/**
 * Learns both halves of the witness together, so that each adds what the other lacks: logistic regression over hashed
 * words and over the numbers, by L-BFGS. Nothing in it is left to chance: the same examples give the same weights.
 */
export function learned(
  examples: readonly Example[],
  mostSteps: number,
  start?: Float64Array,
): { readonly judge: WholeJudge; readonly weights: Float64Array } {
  const inputs = examples[0]?.numbers.length ?? 0
  const spread = spreadOf(examples, inputs)
  const scaled = examples.map((example) => ({
    ...example,
    scale: scaleOf(example.keys.length),
    numbers: example.numbers.map((value, i) => (value - at(spread.mean, i)) * at(spread.scale, i)),
  }))
  const from = start ?? new Float64Array(size + inputs + 1)
  const weights = leastOf((point, slope) => lossOf(scaled, point, slope), from, mostSteps)
  // The numbers come as they are when the witness judges, so what scaled them goes into their weights.
  const meaning = Float64Array.from({ length: inputs }, (_, i) => at(weights, size + i) * at(spread.scale, i))
  const shift = meaning.reduce((sum, weight, i) => sum + weight * at(spread.mean, i), 0)
  return {
    judge: {
      words: { weights: weights.subarray(0, size), scale: 1, bias: 0 },
      meaning: { weights: meaning, bias: at(weights, size + inputs) - shift },
    },
    weights,
  }
}

type Scaled = Example & { readonly scale: number }

/** The loss at a point, and its slope, which is written into `slope`. */
function lossOf(examples: readonly Scaled[], point: Float64Array, slope: Float64Array): number {
  const last = point.length - 1
  let loss = 0
  for (let i = 0; i < last; i += 1) {
    const value = at(point, i)
    loss += (0.5 * value * value) / freedom
    slope[i] = value / freedom
  }
  slope[last] = 0
  for (const { keys, numbers, side, weight, scale } of examples) {
    let words = 0
    for (const key of keys) words += at(point, key)
    let answer = words * scale + at(point, last)
    for (let i = 0; i < numbers.length; i += 1) answer += at(point, size + i) * at(numbers, i)
    const margin = side * answer
    loss += weight * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin)
    const push = (-weight * side) / (1 + Math.exp(margin))
    if (Math.abs(push) < 1e-7) continue
    for (const key of keys) slope[key] = at(slope, key) + push * scale
    for (let i = 0; i < numbers.length; i += 1) slope[size + i] = at(slope, size + i) + push * at(numbers, i)
    slope[last] = at(slope, last) + push
  }
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

/** The mean of each number and what it is scaled by, so that all vary alike. */
function spreadOf(examples: readonly Example[], inputs: number) {
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
  for (let i = 0; i < a.length; i += 1) sum += at(a, i) * at(b, i)
  return sum
}

function addTo(sum: Float64Array, values: Float64Array, share: number): void {
  for (let i = 0; i < sum.length; i += 1) sum[i] = at(sum, i) + share * at(values, i)
}

function at(values: { readonly [index: number]: number }, index: number): number {
  return values[index] ?? 0
}
