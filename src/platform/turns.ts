let last: Promise<void> = Promise.resolve()

/**
 * Lets each caller go on in a turn of the event loop of its own. What is bounded by itself adds up where many begin in
 * one turn, as requests do that arrived together; between two turns everything else runs that waits. There is one event
 * loop in a thread, and so there is one line for it.
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
