/**
 * What hostile neighbours cost a payer: how long answers take while others send the worst they can.
 *
 *     node bench/neighbours.ts
 *     node bench/neighbours.ts --seconds 10 --json
 *     node bench/neighbours.ts --only 'wide,20 names'     (of the attacks, those that have one of these in their name)
 *
 * The server, the services that tools ask and the attacker each run in a process of their own; chain and facilitator
 * are the sandbox's. One wallet pays for base-gas-tracker every 100 ms, first alone, then beside one attack after the
 * other, and alone again. Ends with 1 where an answer came more than 250 ms later than the slowest one of the quiet
 * times, or came not at all, or the thread that handles money computed for more than 50 ms without letting anything
 * else run. That last figure is time of the CPU, so it holds on a busy machine; the others say nothing there. All of it
 * is loopback, which is not limited by address: what is measured is what holds without those limits. Attackers have
 * machines of their own; here theirs is this one, and they take their time behind all that is measured. For how long
 * the main thread waited for a processor in a tenth of a second is told beside each attack.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

import { attacksOn, pay } from '../test/harness/attack/attacks.ts'
import { openShop } from '../test/harness/attack/shop.ts'
import { node } from '../test/harness/sandbox-process.ts'
import { note, report, type Row } from './support/table.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})
const measureMs = Number(options.seconds) * 1_000
const everyMs = 100
const allowedMs = 250
const allowedBusyMs = 50
const shop = await openShop()
const { server, target, busiestSince, longestWaitSince, honestUrl: gas } = shop
const { sandbox } = server

type Honest = {
  readonly times: readonly number[]
  readonly failed: readonly number[]
  readonly busyMs: number
  readonly waitedMs: number
}

/** Pays every 100 ms for as long as one measurement takes; the milliseconds of each paid call, and how others ended. */
async function honest(): Promise<Honest> {
  const start = Date.now()
  const calls: Promise<{ status: number; ms: number }>[] = []
  const end = performance.now() + measureMs
  while (performance.now() < end) {
    calls.push(pay(gas, sandbox.wallets.payer, { blocks: 1 + (calls.length % 20) }))
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  const done = await Promise.all(calls)
  return {
    times: done.filter(({ status }) => status === 200).map(({ ms }) => ms),
    failed: done.filter(({ status }) => status !== 200).map(({ status }) => status),
    busyMs: busiestSince(start),
    waitedMs: longestWaitSince(start),
  }
}

async function during(what: string): Promise<Honest & { readonly attacks: number; readonly answered: number }> {
  const attacker = spawn(node, [new URL('support/attacker.ts', import.meta.url).pathname, what, `${measureMs}`], {
    env: { ...process.env, TARGET: JSON.stringify(target) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (attacker.pid !== undefined) setPriority(attacker.pid, 10)
  const lines: string[] = []
  const reader = createInterface({ input: attacker.stdout })
  reader.on('line', (line) => lines.push(line))
  const ended = once(attacker, 'exit')
  await Promise.race([once(reader, 'line'), ended])
  const served = await honest()
  await ended
  const [attacks = 0, answered = 0] = (lines[1] ?? '').split(' ').map(Number)
  return { ...served, attacks, answered }
}

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const worstOf = (times: readonly number[]): number => times.reduce((worst, ms) => Math.max(worst, ms), 0)

try {
  const wanted = options.only.split(',').map((part) => part.trim())
  const attacks = Object.keys(await attacksOn(target)).filter((what) => wanted.some((part) => what.includes(part)))
  note(`load at the start: ${loadavg()[0]?.toFixed(1)}`)
  // The first calls load what all others find loaded.
  const loading = await honest()
  note(`the first calls: computed at most ${loading.busyMs.toFixed(0)} ms without a pause`)
  const first = await honest()
  note(`quiet: computed at most ${first.busyMs.toFixed(0)} ms, slowest ${worstOf(first.times).toFixed(0)} ms`)
  const seen: { readonly what: string; readonly result: Awaited<ReturnType<typeof during>> }[] = []
  for (const what of attacks) {
    const result = await during(what)
    seen.push({ what, result })
    const { busyMs, waitedMs, times, attacks: count, answered, failed } = result
    const others = failed.length === 0 ? '' : `, ${failed.length} ended with ${[...new Set(failed)].join(', ')}`
    note(
      `${what} (${count}${answered === 0 ? '' : `, ${answered} of them answered`}): computed at most ${busyMs.toFixed(0)} ms without a pause, waited at most ${waitedMs.toFixed(0)} of 100 ms; honest ${times.length}, slowest ${worstOf(times).toFixed(0)} ms${others}; load ${loadavg()[0]?.toFixed(1)}`,
    )
  }
  // Quiet is what it was like before and after: on a machine that others use as well, one of both may be luck.
  const last = await honest()
  const quiet = [...first.times, ...last.times]
  const slowest = worstOf(quiet)
  const rows = seen.map(({ what, result: { times, failed, attacks: count, busyMs } }): Row => {
    const worst = worstOf(times)
    return {
      what: `${what} (${count})`,
      ours: `${middle(times).toFixed(0)} ms, at most ${worst.toFixed(0)} ms (${times.length}); busy ${busyMs.toFixed(0)} ms`,
      theirs: `quiet: ${middle(quiet).toFixed(0)} ms, at most ${slowest.toFixed(0)} ms`,
      ratio: worst / slowest,
      goal: `≤ ${(slowest + allowedMs).toFixed(0)} ms, none refused, busy ≤ ${allowedBusyMs} ms`,
      reached: worst <= slowest + allowedMs && failed.length === 0 && busyMs <= allowedBusyMs,
    }
  })
  note(`load at the end: ${loadavg()[0]?.toFixed(1)}`)
  report(rows)
  process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1
} finally {
  await shop.stop()
}
