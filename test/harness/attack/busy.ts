/**
 * Loaded before a program (`--import`): notes how long its main thread computed without letting a timer run. It is time
 * of the CPU, not of the clock, so a machine that others use as well makes it no longer. The worst of each tenth of a
 * second is a line of the file that BUSY_FILE names: when it was, and how many milliseconds.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Reading the request; the answer of the facilitator that verifies; the claim; the tool's thread; the commit of its answer;
 * the facilitator that settles; the last write; and as many again for what each of them leaves to the next turn.
 */
const turnsOfPaidCall = 14

const file = process.env['BUSY_FILE']
if (isMainThread && file !== undefined) {
  let before = process.threadCpuUsage()
  let worst = 0
  let longestPassage = 0
  const pass = (start: NodeJS.CpuUsage, left: number): void => {
    if (left > 0) {
      setImmediate(() => pass(start, left - 1))
      return
    }
    const { user, system } = process.threadCpuUsage(start)
    longestPassage = Math.max(longestPassage, (user + system) / 1_000)
  }
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    worst = Math.max(worst, (user + system) / 1_000)
  }, 2).unref()
  setInterval(() => pass(process.threadCpuUsage(), turnsOfPaidCall), 25).unref()
  setInterval(() => {
    appendFileSync(file, `${Date.now()} ${worst.toFixed(1)} ${longestPassage.toFixed(1)}\n`)
    worst = 0
    longestPassage = 0
  }, 100).unref()
}
