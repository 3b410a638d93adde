import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import facts from './table.json' with { type: 'json' }

/** Rows by key: a scale and a byte for each dimension. Keys ascend, so that a row is found by halving. */
export type Table = {
  readonly dimensions: number
  readonly keys: Uint32Array
  readonly scales: Float32Array
  readonly values: Int8Array
}

/** The file does not hold what `table.json` says it holds. */
class DamagedTableError extends Error {}

const head = 8

/**
 * Reads the table of meaning, which lies beside this file and beside the bundle.
 * @throws when it is not the file that was trained.
 */
export function readTable(): Table {
  const bytes = readFileSync(new URL('./meaning.bin', import.meta.url))
  if (createHash('sha256').update(bytes).digest('hex') !== facts.sha256) {
    throw new DamagedTableError('src/meaning/meaning.bin is not the file that table.json describes.')
  }
  // A copy of its own is aligned as the typed arrays need it.
  const own = Uint8Array.from(bytes).buffer
  const [count = 0, dimensions = 0] = new Uint32Array(own, 0, 2)
  return {
    dimensions,
    keys: new Uint32Array(own, head, count),
    scales: new Float32Array(own, head + count * 4, count),
    values: new Int8Array(own, head + count * 8, count * dimensions),
  }
}

/** Writes rows as `readTable` reads them. */
export function bytesOf(keys: readonly number[], vectors: Float64Array, dimensions: number): Uint8Array {
  const order = keys.map((_, row) => row).toSorted((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0))
  const bytes = new Uint8Array(head + keys.length * (8 + dimensions))
  new Uint32Array(bytes.buffer, 0, 2).set([keys.length, dimensions])
  const ascending = new Uint32Array(bytes.buffer, head, keys.length)
  const scales = new Float32Array(bytes.buffer, head + keys.length * 4, keys.length)
  const values = new Int8Array(bytes.buffer, head + keys.length * 8, keys.length * dimensions)
  for (const [place, row] of order.entries()) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions)
    const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9) / 127
    ascending[place] = keys[row] ?? 0
    scales[place] = scale
    values.set(
      vector.map((value) => Math.round(value / Math.fround(scale))),
      place * dimensions,
    )
  }
  return bytes
}
