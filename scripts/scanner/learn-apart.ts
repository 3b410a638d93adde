import { runNet, scaleOf } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { NetModel, WordsModel } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import type { Example } from './learn-together.ts'

/** Logistic regression over hashed features: AdaGrad over one example at a time, in an order that is shuffled the same way every time. */
export function learnWords(examples: readonly Example[], size: number, rounds: number): WordsModel {
  const weights = new Float64Array(size)
  const squares = new Float64Array(size).fill(1e-2)
  let bias = 0
  let biasSquare = 1e-2
  const random = randomOf(7)
  for (let round = 0; round < rounds; round += 1) {
    for (const index of shuffled(examples.length, random)) {
      const example = examples[index]
      if (example === undefined) continue
      const scale = scaleOf(example.keys.length)
      let sum = 0
      for (const key of example.keys) sum += weights[key] ?? 0
      const slope = slopeOf(example, sum * scale + bias)
      if (Math.abs(slope) < 1e-4) continue
      for (const key of example.keys) {
        const step = slope * scale - ridge * (weights[key] ?? 0)
        squares[key] = (squares[key] ?? 0) + step * step
        weights[key] = (weights[key] ?? 0) + (0.3 * step) / Math.sqrt(squares[key] ?? 1)
      }
      biasSquare += slope * slope
      bias += (0.3 * slope) / Math.sqrt(biasSquare)
    }
  }
  return { weights, scale: 1, bias }
}

const ridge = 2e-4

/** A net with one hidden layer over the numbers, learned the same way. */
export function learnNet(examples: readonly Example[], hidden: number, rounds: number): NetModel {
  const inputs = examples[0]?.numbers.length ?? 0
  const random = randomOf(11)
  const first = Float64Array.from({ length: hidden * (inputs + 1) }, () => (random() - 0.5) / 2)
  const second = Float64Array.from({ length: hidden + 1 }, () => (random() - 0.5) / 2)
  const firstSquares = new Float64Array(first.length).fill(1e-1)
  const secondSquares = new Float64Array(second.length).fill(1e-1)
  const units = new Float64Array(hidden)
  const rate = 0.08
  for (let round = 0; round < rounds; round += 1) {
    for (const index of shuffled(examples.length, random)) {
      const example = examples[index]
      if (example === undefined) continue
      const slope = slopeOf(example, runNet({ hidden, inputs, first, second }, example.numbers, units))
      if (Math.abs(slope) < 1e-4) continue
      for (let unit = 0; unit <= hidden; unit += 1) {
        const out = unit === hidden ? 1 : (units[unit] ?? 0)
        const before = second[unit] ?? 0
        move(second, secondSquares, unit, slope * out - netRidge * before, rate)
        if (unit === hidden) continue
        const inner = slope * before * (1 - out * out)
        const from = unit * (inputs + 1)
        for (let i = 0; i < inputs; i += 1) {
          move(
            first,
            firstSquares,
            from + i,
            inner * (example.numbers[i] ?? 0) - netRidge * (first[from + i] ?? 0),
            rate,
          )
        }
        move(first, firstSquares, from + inputs, inner, rate)
      }
    }
  }
  return { hidden, inputs, first, second }
}

const netRidge = 1e-4

function move(values: Float64Array, squares: Float64Array, at: number, step: number, rate: number): void {
  const square = (squares[at] ?? 0) + step * step
  squares[at] = square
  values[at] = (values[at] ?? 0) + (rate * step) / Math.sqrt(square)
}

function slopeOf({ side, weight }: Example, answer: number): number {
  return (weight * side) / (1 + Math.exp(side * answer))
}

/** Numbers from 0 to 1 that look like chance and are the same every time. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

function shuffled(count: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  for (let index = count - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    const one = order[index] ?? 0
    order[index] = order[other] ?? 0
    order[other] = one
  }
  return order
}
