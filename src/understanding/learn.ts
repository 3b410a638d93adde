import type { Judgement } from './classifier.ts'
import { featureCount, type Features } from './features.ts'

/** A text as it is learned from: what it shows, and the labels that are right for it, by their number. */
export type Lesson = { readonly features: Features; readonly labels: ReadonlySet<number> }

type Pace = { readonly rounds: number; readonly rate: number; readonly seed?: number }

/** Numbers that look like chance and are the same every time. */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Learns one logistic regression a label (Adagrad, in an order that is always the same); rows are features. */
export function learn(lessons: readonly Lesson[], labelCount: number, { rounds, rate, seed = 7 }: Pace): Float32Array {
  const weights = new Float32Array((featureCount + 1) * labelCount)
  const squares = new Float32Array(weights.length).fill(1e-3)
  const random = chance(seed)
  const order = lessons.map(({ features, labels }) => ({
    pairs: [...features, [featureCount, 1] as const],
    wanted: Float64Array.from({ length: labelCount }, (_, label) => (labels.has(label) ? 1 : 0)),
  }))
  const errors = new Float64Array(labelCount)
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random)
    for (const { pairs, wanted } of order) {
      // Row by row, because the labels of a feature lie side by side in memory.
      errors.fill(0)
      for (const [feature, strength] of pairs) {
        const row = feature * labelCount
        for (let label = 0; label < labelCount; label += 1) {
          errors[label] = (errors[label] ?? 0) + (weights[row + label] ?? 0) * strength
        }
      }
      for (let label = 0; label < labelCount; label += 1) {
        const error = 1 / (1 + Math.exp(-(errors[label] ?? 0))) - (wanted[label] ?? 0)
        errors[label] = Math.abs(error) < 1e-3 ? 0 : error
      }
      for (const [feature, strength] of pairs) {
        const row = feature * labelCount
        for (let label = 0; label < labelCount; label += 1) {
          const error = errors[label] ?? 0
          if (error === 0) continue
          const slope = error * strength
          const square = (squares[row + label] ?? 0) + slope * slope
          squares[row + label] = square
          weights[row + label] = (weights[row + label] ?? 0) - (rate * slope) / Math.sqrt(square)
        }
      }
    }
  }
  return weights
}

/** One tool for one sentence: what speaks for it, whether it was meant, and how much the row counts. */
export type Row = { readonly values: readonly number[]; readonly isRight: boolean; readonly weight: number }

const hiddenUnits = 12
const batch = 512
const rounds = 40

/** Learns how evidence is weighed (Adam, in an order that is always the same). */
export function learnJudgement(rows: readonly Row[], seed = 11): Judgement {
  const size = rows[0]?.values.length ?? 0
  const random = chance(seed)
  // One row of parameters: the direct weights, then each hidden unit's, then what each unit counts.
  const parameters = Float64Array.from({ length: size * (hiddenUnits + 1) + hiddenUnits }, (_, at) =>
    at < size ? 0 : (random() - 0.5) * 0.6,
  )
  const [first, second] = [new Float64Array(parameters.length), new Float64Array(parameters.length)]
  const order = [...rows]
  let step = 0
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random)
    const rate = 0.01 * (1 - (0.9 * round) / rounds)
    for (let start = 0; start < order.length; start += batch) {
      const slopes = slopesOf(order.slice(start, start + batch), parameters, size)
      step += 1
      for (const [at, slope] of slopes.entries()) {
        first[at] = 0.9 * (first[at] ?? 0) + 0.1 * slope
        second[at] = 0.999 * (second[at] ?? 0) + 0.001 * slope * slope
        const [mean, spread] = [(first[at] ?? 0) / (1 - 0.9 ** step), (second[at] ?? 0) / (1 - 0.999 ** step)]
        parameters[at] = (parameters[at] ?? 0) - (rate * mean) / (Math.sqrt(spread) + 1e-8)
      }
    }
  }
  const rounded = Array.from(parameters, (weight) => Math.round(weight * 1e4) / 1e4)
  const end = size * (hiddenUnits + 1)
  return {
    direct: rounded.slice(0, size),
    hidden: Array.from({ length: hiddenUnits }, (_, unit) => rounded.slice(size * (unit + 1), size * (unit + 2))),
    out: rounded.slice(end),
  }
}

function slopesOf(rows: readonly Row[], parameters: Float64Array, size: number): Float64Array {
  const slopes = parameters.map((weight) => 1e-4 * weight)
  const end = size * (hiddenUnits + 1)
  const units = new Float64Array(hiddenUnits)
  for (const { values, isRight, weight } of rows) {
    let odds = 0
    for (let at = 0; at < size; at += 1) odds += (values[at] ?? 0) * (parameters[at] ?? 0)
    for (let unit = 0; unit < hiddenUnits; unit += 1) {
      let sum = 0
      const from = size * (unit + 1)
      for (let at = 0; at < size; at += 1) sum += (values[at] ?? 0) * (parameters[from + at] ?? 0)
      units[unit] = Math.tanh(sum)
      odds += (units[unit] ?? 0) * (parameters[end + unit] ?? 0)
    }
    const error = ((1 / (1 + Math.exp(-odds)) - (isRight ? 1 : 0)) * weight) / rows.length
    for (let at = 0; at < size; at += 1) slopes[at] = (slopes[at] ?? 0) + error * (values[at] ?? 0)
    for (let unit = 0; unit < hiddenUnits; unit += 1) {
      const height = units[unit] ?? 0
      const back = error * (parameters[end + unit] ?? 0) * (1 - height * height)
      slopes[end + unit] = (slopes[end + unit] ?? 0) + error * height
      const from = size * (unit + 1)
      for (let at = 0; at < size; at += 1) slopes[from + at] = (slopes[from + at] ?? 0) + back * (values[at] ?? 0)
    }
  }
  return slopes
}

function shuffle(items: unknown[], random: () => number): void {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    const [a, b] = [items[index], items[other]]
    if (a === undefined || b === undefined) continue
    items[index] = b
    items[other] = a
  }
}
