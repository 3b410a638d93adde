import { describe, expect, it } from 'vitest'

import { scanSet } from '../../../test/harness/safety-sets.ts'
import { sourcesHashOf } from '../../../scripts/labelled-contracts.ts'
import artifacts from './contracts/artifacts.snap.json' with { type: 'json' }
import eighth from './contracts/eighth/artifacts.snap.json' with { type: 'json' }

it('the compiled contracts are those of the sources; `node scripts/labelled-contracts.ts` makes them anew', () => {
  expect(artifacts.sourcesHash).toBe(sourcesHashOf('contract-safety-scanner'))
  expect(eighth.sourcesHash).toBe(sourcesHashOf('contract-safety-scanner, eighth set'))
})

// The levels of all sets are counted by `npm run judge`, which has a floor under each. 25 contracts of the newest set
// are asked the same in weaknesses.test.ts.
describe('some of the labelled contracts', () => {
  it.each([
    ['classes', 14],
    ['mechanisms', 20],
    ['third', 16],
  ] as const)(
    'of the %s set need fewer than sixty requests each, and no danger is missed',
    async (set, every) => {
      let at = -1
      const told = await scanSet(set, () => (at += 1) % every === every - 1)
      expect(told.length).toBeGreaterThan(2)
      expect(Math.max(...told.map(({ requests }) => requests))).toBeLessThan(60)
      const missed = told.filter(({ level, said }) => level === 'dangerous' && said === 'likely_safe')
      expect(missed.map(({ name }) => name)).toEqual([])
    },
    280_000,
  )
})

it('sees that a loan paid back by a deposit costs others theirs, and nothing where nobody loses', async () => {
  const told = await scanSet('sixth', (name) => /^(k25|k47|k60) /.test(name))
  expect(told.map(({ name, said }) => `${name}: ${said}`)).toEqual([
    'k25 Lifeboat: high_risk',
    'k47 Hashlock: likely_safe',
    'k60 Quickbeam: dangerous',
  ])
}, 280_000)

it('tells what somebody asked for next to nothing from what was taken from them', async () => {
  const told = [
    ...(await scanSet('everyday', (name) => name === 'OfferBoard')),
    ...(await scanSet('mechanisms', (name) => name === 'LookingLender')),
  ]
  expect(told.map(({ name, said }) => `${name}: ${said}`)).toEqual([
    'OfferBoard: likely_safe',
    'LookingLender: dangerous',
  ])
}, 280_000)
