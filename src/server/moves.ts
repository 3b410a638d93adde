import type { NoticeEvent } from '../store/notices.ts'
import type { MoveName } from '../store/transitions.ts'
import type { Store } from '../store/store.ts'

export type WatchedMoves = {
  /** The same store; every move that succeeds is counted. */
  readonly store: Store
  /** How often each move was made by this process. */
  readonly moves: () => ReadonlyMap<string, number>
}

/** The notice that a move sends to the operator's address. A payment that lands after all is settled, as any other. */
const noticeOf: Readonly<Partial<Record<MoveName, NoticeEvent>>> = {
  settle: 'settled',
  land: 'settled',
  doubt: 'unknown',
  writeOff: 'lost',
}

/** Counts the moves that payments make, and has those noted that are `told` outside. */
export function watchMoves(store: Store, { told }: { readonly told: boolean }): WatchedMoves {
  const counts = new Map<string, number>()
  const { payments } = store
  return {
    store: {
      ...store,
      payments: {
        ...payments,
        move: async (move) => {
          const notice = told ? noticeOf[move.as] : undefined
          const done = await payments.move(notice === undefined ? move : { ...move, notice })
          if (done) counts.set(move.as, (counts.get(move.as) ?? 0) + 1)
          return done
        },
      },
    },
    moves: () => counts,
  }
}
