import { expect, it } from 'vitest'

import { dayOfDate } from './days.ts'
import { programs } from './programs.ts'
import { rowsForAPerson } from './review.ts'

const reasonsOn = (date: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(rowsForAPerson(programs, dayOfDate(date)).map(({ program, reasons }) => [program.id, reasons]))

it('lists stale rows, thin sources, unpublished amounts and unknown status, each with its reason', () => {
  const reasons = reasonsOn('2026-11-21')
  expect(reasons['poidh']).toEqual(['verified 250 days ago'])
  expect(reasons['ef-esp']).toEqual(['amount not published'])
  expect(reasons['taskmarket']).toEqual(['verified 92 days ago', 'low confidence'])
  expect(reasons['aave-grants-dao']).toEqual(['status unknown', 'low confidence', 'amount not published'])
})

it('leaves fresh, published and closed rows alone', () => {
  const reasons = reasonsOn('2026-11-21')
  expect(reasons).not.toHaveProperty('base-batches')
  expect(reasons).not.toHaveProperty('hackmoney-2026')
})

it('lists a row that is still called open after its deadline', () => {
  expect(reasonsOn('2026-12-31')['op-foundation-missions']).not.toContain('deadline passed on 2026-12-31')
  expect(reasonsOn('2027-01-01')['op-foundation-missions']).toContain('deadline passed on 2026-12-31')
})
