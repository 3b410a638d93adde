import { beforeAll, describe, expect, it } from 'vitest'

import { isRight, safetySets, scanSet, type Told } from '../../../test/harness/safety-sets.ts'
import { sourcesHashOf } from '../../../scripts/labelled-contracts.ts'
import artifacts from './contracts/artifacts.snap.json' with { type: 'json' }

it('the compiled contracts are those of the sources; `node scripts/labelled-contracts.ts` makes them anew', () => {
  expect(artifacts.sourcesHash).toBe(sourcesHashOf('contract-safety-scanner'))
})

describe.each(safetySets)('the labelled contracts of the set "%s"', (set) => {
  let told: readonly Told[] = []
  beforeAll(async () => {
    told = await scanSet(set)
  }, 280_000)

  it('have no dangerous one among them that is called safe', () => {
    const missed = told.filter(({ level, said }) => level === 'dangerous' && said === 'likely_safe')
    expect(missed.map(({ name }) => name)).toEqual([])
  })

  it('have at least 95 % of their levels right', () => {
    const wrong = told
      .filter((one) => !isRight(one))
      .map(({ name, level, said, risks }) => ({ name, level, said, risks }))
    expect(told.length).toBeGreaterThan(40)
    expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(told.length * 0.05)
  })

  it('need fewer than sixty requests each', () => {
    expect(Math.max(...told.map(({ requests }) => requests))).toBeLessThan(60)
  })
})
