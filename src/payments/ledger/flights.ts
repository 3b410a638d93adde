/** The calls of this process whose payment is not settled or given up yet. */
export type Flights = {
  /** Opens the flight of a payment. @returns what ends it. */
  readonly start: (id: string) => () => void
  /** Ends with the flight; undefined where none is open in this process. */
  readonly of: (id: string) => Promise<void> | undefined
  readonly allEnded: () => Promise<void>
}

export function createFlights(): Flights {
  const open = new Map<string, Promise<void>>()
  return {
    start: (id) => {
      let end = (): void => {}
      const flight = new Promise<void>((resolve) => {
        end = resolve
      })
      open.set(id, flight)
      return () => {
        if (open.get(id) === flight) open.delete(id)
        end()
      }
    },
    of: (id) => open.get(id),
    allEnded: async () => {
      await Promise.all(open.values())
    },
  }
}
