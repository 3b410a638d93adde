/**
 * For how long a thread that wants little waits for a processor beside two that compute all the time, by how nice those
 * are and how nice the helpers of V8 are. Linux; on a machine with two processors or confined to two (`taskset -c
 * 0,1`).
 *
 *     node bench/priorities.ts
 *     node bench/priorities.ts --rounds 5 --seconds 6
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker } from 'node:worker_threads'
import { parseArgs, promisify } from 'node:util'

import { haveHelpersYield, helpersYieldBy, toolsYieldBy, yieldToOthers } from '../src/platform/yield-to-others.ts'
import { note } from './support/table.ts'

const here = fileURLToPath(import.meta.url)
const { TOOLS: tools, HELPERS: helpers } = process.env

if (!isMainThread) chew()
else if (tools === undefined) await compare()
else await measure()

/** Parses and throws away, as a thread does that reads what strangers sent. */
function chew(): void {
  yieldToOthers(Number(tools))
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ index, name: `x${index}`, list: [index] })),
  )
  const kept: unknown[] = []
  const again = (): void => {
    kept.push(JSON.parse(text))
    if (kept.length > 15) kept.splice(0, 10)
    setImmediate(again)
  }
  again()
}

async function measure(): Promise<void> {
  haveHelpersYield(Number(helpers))
  const beside = Array.from({ length: 2 }, () => new Worker(new URL(import.meta.url)))
  const waitedMs = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  await sleep(1_500)
  const before = waitedMs()
  const end = performance.now() + Number(process.env['MEASURE_MS'])
  let made: unknown[] = []
  while (performance.now() < end) {
    await sleep(10)
    made = Array.from({ length: 6_000 }, (_, index) => ({ index, name: String(index) }))
  }
  process.stdout.write(String(waitedMs() - before))
  process.exit(made.length > 0 && beside.length === 2 ? 0 : 1)
}

async function compare(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '6' } },
  })
  const seen = new Map<string, number[]>()
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [ofTools, ofHelpers] of [
      [toolsYieldBy, 0],
      [10, 5],
      [toolsYieldBy, helpersYieldBy],
      [toolsYieldBy, toolsYieldBy],
    ]) {
      const env = {
        ...process.env,
        TOOLS: `${ofTools}`,
        HELPERS: `${ofHelpers}`,
        MEASURE_MS: `${Number(values.seconds) * 1_000}`,
      }
      const { stdout } = await promisify(execFile)(process.execPath, [here], { env })
      const what = `niceness ${ofTools}, helpers ${ofHelpers}`
      seen.set(what, [...(seen.get(what) ?? []), Number(stdout)])
    }
  }
  for (const [what, waits] of seen) {
    note(`${what}: waited ${waits.map((ms) => ms.toFixed(0)).join(', ')} ms in ${values.seconds} s`)
  }
}
