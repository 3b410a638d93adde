import { dayOfDate } from './days.ts'
import type { Program } from './programs.ts'
import { ageDaysOf, staleAfterDays } from './rank.ts'

export type Review = { readonly program: Program; readonly reasons: readonly string[] }

/** The rows that a person has to look at, and why. Closed programs rest until somebody reopens them. */
export function rowsForAPerson(programs: readonly Program[], today: number): readonly Review[] {
  return programs
    .filter(({ status }) => status !== 'closed')
    .map((program) => ({ program, reasons: reasonsOf(program, today) }))
    .filter(({ reasons }) => reasons.length > 0)
}

function reasonsOf(program: Program, today: number): readonly string[] {
  const { deadline, status, confidence, fundingUsd } = program
  const ageDays = ageDaysOf(program, today)
  const reasons: string[] = []
  if (deadline.style === 'dated' && dayOfDate(deadline.date) < today)
    reasons.push(`deadline passed on ${deadline.date}`)
  if (status === 'unknown') reasons.push('status unknown')
  if (ageDays > staleAfterDays) reasons.push(`verified ${ageDays} days ago`)
  if (confidence === 'low') reasons.push('low confidence')
  if (fundingUsd === null) reasons.push('amount not published')
  return reasons
}
