const msPerDay = 86_400_000

/** Whole days since 1970 of an instant, in UTC. */
export function dayOf(instant: Date): number {
  return Math.floor(instant.getTime() / msPerDay)
}

/** Whole days since 1970 of a calendar date such as `2026-12-31`. */
export function dayOfDate(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / msPerDay)
}
