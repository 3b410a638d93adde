/**
 * The least time of the processor, in milliseconds, that the work took in a few goes: compiling, collecting garbage and
 * a busy machine only ever make it longer. What takes no longer than `enough` is not done again.
 */
export async function leastCpuMs(enough: number, work: () => unknown, goes = 5): Promise<number> {
  let least = Infinity
  for (let go = 0; go < goes && least > enough; go += 1) {
    const started = process.cpuUsage()
    await work()
    least = Math.min(least, process.cpuUsage(started).user / 1_000)
  }
  return least
}
