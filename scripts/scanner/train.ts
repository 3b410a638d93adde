/**
 * Trains the second witness of mcp-security-scanner and writes its file.
 *
 *     TOLLGATE_SCANNER_CORPUS=<folder> npm run scanner:train [-- --only-judge]
 *
 * It learns from the labelled corpus in that folder (`dev.jsonl`), which is not part of this project, and from what is:
 * the grammar (`grammar.json`), texts by many hands (`texts/`, a folder a writer), and the examples of the rules. More
 * texts can stand in the folder that `TOLLGATE_SCANNER_TEXTS` names. Thresholds come from honest servers that the
 * witness had not seen when it judged them, and the command prints what it says of hands and source families that it
 * had not seen. The same inputs give the same bytes.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { keyBits } from '../../tools/agentic/mcp-security-scanner/witness/features.ts'
import type { Judges, WitnessModel } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import { fit } from './fit.ts'
import { allWritten, publishedItems, read } from './records.ts'
import type { Read } from './records.ts'
import { ownItems, validated } from './validate.ts'

const corpus = needed('TOLLGATE_SCANNER_CORPUS')
const published = publishedItems(corpus)
const items = read([...published, ...allWritten(), ...ownItems(published)])
const { said, thresholds, unseenBy } = validated(items)
report()
if (!process.argv.includes('--only-judge')) write(fit(items))

function needed(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} must name a folder; see scripts/scanner/train.ts.`)
  return value
}

/** What the witness alone says of writers and families that it had not seen, by thresholds they had no part in. */
function report(): void {
  console.log('| Unseen | Attacks | medium | sure | Honest | medium | sure |\n|---|---|---|---|---|---|---|')
  const groups = new Set(items.filter(({ group }) => group !== 'own').map(({ group }) => group))
  for (const group of groups) {
    const cells = [true, false].flatMap((isAttack) => {
      const some = items.filter((item) => item.group === group && item.isAttack === isAttack)
      return [String(some.length), share(some, 'medium'), share(some, 'sure')]
    })
    console.log(`| ${group} | ${cells.join(' | ')} |`)
  }
}

function share(some: readonly Read[], level: 'medium' | 'sure'): string {
  const above = some.filter((item) => {
    const { medium, seconded } = unseenBy(item)?.thresholds ?? thresholds
    return (said.get(item.id) ?? -99) > (level === 'medium' ? medium : seconded.score)
  })
  return some.length === 0 ? '-' : `${((100 * above.length) / some.length).toFixed(1)} %`
}

function write({ close, whole }: Judges): void {
  const words = { close: inBytes(close.words), whole: inBytes(whole.words) }
  const floats = Float32Array.from([...numbersIn(close.meaning.weights), ...numbersIn(whole.meaning.weights)])
  const bytes = Buffer.concat([words.close.bytes, words.whole.bytes, new Uint8Array(floats.buffer)])
  const facts = {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    close: { scale: words.close.scale, bias: close.meaning.bias, inputs: close.meaning.weights.length },
    whole: { scale: words.whole.scale, bias: whole.meaning.bias, inputs: whole.meaning.weights.length },
    thresholds,
    learned: {
      attacks: items.filter(({ isAttack }) => isAttack).length,
      honest: items.filter(({ isAttack }) => !isAttack).length,
      servers: items.filter(({ isServer }) => isServer).length,
    },
  }
  const folder = fileURLToPath(new URL('../../tools/agentic/mcp-security-scanner/witness/', import.meta.url))
  writeFileSync(join(folder, 'scanner-witness.bin'), bytes)
  writeFileSync(join(folder, 'scanner-witness.json'), `${JSON.stringify(facts, null, 2)}\n`)
  console.error(JSON.stringify(facts))
}

/** Weights as bytes, and what a byte is worth. */
function inBytes({ weights }: WitnessModel['close']['words']): { readonly bytes: Uint8Array; readonly scale: number } {
  const all = Array.from({ length: 1 << keyBits }, (_, key) => weights[key] ?? 0)
  const most = all.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 1e-9)
  const scale = Math.fround(most / 127)
  return { bytes: new Uint8Array(Int8Array.from(all, (weight) => Math.round(weight / scale)).buffer), scale }
}

function numbersIn(values: { readonly [index: number]: number; readonly length: number }): readonly number[] {
  return Array.from({ length: values.length }, (_, index) => values[index] ?? 0)
}
