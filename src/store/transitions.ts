/** The life of a payment. */
export type PaymentState = 'CLAIMED' | 'SETTLING' | 'UNKNOWN' | 'SETTLED' | 'CONFIRMED' | 'FAILED' | 'ABORTED' | 'LOST'

type Transition = {
  /** The states that it may start from; none where it makes the row. */
  readonly from: readonly PaymentState[]
  /** The state that it leads to; null where it takes the row away. */
  readonly to: PaymentState | null
  /**
   * The commit must survive a loss of power, not only the death of the process: somebody relies on what he is told of
   * it, and looking again would not bring it back. docs/ledger.md says of each move what is lost with it.
   */
  readonly durable?: boolean
  /** Nothing is handed to a facilitator any more, so the body of its calls is dropped. */
  readonly ends?: boolean
}

/**
 * Every change of state that a payment can make. A store makes these and no others, so a move that is not here cannot
 * happen. docs/ledger.md says when each is made; a test holds the two together.
 */
export const transitions = {
  claim: { from: [], to: 'CLAIMED' },
  reclaim: { from: ['ABORTED'], to: 'CLAIMED', durable: true },
  release: { from: ['CLAIMED'], to: null },
  abort: { from: ['CLAIMED'], to: 'ABORTED', ends: true },
  intend: { from: ['CLAIMED'], to: 'SETTLING', durable: true },
  settle: { from: ['SETTLING'], to: 'SETTLED' },
  land: { from: ['SETTLING', 'UNKNOWN', 'FAILED'], to: 'SETTLED' },
  doubt: { from: ['SETTLING', 'UNKNOWN'], to: 'UNKNOWN' },
  fail: { from: ['SETTLING', 'UNKNOWN'], to: 'FAILED', durable: true, ends: true },
  watch: { from: ['FAILED'], to: 'FAILED' },
  recheck: { from: ['SETTLED'], to: 'SETTLED' },
  confirm: { from: ['SETTLED'], to: 'CONFIRMED', ends: true },
  repair: { from: ['SETTLED', 'CONFIRMED'], to: 'SETTLED', durable: true },
  writeOff: { from: ['SETTLED'], to: 'LOST', durable: true, ends: true },
} as const satisfies Record<string, Transition>

export type TransitionName = keyof typeof transitions

/** The transitions of a row that is there and stays: each is one compare-and-set. */
export type MoveName = Exclude<TransitionName, 'claim' | 'reclaim' | 'release'>

/** The states that a move may start from: those of its transition, or the one of them that is meant. */
export function startsOf(name: MoveName, only?: PaymentState): readonly PaymentState[] {
  const { from }: Transition = transitions[name]
  return only === undefined ? from : from.filter((state) => state === only)
}

/** Whether a move leaves a line in the log: one that leaves the row where it was, to be looked at again, is no news. */
export function isNews(from: readonly PaymentState[], to: PaymentState): boolean {
  return from.length !== 1 || from[0] !== to
}

/** Whether a move drops the body of the facilitator calls. */
export function isEnd(name: MoveName): boolean {
  const transition: Transition = transitions[name]
  return transition.ends === true
}

/** Whether a move says for the first time that the money arrived. */
export function isArrival(name: MoveName): boolean {
  return name === 'settle' || name === 'land'
}

/** Whether the commit of a transition is flushed to the disk, whatever else it carries. */
export function isDurable(name: TransitionName): boolean {
  const transition: Transition = transitions[name]
  return transition.durable === true
}
