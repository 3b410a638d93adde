import type { Store } from '../store/store.ts'

export type WatchedMoves = {
  /** The same store; every move that succeeds is counted. */
  readonly store: Store
  /** How often each move was made by this process. */
  readonly moves: () => ReadonlyMap<string, number>
}

/** Counts the moves that payments make. */
export function watchMoves(store: Store): WatchedMoves {
  const counts = new Map<string, number>()
  const { payments } = store
  return {
    store: {
      ...store,
      payments: {
        ...payments,
        move: async (move) => {
          const done = await payments.move(move)
          if (done) counts.set(move.as, (counts.get(move.as) ?? 0) + 1)
          return done
        },
      },
    },
    moves: () => counts,
  }
}
