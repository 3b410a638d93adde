import { describe, expect, it } from 'vitest'

import { hasRecorded, readRecorded } from '../../../test/harness/recorded.ts'
import { ask, type Json } from './fixtures/gamma.ts'
import { eventsOf, recordedMarkets } from './fixtures/recorded.ts'

type Expected = Json & {
  readonly slug: string
  readonly outcomes: readonly { name: string; price: number; probability: number }[]
}
type ExpectedEvent = {
  readonly slug: string
  readonly negRisk: boolean | null
  readonly normalised: boolean
  readonly markets: readonly { slug: string; name: string; yes: number; probability: number }[]
}
const here = hasRecorded()
const open100 = here ? (readRecorded('polymarket/gamma_markets_open_2026-02-13.json') as Json[]) : []
const mixed200 = here ? (readRecorded('polymarket/gamma_markets_200_2026-02-07.json') as Json[]) : []
const all: ReadonlyMap<string, Json> = here ? recordedMarkets() : new Map()
const expected = here ? (readRecorded('expected.json') as { polymarket: Record<string, unknown> }).polymarket : {}
const wantedMarkets = ['single_open', 'single_closed', 'hard'].flatMap((key) => (expected[key] ?? []) as Expected[])
const wantedEvents = (expected['events_100set'] ?? []) as ExpectedEvent[]

function pricesOf(market: Json): number[] {
  return (JSON.parse(String(market['outcomePrices'])) as string[]).map(Number)
}

describe.skipIf(!here)('polymarket-odds on recorded markets (skipped where the recordings are absent)', () => {
  it.each(wantedMarkets.filter(({ slug }) => all.has(slug)))('answers $slug as expected', async (wanted) => {
    const { output, asked } = await ask(wanted.slug, { markets: [all.get(wanted.slug) as Json] })

    expect(output).toMatchObject({ ...wanted, outcomes: output.outcomes })
    expect(output.outcomes).toHaveLength(wanted.outcomes.length)
    for (const [index, outcome] of wanted.outcomes.entries()) {
      expect(output.outcomes[index]?.name).toBe(outcome.name)
      expect(output.outcomes[index]?.price).toBeCloseTo(outcome.price, 9)
      expect(output.outcomes[index]?.probability).toBeCloseTo(outcome.probability, 9)
    }
    expect(asked.length).toBeLessThanOrEqual(4)
  })

  it('gives every recorded market the prices that Polymarket gave', async () => {
    for (const [slug, market] of all) {
      const { output } = await ask(slug, { markets: [market] })
      expect(output.outcomes.map(({ price }) => price)).toEqual(pricesOf(market))
      expect(output.outcomes.map(({ probability }) => probability)).toEqual(pricesOf(market))
    }
  })

  it('resolves every recorded market that is closed and no market that is open, proposed or disputed', async () => {
    const pending = [...all.values()].filter((market) => market['closed'] === false && market['umaResolutionStatus'])
    expect(pending.length).toBeGreaterThanOrEqual(6)
    for (const [slug, market] of all) {
      const { output } = await ask(slug, { markets: [market] }, '2026-08-01T00:00:00Z')
      expect([slug, output.resolved]).toEqual([slug, market['closed']])
      if (!output.resolved) expect(output.resolution_value).toBeNull()
    }
  })

  it.each(wantedEvents)('answers the event $slug as expected', async (wanted) => {
    const event = eventsOf(open100).find(({ slug }) => slug === wanted.slug) as Json
    const { output } = await ask(`https://polymarket.com/event/${wanted.slug}`, { events: [event] })
    const byName = new Map(output.outcomes.map((outcome) => [outcome.name, outcome]))

    if (wanted.markets.length === 1) {
      expect(output.outcomes[0]?.price).toBeCloseTo(wanted.markets[0]?.yes ?? -1, 9)
      return
    }
    expect(output.outcomes).toHaveLength(wanted.markets.length)
    for (const { name, yes, probability } of wanted.markets) {
      expect(byName.get(name)?.price).toBeCloseTo(yes, 9)
      expect(byName.get(name)?.probability).toBeCloseTo(probability, 9)
    }
    const sum = output.outcomes.reduce((total, outcome) => total + outcome.probability, 0)
    if (wanted.normalised && wanted.negRisk === true) expect(sum).toBeCloseTo(1, 9)
  })

  it('leaves the prices of a list that is not whole, or not exclusive, as they are', async () => {
    const events = [...eventsOf(mixed200), ...eventsOf(open100)].filter((event) => {
      const markets = event['markets'] as Json[]
      const sum = markets.reduce((total, market) => total + (pricesOf(market)[0] ?? 0), 0)
      return markets.length > 1 && (event['negRisk'] !== true || sum < 0.9 || sum > 1.2)
    })
    expect(events.length).toBeGreaterThan(3)
    for (const event of events) {
      const { output } = await ask(`https://polymarket.com/event/${String(event['slug'])}`, { events: [event] })
      for (const { price, probability } of output.outcomes) expect(probability).toBe(price)
    }
  })

  it.each([
    ['stanley cup 2026', '2026 NHL Stanley Cup Champion'],
    ['NHL champion', '2026 NHL Stanley Cup Champion'],
    ["who's gonna lift the stanley cup, please tell me", '2026 NHL Stanley Cup Champion'],
    ['anyone but the Oilers to win the Stanley Cup', '2026 NHL Stanley Cup Champion'],
    ['Dutch prime minister', 'Next Prime Minister of the Netherlands'],
    ['prime minister netherlands', 'Next Prime Minister of the Netherlands'],
    ['Trump deport people', 'How many people will Trump deport in 2025?'],
    ['tariffs revenue', 'How much revenue will the U.S. raise from tariffs in 2025?'],
    ['Weinstein prison', 'Harvey Weinstein prison time?'],
    ['before GTA VI', 'What will happen before GTA VI?'],
  ])('answers "%s" by the whole list, dearest first', async (words, title) => {
    const { output, asked } = await ask(words, { hits: eventsOf(open100) })
    expect(output.question.trim()).toBe(title)
    expect(output.outcomes.length).toBeGreaterThan(2)
    const prices = output.outcomes.map(({ price }) => price)
    expect(prices).toEqual(prices.toSorted((one, other) => other - one))
    expect(asked.length).toBeLessThanOrEqual(4)
  })

  it.each([
    ['Stanley Cup Oilers', 'will-the-edmonton-oilers-win-the-2026-nhl-stanley-cup'],
    [
      'could you tell me how likely it is that the Oilers do NOT win it',
      'will-the-edmonton-oilers-win-the-2026-nhl-stanley-cup',
    ],
    ['more than 2 million deported by Trump', 'will-trump-deport-2000000-or-more-people'],
  ])('answers "%s" by the member that it names', async (words, slug) => {
    const { output } = await ask(words, { hits: eventsOf(open100) })
    expect(output.slug).toBe(slug)
  })

  it.each(open100.slice(0, 30))('finds "$question" by its own words', async (market) => {
    const { output } = await ask(String(market['question']), { hits: eventsOf(open100) })
    expect(output.slug).toBe(market['slug'])
  })

  it('reads the answer of a real search, and of one with few fields', async () => {
    const real = readRecorded('polymarket/nautilus_search_response.json') as { events: Json[] }
    const bitcoin = await ask('bitcoin above on march 11', { hits: real.events })
    expect(bitcoin.output.question).toMatch(/bitcoin/i)

    const sparse = readRecorded('polymarket/ra1nty_public_search.json') as { events: Json[] }
    const upDown = await ask('Bitcoin Up or Down - March 22, 3:50AM-3:55AM ET', { hits: sparse.events })
    expect(upDown.output).toMatchObject({
      slug: 'btc-updown-5m-1774165800',
      outcomes: [
        { name: 'Up', price: 0.005 },
        { name: 'Down', price: 0.995 },
      ],
      liquidity_usd: 19748.9135,
    })
  })

  it('lists the open months of an event that is partly over', async () => {
    const [event] = readRecorded('polymarket/gamma_event_microstrategy_multi_open.json') as Json[]
    const { output } = await ask(`https://polymarket.com/event/${String(event?.['slug'])}?tid=1`, {
      events: [event as Json],
    })
    const open = ((event?.['markets'] ?? []) as Json[]).filter((market) => market['closed'] === false)
    expect(output.question).toBe(event?.['title'])
    expect(new Set(output.outcomes.map(({ name }) => name))).toEqual(
      new Set(open.map((market) => market['groupItemTitle'])),
    )
    expect(output.resolved).toBe(false)
  })
})
