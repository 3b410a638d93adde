import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** How nice a thread is that runs tools on what strangers chose: a third of the share of one that settles. */
export const toolsYieldBy = 5
/**
 * How nice the threads are that help all others to collect garbage and to compile: half of the share. The thread
 * that settles waits for their help at times, so they must not be left with nothing.
 */
export const helpersYieldBy = 3

/**
 * Lowers the priority of the calling thread below the other threads of the process. Only on Linux does a thread have a
 * priority of its own; elsewhere it would be that of the whole process.
 * @param niceness 3 leaves it half of the share of a thread that is not nice, 5 a third, where both want the processor.
 */
export function yieldToOthers(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(niceness)
  } catch {
    // Where it is not allowed, it runs as all others do.
  }
}

/**
 * Lowers the priority of V8's helper threads below that of the calling thread. Most of their work is the garbage of
 * threads that compute on the data of strangers, and there are more of them than many a machine has processors. They
 * are known by their name, which Node gives them from version 22 on.
 */
export function haveHelpersYield(niceness: number = helpersYieldBy): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === 'V8Worker') setPriority(Number(thread), niceness)
    }
  } catch {
    // Where it is not allowed, or a thread ended meanwhile, they run as all others do.
  }
}
