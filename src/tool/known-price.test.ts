import { expect, it } from 'vitest'

import { UpstreamError } from '../errors.ts'
import { knownPrice } from './known-price.ts'

const price = { usd: 2_800, source: 'llama' as const, fetchedAt: new Date('2026-11-20T12:00:00Z') }

it('is what a service knows', async () => {
  expect(await knownPrice({ usd: async () => new Map([['native', price]]) }, 'native')).toBe(2_800)
  expect(await knownPrice({ usd: async () => new Map() }, 'native')).toBeUndefined()
})

it('is unknown, and no failure, where no service answers, or none in time', async () => {
  const down = { usd: () => Promise.reject(new UpstreamError('prices')) }
  expect(await knownPrice(down, 'native')).toBeUndefined()
  const silent = { usd: () => new Promise<never>(() => {}) }
  expect(await knownPrice(silent, 'native', 20)).toBeUndefined()
})
