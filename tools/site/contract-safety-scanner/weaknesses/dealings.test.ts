import { beforeAll, describe, expect, it } from 'vitest'

import { outsideContracts } from '../../../../test/harness/outside-contracts.ts'
import { scanOutside, type Told } from '../../../../test/harness/safety-sets.ts'

const folder = new URL('../contracts/dealings/', import.meta.url)

/** Products with one line wrong. */
const weak = [
  ['ShedFund', 'whoever is to be paid once is paid again'],
  ['SiloFund', 'givers take back after the maker was paid'],
  ['PaperCards', 'a card merged with itself is worth twice as much'],
  ['LodgeChest', 'a coin named twice is paid twice'],
  ['BarnStake', 'whoever comes now is paid what others earned before'],
] as const

/** The same products with that line right. */
const sound = ['BarnFund', 'TokenCards', 'GuildChest', 'MillStake']

describe('two people who act together', () => {
  let told: ReadonlyMap<string, Told>
  beforeAll(async () => {
    const [set] = await outsideContracts(folder)
    if (set === undefined) throw new Error('There is no set.')
    const all = await scanOutside(set)
    told = new Map(all.map((one) => [one.name.split(' ')[1] ?? '', one]))
  }, 280_000)

  it.each(weak)('take more than their own from %s: %s', (name) => {
    expect(told.get(name)?.risks.join('\n')).toContain('Two people who act together take out more than they put in')
    expect(told.get(name)?.said).toBe('dangerous')
  })

  it.each(sound)('take nothing of others from %s', (name) => {
    expect(told.get(name)?.said).toBe('likely_safe')
  })
})
