/**
 * A bucket of a network, as nodes that share a store tell each other of it. `taken` is what is missing until it is
 * full.
 */
export type Level = {
  /** The network, as addresses are counted. */
  readonly key: string
  /** Which limit. */
  readonly name: string
  readonly taken: number
  /** The operator gave it back whole, a moment ago. */
  readonly isLifted: boolean
}

/** What one node has taken from a bucket since it told of it last. */
export type Spent = {
  readonly key: string
  readonly name: string
  readonly spent: number
  /** For how many milliseconds. Durations, because the clocks of nodes differ. */
  readonly overMs: number
  /** What this node alone has taken of it by now: the nodes together never took less. */
  readonly own: number
  readonly perSecond: number
  /** More than this is never missing. */
  readonly most: number
  readonly isLifted: boolean
}

/**
 * Buckets that several nodes fill and empty together. What is in it is worth minutes, so nothing of it is flushed to a
 * disk, and it may be lost; it has a connection of its own, so that no payment waits for it.
 */
export type LevelStore = {
  /** Adds what was spent, all or nothing, and says what all nodes together have taken of the same buckets. */
  readonly exchange: (node: string, spent: readonly Spent[]) => Promise<readonly Level[]>
  /** What other nodes told of in the last seconds: the newest so many. */
  readonly recent: (node: string, limit: number) => Promise<readonly Level[]>
  /** Forgets buckets that are full again. */
  readonly sweep: () => Promise<void>
}
