/** One thing to learn from: the rows that its text adds up, and the place where the sum should point. */
export type Lesson = { readonly rows: Uint32Array; readonly place: Float64Array }

export type Fit = {
  /** Vectors of all rows, one after the other. */
  readonly vectors: Float64Array
  readonly dimensions: number
}

export type Settings = { readonly rounds: number; readonly rate: number; readonly hold: number }

/**
 * Moves rows so that the sum of a text's rows points where the encoder put the text. `anchors` is where a row stays
 * when little is said about it. Plain AdaGrad over one lesson at a time, in the order given: the same rows every time.
 */
export function fitted(start: Fit, anchors: Float64Array, lessons: readonly Lesson[], settings: Settings): Fit {
  const { dimensions } = start
  const vectors = Float64Array.from(start.vectors)
  const squares = new Float64Array(vectors.length / dimensions).fill(1e-3)
  const sum = new Float64Array(dimensions)
  const step = new Float64Array(dimensions)
  for (let round = 0; round < settings.rounds; round += 1) {
    const rate = settings.rate * (1 - round / settings.rounds)
    for (const { rows, place } of lessons) {
      if (rows.length === 0) continue
      total(vectors, rows, dimensions, sum)
      const length = lengthOf(sum)
      let cosine = 0
      for (let i = 0; i < dimensions; i += 1) cosine += (at(sum, i) / length) * at(place, i)
      let size = 0
      for (let i = 0; i < dimensions; i += 1) {
        const slope = (at(place, i) - (cosine * at(sum, i)) / length) / length
        step[i] = slope
        size += slope * slope
      }
      for (const row of rows) {
        const from = row * dimensions
        squares[row] = at(squares, row) + size
        const pace = rate / Math.sqrt(at(squares, row))
        for (let i = 0; i < dimensions; i += 1) {
          const now = at(vectors, from + i)
          vectors[from + i] = now + pace * (at(step, i) - settings.hold * (now - at(anchors, from + i)))
        }
      }
    }
  }
  return { vectors, dimensions }
}

/** Mean cosine between where texts should point and where their rows point. */
export function agreement({ vectors, dimensions }: Fit, lessons: readonly Lesson[]): number {
  const sum = new Float64Array(dimensions)
  let cosines = 0
  for (const { rows, place } of lessons) {
    total(vectors, rows, dimensions, sum)
    const length = lengthOf(sum)
    for (let i = 0; i < dimensions; i += 1) cosines += (at(sum, i) / length) * at(place, i)
  }
  return cosines / lessons.length
}

function total(vectors: Float64Array, rows: Uint32Array, dimensions: number, sum: Float64Array): void {
  sum.fill(0)
  for (const row of rows) {
    const from = row * dimensions
    for (let i = 0; i < dimensions; i += 1) sum[i] = at(sum, i) + at(vectors, from + i)
  }
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0
}

function lengthOf(values: Float64Array): number {
  let squares = 0
  for (const value of values) squares += value * value
  return Math.sqrt(squares) || 1
}
