/** How the real calls of one day ended, of UTC. */
export type DayCalls = { readonly day: string; readonly answered: number; readonly failed: number }

/** Whose calls are counted: a tool, an outside service as tools ask it, a facilitator, the chain as payments ask it. */
export type CalledKind = 'tool' | 'service' | 'facilitator' | 'chain'

/** Thirty days of something that is called. */
export type History = {
  readonly kind: CalledKind
  readonly name: string
  readonly answered: number
  readonly failed: number
  /** Share of the calls that were answered; null where nobody called. */
  readonly share: number | null
  /** Every day, the oldest first, those without calls too. */
  readonly days: readonly DayCalls[]
}

/** A time in which calls failed; its ends are those of the first and of the last call that did. */
export type Incident = {
  readonly kind: CalledKind
  readonly name: string
  readonly begin: string
  /** Null while calls still fail. */
  readonly end: string | null
  readonly failed: number
  readonly answered: number
  /** Tools whose calls failed for it meanwhile. */
  readonly affected: readonly string[]
}

/** What is told of thirty days. */
export type CallHistory = { readonly histories: readonly History[]; readonly incidents: readonly Incident[] }

/** An hour is part of an incident where so many calls failed, and so large a share of them. */
export const incidentRule = { failed: 3, share: 0.1 } as const
export const statusDays = 30
