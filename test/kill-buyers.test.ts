import { expect, it } from 'vitest'

import { killBuyers, killPrepaidBuyers } from './harness/kill-buyers.ts'

it('a program that pays may be killed at any moment, two at a time: journal and budget are right', async () => {
  const { wrong, kills, signatures } = await killBuyers(10)
  expect(wrong).toEqual([])
  expect(kills).toBe(10)
  expect(signatures).toBeGreaterThan(0)
})

it('so may one that pays ahead, and no call is drawn twice', async () => {
  const { wrong, kills, draws, topUps } = await killPrepaidBuyers(6)
  expect(wrong).toEqual([])
  expect(kills).toBe(6)
  expect(draws).toBeGreaterThan(0)
  expect(topUps).toBeGreaterThan(0)
})
