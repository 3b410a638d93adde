import { expect, it } from 'vitest'

import { killBuyers } from './harness/kill-buyers.ts'

it('a program that pays may be killed at any moment, two at a time: journal and budget are right', async () => {
  const { wrong, kills, signatures } = await killBuyers(10)
  expect(wrong).toEqual([])
  expect(kills).toBe(10)
  expect(signatures).toBeGreaterThan(0)
}, 120_000)
