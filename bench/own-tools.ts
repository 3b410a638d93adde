/**
 * What the start of a server costs with 200 tools of the operator's own, beside 28 of them: processor time of the whole
 * process until it says that it is ready, and the time on the clock. The tools that ship are there on both sides.
 *
 *     node bench/own-tools.ts
 *     node bench/own-tools.ts --rounds 15 --json
 *     node bench/own-tools.ts --profile folder
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { buildTollgate } from './support/build.ts'
import { start } from './support/process.ts'
import { median, note, report, type Row } from './support/table.ts'

const { values: options } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    rounds: { type: 'string', default: '9' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const few = 28
const many = 200
const goal = 1.5

/** A tool as an operator writes one, with a schema of some size. */
const toolText = (index: number): string => `import { defineTool, z } from 'tollgate'

type Place = { readonly name: string; readonly depth: number }

const places: readonly Place[] = [{ name: 'harbour ${index}', depth: ${index} }]

export default defineTool({
  name: 'Depth of harbour ${index}',
  description: 'Gives the depth of harbour number ${index} at a tide. Call with the hour; not for other harbours.',
  price: '0.01',
  input: z.strictObject({
    hour: z.int().min(0).max(23).describe('Hour of the day, in UTC.'),
    unit: z.enum(['m', 'ft']).default('m').describe('Unit of the answer.'),
  }),
  output: z.strictObject({
    harbour: z.string(),
    hour: z.int().min(0).max(23),
    depth: z.number().describe('In the unit that was asked for.'),
    tides: z.array(z.strictObject({ at: z.int(), metres: z.number() })).max(4),
  }),
  examples: [
    {
      input: { hour: 6 },
      output: { harbour: 'harbour ${index}', hour: 6, depth: ${index + 6}, tides: [{ at: 6, metres: 6 }] },
    },
  ],
  run({ hour, unit }) {
    const [place] = places
    const metres = (place?.depth ?? 0) + hour
    return {
      harbour: place?.name ?? '',
      hour,
      depth: unit === 'm' ? metres : metres * 3.28,
      tides: [{ at: hour, metres: hour }],
    }
  },
})
`

async function folderOf(root: string, count: number): Promise<string> {
  const folder = join(root, String(count))
  await mkdir(folder)
  await Promise.all(
    Array.from({ length: count }, (_, index) => writeFile(join(folder, `harbour-${index}.ts`), toolText(index))),
  )
  return folder
}

type Start = { readonly cpuMs: number; readonly wallMs: number }

async function startOnce(launcher: string, tools: string, data: string): Promise<Start> {
  const startedAt = performance.now()
  const running = await start({
    node: options.node,
    args: [
      ...(options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(options.profile, data)}`]),
      launcher,
      'serve',
      '--tools',
      tools,
      '--json',
    ],
    env: {
      TOLLGATE_PORT: '0',
      TOLLGATE_DATA_DIR: join(work, data),
      TOLLGATE_PAY_TO: '0x2096bc6c1ea2c0e79c9f5a9b38ba1d6d7a8e0d31',
      TOLLGATE_FACILITATOR_URL: 'http://127.0.0.1:9',
      TOLLGATE_BASE_RPC_URLS: 'http://127.0.0.1:9',
      TOLLGATE_CHECK_SECONDS: '0',
    },
  })
  const wallMs = performance.now() - startedAt
  const cpuMs = running.cpuMs()
  // It says that it is ready a moment before it listens to signals, and one that is ended by then writes no profile.
  if (options.profile !== undefined) await sleep(1_000)
  await running.stop()
  return { cpuMs, wallMs }
}

const work = await mkdtemp(join(tmpdir(), 'tollgate-own-tools-'))
try {
  const launcher = await buildTollgate()
  const folders = { few: await folderOf(work, few), many: await folderOf(work, many) }
  const starts: { readonly few: Start; readonly many: Start }[] = []
  const rounds = Number(options.rounds)
  for (let round = -1; round < rounds; round += 1) {
    const first = await startOnce(launcher, folders.few, 'data-few')
    const second = await startOnce(launcher, folders.many, 'data-many')
    if (round >= 0) starts.push({ few: first, many: second })
  }
  const rowOf = (what: string, of: (one: Start) => number): Row => {
    const ratios = starts.map((one) => of(one.many) / of(one.few))
    note(`${what}: ${ratios.map((one) => one.toFixed(2)).join(' ')}`)
    const ratio = median(ratios)
    return {
      what,
      ours: `${median(starts.map((one) => of(one.many))).toFixed(0)} ms`,
      theirs: `${median(starts.map((one) => of(one.few))).toFixed(0)} ms`,
      ratio,
      goal: `≤ ${goal}`,
      reached: ratio <= goal,
    }
  }
  const rows = [
    rowOf(`start with ${many} own tools beside ${few}, processor`, ({ cpuMs }) => cpuMs),
    rowOf(`start with ${many} own tools beside ${few}, clock`, ({ wallMs }) => wallMs),
  ]
  report(rows)
  if (rows.some(({ reached }) => !reached)) process.exitCode = 1
} finally {
  await rm(work, { recursive: true, force: true })
}
