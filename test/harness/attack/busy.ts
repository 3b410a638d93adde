/**
 * Loaded before a program (`--import`): notes how long its main thread computed without letting a timer run. It is time
 * of the CPU, not of the clock, so a machine that others use as well makes it no longer. The worst of each tenth of a
 * second is a line of the file that BUSY_FILE names: when it was, and how many milliseconds.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['BUSY_FILE']
if (isMainThread && file !== undefined) {
  let before = process.threadCpuUsage()
  let worst = 0
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    worst = Math.max(worst, (user + system) / 1_000)
  }, 2).unref()
  setInterval(() => {
    appendFileSync(file, `${Date.now()} ${worst.toFixed(1)}\n`)
    worst = 0
  }, 100).unref()
}
