import { keyBits } from '../../tools/agentic/mcp-security-scanner/witness/features.ts'
import { fewest, scaleOf } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { Table } from './table.ts'

/** What a judge weighs beside the numbers; it learns each apart. */
export type Sight = 'words' | 'pieces'

const size = 1 << keyBits
/** How much the weights are held back, and how much numbers count beside words. */
const freedom = 60
const numbersCount = 0.1
const remembered = 6

/** What was learned: a weight for each hashed feature, one for each number, and what is added. */
export type Learned = { readonly features: Float64Array; readonly numbers: Float64Array; readonly bias: number }

/**
 * Learns hashed features and the numbers together from some windows of a table, so that each adds what the other lacks,
 * and goes on where `former` ended: logistic regression by L-BFGS. Nothing in it is left to chance: the same windows
 * give the same weights.
 */
export function learned(table: Table, sight: Sight, chosen: Chosen): Learned {
  const { rows, mostSteps, former } = chosen
  const spread = spreadOf(table, rows)
  const start = new Float64Array(size + table.inputs + 1)
  if (former !== undefined) {
    start.set(former.features)
    start.set(
      former.numbers.map((weight, i) => weight / at(spread.scale, i)),
      size,
    )
    start[size + table.inputs] = former.bias + product(former.numbers, spread.mean)
  }
  const lossAt = lossOf({ table, sight, rows, spread })
  const weights = leastOf(lossAt, start, mostSteps)
  // The numbers come as they are when the witness judges, so what scaled them goes into their weights.
  const numbers = spread.scale.map((scale, i) => scale * at(weights, size + i))
  return {
    features: weights.slice(0, size),
    numbers,
    bias: at(weights, size + table.inputs) - product(numbers, spread.mean),
  }
}

export type Chosen = {
  readonly rows: Int32Array
  readonly mostSteps: number
  readonly former?: Learned
}

/** What a judge of one sight says of a window. */
export function answerOf(table: Table, sight: Sight, { features, numbers, bias }: Learned, row: number): number {
  const { ends, keys } = table[sight]
  const begin = row === 0 ? 0 : at(ends, row - 1)
  const end = at(ends, row)
  let sum = 0
  for (let i = begin; i < end; i += 1) sum += features[keys[i] ?? 0] ?? 0
  let answer = bias + sum * scaleOf(end - begin, fewest[sight])
  const first = row * table.inputs
  for (let i = 0; i < table.inputs; i += 1) answer += (numbers[i] ?? 0) * (table.numbers[first + i] ?? 0)
  return answer
}

type Lesson = {
  readonly table: Table
  readonly sight: Sight
  readonly rows: Int32Array
  readonly spread: Spread
}

/**
 * The loss at a point, and its slope, which is written into `slope`. This is where training spends its time, so arrays
 * are read here directly, each in a place of its own.
 */
function lossOf({ table, sight, rows, spread }: Lesson): (point: Float64Array, slope: Float64Array) => number {
  const { inputs, numbers, isAttack, counts } = table
  const { ends, keys } = table[sight]
  const { mean, scale } = spread
  const scales = Float64Array.from(rows, (row) =>
    scaleOf(at(ends, row) - (row === 0 ? 0 : at(ends, row - 1)), fewest[sight]),
  )
  const last = size + inputs
  return (point, slope) => {
    let loss = 0
    for (let i = 0; i < last; i += 1) {
      const value = point[i] ?? 0
      loss += (0.5 * value * value) / freedom
      slope[i] = value / freedom
    }
    // Numbers are read as they are; their mean and scale are in their weights and in what is added.
    const numberWeights = scale.map((one, i) => one * (point[size + i] ?? 0))
    const numberSlopes = new Float64Array(inputs)
    const bias = (point[last] ?? 0) - product(numberWeights, mean)
    let biasSlope = 0
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] ?? 0
      const begin = row === 0 ? 0 : (ends[row - 1] ?? 0)
      const end = ends[row] ?? 0
      const first = row * inputs
      const factor = scales[index] ?? 0
      const side = isAttack[row] === 1 ? 1 : -1
      const weight = counts[row] ?? 0
      let words = 0
      for (let i = begin; i < end; i += 1) words += point[keys[i] ?? 0] ?? 0
      let answer = words * factor + bias
      for (let i = 0; i < inputs; i += 1) answer += (numberWeights[i] ?? 0) * (numbers[first + i] ?? 0)
      const margin = side * answer
      loss += weight * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin)
      const push = (-weight * side) / (1 + Math.exp(margin))
      // What is judged well beyond doubt hardly moves anything.
      if (Math.abs(push) < 1e-4) continue
      const step = push * factor
      for (let i = begin; i < end; i += 1) {
        const key = keys[i] ?? 0
        slope[key] = (slope[key] ?? 0) + step
      }
      for (let i = 0; i < inputs; i += 1) numberSlopes[i] = (numberSlopes[i] ?? 0) + push * (numbers[first + i] ?? 0)
      biasSlope += push
    }
    for (let i = 0; i < inputs; i += 1) {
      const pushed = (numberSlopes[i] ?? 0) - (mean[i] ?? 0) * biasSlope
      slope[size + i] = (slope[size + i] ?? 0) + (scale[i] ?? 0) * pushed
    }
    slope[last] = biasSlope
    return loss
  }
}

type Step = { readonly moved: Float64Array; readonly turned: Float64Array; readonly curve: number }

/** Where a loss is least: L-BFGS, each step halved until it is downhill enough. */
function leastOf(
  lossAt: (point: Float64Array, slope: Float64Array) => number,
  start: Float64Array,
  mostSteps: number,
): Float64Array {
  const { length } = start
  let point = start
  let slope = new Float64Array(length)
  let loss = lossAt(point, slope)
  const steps: Step[] = []
  for (let round = 0; round < mostSteps; round += 1) {
    const way = wayDown(slope, steps)
    const steepness = product(slope, way)
    let next = point
    const nextSlope = new Float64Array(length)
    let nextLoss = loss
    for (let pace = 1; pace > 1e-6; pace /= 2) {
      next = Float64Array.from(point)
      addTo(next, way, -pace)
      nextLoss = lossAt(next, nextSlope)
      if (nextLoss <= loss - 1e-4 * pace * steepness) break
    }
    const moved = Float64Array.from(next)
    addTo(moved, point, -1)
    const turned = Float64Array.from(nextSlope)
    addTo(turned, slope, -1)
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
function spreadOf({ inputs, numbers }: Table, rows: Int32Array): Spread {
  const mean = new Float64Array(inputs)
  const squares = new Float64Array(inputs)
  for (const row of rows) {
    for (let i = 0; i < inputs; i += 1) mean[i] = at(mean, i) + at(numbers, row * inputs + i) / rows.length
  }
  for (const row of rows) {
    for (let i = 0; i < inputs; i += 1) {
      squares[i] = at(squares, i) + (at(numbers, row * inputs + i) - at(mean, i)) ** 2 / rows.length
    }
  }
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
