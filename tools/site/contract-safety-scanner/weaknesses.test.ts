import { beforeAll, describe, expect, it } from 'vitest'

import { scanSet, type Told } from '../../../test/harness/safety-sets.ts'

/** For each experiment a contract that has the weakness, with what is said of it. */
const weak = [
  ['c01 ChequeBook', 'takes the same signature again'],
  ['c03 OfferBook', 'without that person’s signature'],
  ['c08 SeasonDrop', 'gets it again and again'],
  ['c14 ModularBank', 'have code of their own run'],
  ['c13 VenueRouter', 'say what they like to a token'],
  ['c24 AnyCoinBank', 'written down for them that they did not pay'],
  ['c23 TitheSavings', 'more is paid out than came in'],
  ['c20 LongLock', 'make somebody else wait again'],
  ['c19 GroupPurse', 'takes no payment keeps everybody else'],
  ['c22 LaneVault', 'does not ask who speaks through it'],
  ['c09 EtherTab', 'makes another call meanwhile'],
  ['c11 CardLocker', 'makes another call meanwhile'],
  ['c07 HarvestShare', 'paid again what was earned before'],
  ['c18 NightRaffle', 'draws whom it pays from the block'],
  ['c17 GrainLoans', 'the decimals of the two do not fit'],
  ['c10 LpCredit', 'wrong while it pays somebody'],
] as const

/** Sound contracts that do what those do. */
const sound = [
  's01 VoucherDesk',
  's02 PermitGate',
  's05 LeafDrop',
  's06 QuietBank',
  's08 SpendRouter',
  's04 TideStake',
  's10 CardAuction',
  's13 LotLocker',
  's14 MeasuredShelf',
]

describe('known kinds of weakness', () => {
  let told: ReadonlyMap<string, Told>
  beforeAll(async () => {
    const names = new Set<string>([...weak.map(([name]) => name), ...sound])
    told = new Map((await scanSet('eighth', (name) => names.has(name))).map((one) => [one.name, one]))
  }, 280_000)

  it.each(weak)('in %s: %s', (name, sentence) => {
    expect(told.get(name)?.risks.join('\n')).toContain(sentence)
    expect(told.get(name)?.said).toBe('dangerous')
  })

  it('needs fewer than sixty requests for any of them', () => {
    expect(told.size).toBe(weak.length + sound.length)
    expect(Math.max(...[...told.values()].map(({ requests }) => requests))).toBeLessThan(60)
  })

  it.each(sound)('none in %s', (name) => {
    expect(told.get(name)?.said).toBe('likely_safe')
  })
})
