import { setPriority } from 'node:os'

/**
 * Has the calling thread take its time behind the other threads of the process. Only on Linux is a priority that of a
 * thread; elsewhere it would be that of the whole process.
 * @param niceness 5 leaves it a third of the share of a thread that is not nice, 10 a ninth, where both want the
 * processor.
 */
export function yieldToOthers(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(niceness)
  } catch {
    // Where it is not allowed, it runs as all others do.
  }
}
