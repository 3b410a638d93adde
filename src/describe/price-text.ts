import type { Access } from '../tool/tool.ts'

/** The price in words, short enough to stand behind a description. */
export function priceTextOf(access: Access): string {
  if (access.mode === 'paid') return `Costs $${access.usd} a call.`
  if (access.mode === 'paid-or-pass') return `Costs $${access.usd}, or a Tool Pass.`
  if (access.mode === 'tiered') return `Free; premium $${access.usd}.`
  if (access.mode === 'pass') return 'Needs a Tool Pass.'
  return access.quotaPerDay === undefined ? 'Free.' : `Free, ${access.quotaPerDay} calls a day.`
}
