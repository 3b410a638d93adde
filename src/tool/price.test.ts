import { expect, it } from 'vitest'

import { isPriced, usdOf } from './price.ts'

it('charges nothing for free and pass-only tools', () => {
  expect(usdOf({ mode: 'free', quotaPerDay: 50 })).toBe('0')
  expect(usdOf({ mode: 'pass' })).toBe('0')
  expect(isPriced({ mode: 'pass' })).toBe(false)
})

it('quotes the price as it was written, never as a float', () => {
  expect(usdOf({ mode: 'paid-or-pass', usd: '0.10' })).toBe('0.10')
})
