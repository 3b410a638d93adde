/**
 * The mean of vectors and the directions in which they differ most, by subspace iteration; the same for the same input.
 */
export type Axes = { readonly mean: Float64Array; readonly rows: readonly Float64Array[] }

/** Finds `count` directions in `vectors`, which stand one after the other with `size` numbers each. */
export function axesOf(vectors: Float32Array, size: number, count: number): Axes {
  const total = vectors.length / size
  const mean = new Float64Array(size)
  for (let row = 0; row < total; row += 1)
    for (let i = 0; i < size; i += 1) mean[i] = at(mean, i) + at(vectors, row * size + i) / total
  const covariance = new Float64Array(size * size)
  const centred = new Float64Array(size)
  for (let row = 0; row < total; row += 1) {
    for (let i = 0; i < size; i += 1) centred[i] = at(vectors, row * size + i) - at(mean, i)
    for (let i = 0; i < size; i += 1) {
      const value = at(centred, i)
      for (let k = i; k < size; k += 1) covariance[i * size + k] = at(covariance, i * size + k) + value * at(centred, k)
    }
  }
  for (let i = 0; i < size; i += 1)
    for (let k = 0; k < i; k += 1) covariance[i * size + k] = at(covariance, k * size + i)
  let rows: readonly Float64Array[] = Array.from({ length: count }, (_, row) =>
    Float64Array.from({ length: size }, (_unused, i) => Math.sin((row + 1) * (i + 1))),
  )
  for (let round = 0; round < 60; round += 1) rows = orthonormal(rows.map((row) => times(covariance, row, size)))
  return { mean, rows }
}

/** The place of one vector along the axes, with length 1. */
export function along(axes: Axes, vectors: Float32Array, offset: number): Float64Array {
  const place = Float64Array.from(axes.rows, (row) => {
    let sum = 0
    for (let i = 0; i < row.length; i += 1) sum += at(row, i) * (at(vectors, offset + i) - at(axes.mean, i))
    return sum
  })
  const length = Math.sqrt(place.reduce((sum, value) => sum + value * value, 0)) || 1
  return place.map((value) => value / length)
}

function times(matrix: Float64Array, vector: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size)
  for (let i = 0; i < size; i += 1) {
    let sum = 0
    for (let k = 0; k < size; k += 1) sum += at(matrix, i * size + k) * at(vector, k)
    product[i] = sum
  }
  return product
}

/** Gram and Schmidt's way, in the order of the rows. */
function orthonormal(rows: readonly Float64Array[]): readonly Float64Array[] {
  const done: Float64Array[] = []
  for (const row of rows) {
    const left = Float64Array.from(row)
    for (const before of done) {
      const shared = left.reduce((sum, value, i) => sum + value * at(before, i), 0)
      for (let i = 0; i < left.length; i += 1) left[i] = at(left, i) - shared * at(before, i)
    }
    const length = Math.sqrt(left.reduce((sum, value) => sum + value * value, 0)) || 1
    done.push(left.map((value) => value / length))
  }
  return done
}

function at(values: Float32Array | Float64Array, index: number): number {
  return values[index] ?? 0
}
