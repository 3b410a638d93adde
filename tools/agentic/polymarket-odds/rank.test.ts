import { describe, expect, it } from 'vitest'

import { createPolymarket } from '../../../src/upstream/services/polymarket.ts'
import { eventOf, type Json, market } from './fixtures/gamma.ts'
import { pickOf } from './rank.ts'
import { usualTermsOf } from './words.ts'

const cup = 'Veltria Cup Winner 2031'
const cupOf = (names: readonly string[]): Json =>
  eventOf(
    'veltria-cup-2031',
    cup,
    names.map((name, index) => [name, 0.1 + index / 50] as const),
  )
const teams = ['Harbour Otters', 'Denver Nuggets', 'Quillon Foxes', 'Saint Mora']
const single = (slug: string, question: string): Json => ({
  slug,
  title: question,
  markets: [market(slug, { question, events: undefined })],
})
const records: readonly Json[] = [
  cupOf(teams),
  single('gold-march', 'Will gold be above $4,200 on March 11, 2031?'),
  single('gold-april', 'Will gold be above $4,200 on April 11, 2031?'),
  single('senate-nc', 'Will Ada Brandt win the North Carolina Senate race in 2031?'),
  single('district', 'Will Tomas Reyl be the Democratic nominee for IL-07?'),
  single('trade', 'Will Zerbon begin publicly trading before 2032?'),
  single('up-down', 'Bitcoin Up or Down - May 3, 2:00PM-2:15PM ET'),
  single('up-down-hour', 'Bitcoin Up or Down - May 3, 2PM ET'),
  single('people', 'Will Morrow deport 750,000-1,000,000 people?'),
  single('league', 'Will Marisund win the 2030–31 French Ligue 1?'),
  single('flight', 'Will Brondstar flight test 9 explode?'),
  single('device', 'Will BrightOrb announce a headset in 2031?'),
  single('budget', 'Will Orsolya cut between 100-150b in spending?'),
  single('fight', 'Will Taviri win his CXC 254 fight?'),
]

/** A match with a draw, and one of bets on its sides and its numbers. */
const contest: Json = {
  slug: 'contest',
  title: 'Harbour Otters vs. Quillon Foxes',
  markets: [
    market('match-draw', { question: 'Will Harbour Otters vs. Quillon Foxes end in a draw?', events: undefined }),
    market('match-otters', { question: 'Will Harbour Otters win on 2031-05-03?', events: undefined }),
  ],
}
const tennis: Json = {
  slug: 'tennis',
  title: 'Marisund Open: Lea Maro vs Ida Petrel',
  markets: [
    market('set-total', {
      question: 'Maro vs. Petrel: Set 1 Games O/U 10.5',
      outcomes: '["Over","Under"]',
      events: undefined,
    }),
    market('set-winner', {
      question: 'Set 1 Winner: Maro vs Petrel',
      outcomes: '["Maro","Petrel"]',
      events: undefined,
    }),
  ],
}

const polymarketOf = (events: readonly Json[]) =>
  createPolymarket({
    http: () => ({
      origin: 'https://gamma.example',
      request: async () =>
        await Promise.resolve({ status: 200, body: { events }, fetchedAt: new Date(0), headers: {} }),
    }),
  })
const polymarket = polymarketOf(records)

/** The slug that a question finds among all records but those left out. */
async function slugFor(question: string, without?: string): Promise<string | undefined> {
  const { value } = await polymarket.search(question, 'open')
  const pick = pickOf(
    question,
    value.filter(({ slug }) => slug !== without),
  )
  return pick?.kind === 'event' ? pick.event.slug : pick?.market.slug
}

describe('the ranking of markets', () => {
  it.each([
    ['does gold stand above four thousand two hundred on 11 march 2031', 'gold-march'],
    ['brigthorb headsett in two thousand thirty one', 'device'],
    ['marisund french leage winner', 'league'],
    ['otters beat quillon', 'match-otters'],
    ['will quillon and the otters tie', 'match-draw'],
    ['who wins, the otters or quillon', undefined],
    ['first set, Maro or Petrel?', 'set-winner'],
    ['Maro Petrel set 1 over 10.5 games', 'set-total'],
    ['zerbon listed by the end of the year 2031', 'trade'],
  ])('reads “%s”', async (question, slug) => {
    const found = await polymarketOf([...records, contest, tennis]).search(question, 'open')
    const pick = pickOf(question, found.value)
    expect(pick?.kind === 'market' ? pick.market.slug : undefined).toBe(slug)
  })

  it('knows that one country is not another', async () => {
    const song = single('song', 'Will Denmark win the song contest in 2031?')
    const found = await polymarketOf([...records, song]).search('x', 'open')
    expect(pickOf('will norway win the song contest in 2031', found.value)).toBeUndefined()
    expect(pickOf('danes win the song contest 2031', found.value)).toMatchObject({ market: { slug: 'song' } })
  })

  it.each([
    ['please tell me the current probability that X on polymarket, thanks'],
    ['hey, quick question: what are the odds X right now?'],
    ['odds that X does not happen'],
    ['I doubt X, what do bookies say'],
    ['X?? lol'],
  ])('finds each market when asked as “%s”', async (wrapping) => {
    for (const record of records.slice(1)) {
      const asked = wrapping.replace('X', String(record['title']).replace(/^Will |\?$/g, ''))
      expect(await slugFor(asked)).toBe(record['slug'])
    }
  })

  it('says that none fits, rather than a similar market, for every market that is left out', async () => {
    for (const record of records.slice(1)) {
      const slug = String(record['slug'])
      if (slug.startsWith('up-down')) continue
      expect(await slugFor(String(record['title']).toLowerCase(), slug), slug).toBeUndefined()
    }
    expect(await slugFor('will brondex go public before 2032')).toBeUndefined()
    expect(await slugFor('Ada Brandt senate Oregon 2044')).toBeUndefined()
  })

  it.each([
    ['serie a champions 30/31'],
    ['marisund to win the champions league in 2031'],
    ['top goal scorer ligue 1 30/31'],
    ['brandt to win the senate race in south dakota in 2031'],
    ['republican nominee for IL-07'],
    ['does brondstar flight test 10 explode'],
  ])('answers “%s” with no market of another competition, prize or number', async (question) => {
    expect(await slugFor(question)).toBeUndefined()
  })

  it('says nothing of a thing where the market is about what happens before it', async () => {
    const before = eventOf('before-quorra', 'What will happen before Quorra IX?', [
      ['Otters win', 0.2],
      ['Foxes merge', 0.3],
    ])
    const [event] = (await polymarketOf([before]).search('quorra', 'open')).value
    expect(pickOf('what happens before quorra ix', event === undefined ? [] : [event])?.kind).toBe('event')
    expect(pickOf('release date of quorra ix', event === undefined ? [] : [event])).toBeUndefined()
  })

  it('answers the list for the event and one member for its name, place or nickname', async () => {
    expect(await slugFor('who wins the veltria cup')).toBe('veltria-cup-2031')
    expect(await slugFor('quillon foxes to lift the veltria cup')).toBe('veltria-cup-2031-quillon-foxes')
    expect(await slugFor('denver veltria cup odds')).toBe('veltria-cup-2031-denver-nuggets')
    expect(await slugFor('will anybody but the otters take the veltria cup')).toBe('veltria-cup-2031')
  })

  it.each([
    ['gold above 4200 on the 11th of Mrach 2031', 'gold-march'],
    ['gold over 4.2k on Apirl 11', 'gold-april'],
    ['brandt NC senate', 'senate-nc'],
    ['reyl dem nominee illinois 7th', 'district'],
    ['zerbon ipo before 2032', 'trade'],
    ['btc 2 pm to 2:15 may 3 up or down', 'up-down'],
    ['bitcoin up or down may 3 2pm', 'up-down-hour'],
    ['morrow deporting three quarters of a million to a million people', 'people'],
    ['bright orb announces a headset in 2031', 'device'],
    ['orsolya spending cut between one hundred and one hundred fifty billion', 'budget'],
    ['taviri CXC two five four', 'fight'],
  ])('reads “%s” as %s', async (question, slug) => {
    expect(await slugFor(question)).toBe(slug)
  })

  it('searches again with names as they are usually written', () => {
    expect(usualTermsOf('what are the habs cup odds')).toBe('montreal canadiens cup')
    expect(usualTermsOf('LINK above $20')).toBe('Chainlink above $20')
  })
})
