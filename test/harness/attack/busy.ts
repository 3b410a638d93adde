/**
 * Loaded before a program (`--import`): notes how long its main thread computed without letting a timer run. It is time
 * of the CPU, not of the clock, so a machine that others use as well makes it no longer. The worst of each tenth of a
 * second is a line of the file that BUSY_FILE names: when it was, how many milliseconds, how many in so many turns as a
 * paid call takes, and, on Linux, for how long in that tenth of a second the thread could have computed and was not
 * let.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Reading the request; the answer of the facilitator that verifies; the claim; the tool's thread; the commit of its
 * answer; the facilitator that settles; the last write; and as many again for what each of them leaves to the next
 * turn.
 */
const turnsOfPaidCall = 14

const waits = '/proc/thread-self/schedstat'

/** For how long this thread has waited for a processor since it began; 0 where the system does not count it. */
function waitedMs(): number {
  return existsSync(waits) ? Number(readFileSync(waits, 'utf8').split(' ')[1]) / 1e6 : 0
}

const file = process.env['BUSY_FILE']
if (isMainThread && file !== undefined) {
  let before = process.threadCpuUsage()
  let worst = 0
  let longestPassage = 0
  let waited = waitedMs()
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
    const waitedNow = waitedMs()
    const figures = [worst, longestPassage, waitedNow - waited].map((ms) => ms.toFixed(1))
    appendFileSync(file, `${Date.now()} ${figures.join(' ')}\n`)
    waited = waitedNow
    worst = 0
    longestPassage = 0
  }, 100).unref()
}
