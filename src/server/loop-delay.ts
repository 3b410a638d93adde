import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { Clock } from '../platform/clock.ts'

export type LoopDelay = {
  /** How late timers of this thread were, in milliseconds, over the last one to two minutes. */
  readonly now: () => { readonly p99Ms: number; readonly maxMs: number }
  readonly stop: () => void
}

const resolutionMs = 10
const windowMs = 60_000

/** Watches the event loop of the main thread, which handles payments. */
export function watchLoopDelay(clock: Clock): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const stopped = new AbortController()
  let last = { p99Ms: 0, maxMs: 0 }
  // What it measures is the time between two looks, one resolution apart at best.
  const lateness = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, Math.round((nanoseconds / 1e6 - resolutionMs) * 10) / 10) : 0
  const read = () =>
    histogram.count === 0 ? last : { p99Ms: lateness(histogram.percentile(99)), maxMs: lateness(histogram.max) }
  const turn = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await clock.sleep(windowMs, stopped.signal)
      last = read()
      histogram.reset()
    }
  }
  void turn()
  return {
    now: () => {
      const present = read()
      return { p99Ms: Math.max(last.p99Ms, present.p99Ms), maxMs: Math.max(last.maxMs, present.maxMs) }
    },
    stop: () => {
      stopped.abort()
      histogram.disable()
    },
  }
}
