import type { HourlyRow, HourlyStore } from './tally.ts'

/**
 * Whose calls are counted: a tool of this server, an outside service as tools ask it, a facilitator, the chain as the
 * money asks it; `cause` is what calls of a tool failed for, as `cause/tool`.
 */
export const outcomeKinds = ['tool', 'service', 'facilitator', 'chain', 'cause'] as const
export type OutcomeKind = (typeof outcomeKinds)[number]

/**
 * How the real calls of an hour ended. Names are those of this program and of its configuration, so the rows of an hour
 * are bounded by what there is. Times are milliseconds since 1970.
 */
export type Outcomes = HourlyRow<OutcomeKind> & {
  readonly name: string
  readonly answered: number
  readonly failed: number
  /** When the first and the last one of the hour failed; null where none did. */
  readonly firstFailedAt: number | null
  readonly lastFailedAt: number | null
}

export type OutcomeStore = HourlyStore<Outcomes>

export const outcomeColumns = 'hour, kind, name, answered, failed, first_failed_at, last_failed_at'
