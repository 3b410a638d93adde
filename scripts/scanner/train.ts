/**
 * Trains the second witness of mcp-security-scanner and writes its file.
 *
 *     TOLLGATE_SCANNER_CORPUS=<folder> npm run scanner:train [-- --only-judge]
 *
 * It learns from the labelled corpus in that folder (`dev.jsonl`), which is not part of this project, and from what is:
 * the grammar (`grammar.json`), texts by many hands (`texts/`, a file a hand), and the examples of the rules. More
 * texts can stand in the folder that `TOLLGATE_SCANNER_TEXTS` names. Thresholds come from honest servers that the
 * witness had not seen when it judged them, and the command prints what it says of hands and source families that it
 * had not seen. The same inputs give the same bytes.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { keyBits } from '../../tools/agentic/mcp-security-scanner/witness/features.ts'
import type { Judges } from '../../tools/agentic/mcp-security-scanner/witness/model.ts'
import { fit } from './fit.ts'
import { allWritten, publishedItems, read } from './records.ts'
import type { Read } from './records.ts'
import { ownItems, validated } from './validate.ts'

const corpus = needed('TOLLGATE_SCANNER_CORPUS')
const items = read([...publishedItems(corpus), ...allWritten(), ...ownItems()])
const { said, thresholds } = validated(items)
report()
if (!process.argv.includes('--only-judge')) write(fit(items))

function needed(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} must name a folder; see scripts/scanner/train.ts.`)
  return value
}

/** What the witness alone says of hands it had not seen. */
function report(): void {
  const groups = [
    ...new Set(items.filter(({ isServer, group }) => !isServer && group !== 'own').map(({ group }) => group)),
  ]
  const share = (some: readonly Read[]): string =>
    some.length === 0
      ? '-'
      : `${((100 * some.filter(({ id }) => (said.get(id)?.score ?? -99) > thresholds.medium).length) / some.length).toFixed(1)} %`
  console.log('| Hand, unseen | Attacks | Called medium | Honest texts | Called medium |\n|---|---|---|---|---|')
  for (const group of groups) {
    const [attacks, honest] = [true, false].map((isAttack) =>
      items.filter((item) => !item.isServer && item.group === group && item.isAttack === isAttack),
    )
    console.log(
      `| ${group} | ${attacks?.length} | ${share(attacks ?? [])} | ${honest?.length} | ${share(honest ?? [])} |`,
    )
  }
}

function write({ words, net }: Judges): void {
  const size = 1 << keyBits
  let most = 0
  for (let key = 0; key < size; key += 1) most = Math.max(most, Math.abs(words.weights[key] ?? 0))
  const scale = Math.fround(most / 127)
  const small = Int8Array.from({ length: size }, (_, key) => Math.round((words.weights[key] ?? 0) / scale))
  const layers = Float32Array.from([...numbersIn(net.first), ...numbersIn(net.second)])
  const bytes = Buffer.concat([new Uint8Array(small.buffer), new Uint8Array(layers.buffer)])
  const facts = {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    hidden: net.hidden,
    inputs: net.inputs,
    scale,
    bias: words.bias,
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

function numbersIn(values: { readonly [index: number]: number; readonly length: number }): readonly number[] {
  return Array.from({ length: values.length }, (_, index) => values[index] ?? 0)
}
