import type { Books, TallySum } from '../../store/books.ts'
import { hourMs } from '../../store/tally.ts'

/** What a tool was asked, whether or not money came of it. */
export type UsageRow = {
  /** Slug of the tool, or the hour as an ISO time. */
  readonly key: string
  /** 402s that asked for money. */
  readonly challenges: number
  /** Calls with a payment of their own. */
  readonly paid: number
  /** Paid calls for each challenge; null where nobody was asked for money. */
  readonly conversion: number | null
  /** Calls from a balance or a credit. */
  readonly balance: number
  readonly pass: number
  /** Calls within a daily allowance. */
  readonly quota: number
  readonly free: number
  /** Calls that ended without an answer, by the code that the caller was given. */
  readonly failures: Readonly<Record<string, number>>
}

export type Usage = {
  readonly rows: readonly UsageRow[]
  /** How often each limit was met. */
  readonly limits: Readonly<Record<string, number>>
}

/** How the server was used since a time, by tool or by hour; counted by the hour and kept for ninety days. */
export async function usageOf(books: Books, by: 'tool' | 'hour', since: number): Promise<Usage> {
  const tallies = await books.tallies({ since, byHour: by === 'hour' })
  const groups = new Map<string, TallySum[]>()
  for (const tally of tallies.filter(({ kind }) => kind !== 'limit')) {
    const key = by === 'tool' ? tally.tool : new Date(tally.hour * hourMs).toISOString()
    groups.set(key, [...(groups.get(key) ?? []), tally])
  }
  return {
    rows: [...groups].map(([key, some]) => rowOf(key, some)),
    limits: sumsByLabel(tallies.filter(({ kind }) => kind === 'limit')),
  }
}

function rowOf(key: string, tallies: readonly TallySum[]): UsageRow {
  const calls = sumsByLabel(tallies.filter(({ kind }) => kind === 'call'))
  const challenges = tallies.reduce((sum, { kind, count }) => sum + (kind === 'challenge' ? count : 0), 0)
  const paid = calls['payment'] ?? 0
  return {
    key,
    challenges,
    paid,
    conversion: challenges === 0 ? null : Math.round((paid / challenges) * 10_000) / 10_000,
    balance: calls['balance'] ?? 0,
    pass: calls['pass'] ?? 0,
    quota: calls['quota'] ?? 0,
    free: calls['free'] ?? 0,
    failures: sumsByLabel(tallies.filter(({ kind }) => kind === 'failure')),
  }
}

function sumsByLabel(tallies: readonly TallySum[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { label, count } of tallies) sums[label] = (sums[label] ?? 0) + count
  return sums
}
