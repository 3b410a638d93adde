import { expect, it } from 'vitest'

import { atomicUsdc, usdOf } from './price.ts'

it.each([
  ['0', '0'],
  ['0.01', '10000'],
  ['0.15', '150000'],
  ['0.000001', '1'],
  ['1', '1000000'],
  ['9007199254.740993', '9007199254740993'],
])('counts %s dollars as %s atomic units, exactly', (usd, atomic) => {
  expect(atomicUsdc(usd)).toBe(atomic)
})

it('charges nothing for free and pass-only tools', () => {
  expect(usdOf({ mode: 'free' })).toBe('0')
  expect(usdOf({ mode: 'pass' })).toBe('0')
  expect(usdOf({ mode: 'paid-or-pass', usd: '0.02' })).toBe('0.02')
})
