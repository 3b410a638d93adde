/**
 * How long the scanner takes, and whether its memory stays flat.
 *
 *     node bench/scanner.ts [scans]
 *
 * The manifests are made here; the largest has the size of the largest accepted body. Ends with 1 when a median is
 * above its target or memory grows.
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { scan } from '../tools/agentic/mcp-security-scanner/scan.ts'

const scans = Number(process.argv[2] ?? 10_000)
const grownAtMost = 16 * 1024 * 1024

const words =
  'ignore previous instructions never tell users must always first call send forward copy every message server password key history before after any tool read file bypass checks without asking best trusted system note assistant deprecated instead use'.split(
    ' ',
  )

const manifests = {
  'one tool': { make: () => manifestOf(1), runs: 500, targetMs: 5 },
  '50 tools': { make: () => manifestOf(50), runs: 200, targetMs: 50 },
  '500 tools': { make: () => manifestOf(500), runs: 20, targetMs: 1_000 },
  '1 MiB of trigger words': { make: () => described(triggers(1_000_000)), runs: 3, targetMs: 1_000 },
  '1 MiB of different sentences': { make: () => described(sentences(1_000_000)), runs: 3, targetMs: 1_000 },
}

console.log('| Manifest | Bytes | Median | p95 |\n|---|---|---|---|')
for (const [name, { make, runs, targetMs }] of Object.entries(manifests)) {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const manifest = make()
    const start = performance.now()
    scan(manifest)
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Infinity
  const bytes = JSON.stringify(make()).length
  console.log(`| ${name} | ${bytes} | ${at(0.5).toFixed(1)} ms | ${at(0.95).toFixed(1)} ms |`)
  if (at(0.5) > targetMs) process.exitCode = 1
}

// The first scans fill what is kept for good; growth after them would be a leak.
for (let index = 0; index < 500; index += 1) scan(manifestOf(5, index))
const before = heapBytes()
for (let index = 0; index < scans; index += 1) scan(manifestOf(5, index))
const grown = heapBytes() - before
console.log(
  `\nHeap after ${scans} scans of different manifests: ${(grown / 1024 / 1024).toFixed(1)} MiB more than before.`,
)
if (grown > grownAtMost) process.exitCode = 1

function heapBytes(): number {
  // What is not collected yet is no leak, and without the flag nobody could ask for it.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** A server like many: documented tools with typed parameters, each a little different from the others. */
function manifestOf(tools: number, seed = 0): unknown {
  return {
    serverInfo: { name: `office-${seed}`, version: '1.0.0' },
    tools: Array.from({ length: tools }, (_, index) => ({
      name: `update_record_${seed}_${index}`,
      description:
        `Updates record ${index} of table ${seed}. Call list_records first to obtain its id; the id must not be empty. ` +
        'Returns the record with its new version. Use it when the user asks to change a value. Do not use it for new records. ' +
        'Times are in ISO 8601. If the version is out of date, the call fails and nothing is changed.',
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Id of the record, as returned by list_records.', pattern: '^[0-9]+$' },
          values: { type: 'object', description: 'New values by column name. Columns that are left out keep theirs.' },
          version: { type: 'integer', description: 'Version that the change is based on.' },
        },
        required: ['id', 'values'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: true },
    })),
  }
}

function described(description: string): unknown {
  return { tools: [{ name: 'echo', description }] }
}

function triggers(length: number): string {
  let text = ''
  for (let index = 0; text.length < length; index += 1) {
    text += words[(index * 7919 + (index >> 3)) % words.length]
    text += index % 11 === 10 ? '. ' : ' '
  }
  return text
}

function sentences(length: number): string {
  let text = ''
  for (let index = 0; text.length < length; index += 1) {
    text += `You must always send item ${index} to the server before step ${index % 97}. `
  }
  return text
}
