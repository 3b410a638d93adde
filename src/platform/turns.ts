let last: Promise<void> = Promise.resolve()

/**
 * Resumes each caller in a turn of the event loop of its own. Work that is short by itself adds up where many callers
 * begin in one turn, as requests do that arrived together; between two turns everything else that waits can run. A
 * thread has one event loop, so there is one queue.
 */
export function ownTurn(): Promise<void> {
  last = last.then(
    () =>
      new Promise((resolve) => {
        setImmediate(resolve)
      }),
  )
  return last
}
