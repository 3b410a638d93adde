/**
 * How long the ERC-8257 manifests of a full catalog of 41 tools take: made, canonicalized and hashed.
 *
 *     node bench/manifest-hash.ts
 *
 * Ends with 1 when the hashing alone takes more than its target.
 */
import { performance } from 'node:perf_hooks'

import { aiToolDocumentsOf, createManifestHash } from '../src/registry/manifest.ts'
import { createToolList } from '../src/tool/tools.ts'
import { describeConfig } from '../test/harness/describe-config.ts'
import { loadTools } from '../tools/load.ts'

const targetMs = 50
const wanted = 41
const rounds = 30

const { site } = createToolList(await loadTools())
const tools = Array.from({ length: wanted }, (_, index) => site[index % site.length]).flatMap((tool, index) =>
  tool === undefined ? [] : [{ ...tool, slug: `${tool.slug}-${index}` }],
)

const medianOf = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const cold = performance.now()
const documents = await aiToolDocumentsOf(tools, describeConfig)
const coldMs = performance.now() - cold

const hashOf = await createManifestHash()
const manifests = documents.map(({ text }): unknown => JSON.parse(text))
const times = Array.from({ length: rounds }, () => {
  const start = performance.now()
  for (const manifest of manifests) hashOf(manifest)
  return performance.now() - start
})

const kilobytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1_000
console.log(`${wanted} manifests of ${site.length} tools, ${kilobytes.toFixed(0)} kB`)
console.log(`made and hashed at start, schemas and libraries included: ${coldMs.toFixed(1)} ms`)
console.log(
  `canonicalized and hashed: median ${medianOf(times).toFixed(1)} ms, first ${(times[0] ?? Number.NaN).toFixed(1)} ms, target ${targetMs} ms`,
)
if (!(medianOf(times) <= targetMs)) process.exitCode = 1
