import { freeCallsOf, isPriced } from '../tool/access.ts'
import type { Access } from '../tool/tool.ts'

/** The price in words, short enough to stand behind a description. */
export function priceTextOf(access: Access): string {
  const free = isPriced(access) ? freeCallsOf(access) : undefined
  const first = free === undefined ? '' : ` ${free} a day free.`
  if (access.mode === 'paid') return `Costs $${access.usd} a call.${first}`
  if (access.mode === 'paid-or-pass') return `Costs $${access.usd}, or a Tool Pass.${first}`
  if (access.mode === 'tiered') return `Free; premium $${access.usd}.`
  if (access.mode === 'pass') return 'Needs a Tool Pass.'
  return access.quotaPerDay === undefined ? 'Free.' : `Free, ${access.quotaPerDay} calls a day.`
}
