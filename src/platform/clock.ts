/** Where all time comes from. Tests hold it still. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves after `ms`, or at once when `signal` aborts. Never keeps the process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve()
        return
      }
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      timer.unref()
      signal?.addEventListener('abort', done, { once: true })
    }),
}
