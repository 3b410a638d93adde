import { expect, it } from 'vitest'

import type { Access } from '../tool/tool.ts'
import { priceTextOf } from './price-text.ts'

it.each<[Access, string]>([
  [{ mode: 'free' }, 'Free.'],
  [{ mode: 'free', quotaPerDay: 50 }, 'Free, 50 calls a day.'],
  [{ mode: 'paid', usd: '0.10' }, 'Costs $0.10 a call.'],
  [{ mode: 'paid-or-pass', usd: '0.005' }, 'Costs $0.005, or a Tool Pass.'],
  [{ mode: 'pass' }, 'Needs a Tool Pass.'],
  [{ mode: 'tiered', usd: '0.005', freeTierNote: 'Totals only.' }, 'Free; premium $0.005.'],
])('says what %o costs in at most 30 characters', (access, text) => {
  expect(priceTextOf(access)).toBe(text)
  expect(text.length).toBeLessThanOrEqual(30)
})
