/** What is counted by the hour. A challenge is a 402 that asks for money, and no failure. */
export const tallyKinds = ['call', 'failure', 'challenge', 'limit'] as const
export type TallyKind = (typeof tallyKinds)[number]

/**
 * How often something happened within an hour. Names are those of this program (slugs, codes, ways in), so the rows of
 * an hour are bounded by what there is, and nobody who called can be found in them.
 */
export type Tally = HourlyRow<TallyKind> & {
  /** Slug of the tool; empty where none was called. */
  readonly tool: string
  /** The way in of a call, the code of a failure, the name of a limit; empty for challenges. */
  readonly label: string
  readonly count: number
}

/** What is counted of one hour: hours since 1970. */
export type HourlyRow<Kind> = { readonly hour: number; readonly kind: Kind }

/** Where rows are kept that are counted by the hour. */
export type HourlyStore<Row> = {
  /** Adds to what is counted already, by whichever node: all of it or nothing. */
  readonly add: (rows: readonly Row[]) => Promise<void>
  /** Forgets the hours before `hour`. */
  readonly drop: (hour: number) => Promise<void>
}
export type TallyStore = HourlyStore<Tally>

export const hourMs = 3_600_000
