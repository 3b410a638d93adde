import { identityOf, noOf, type SandboxEvent, sandboxEvents, type SandboxMarket } from './prediction-markets.ts'
import { type Replay, segmentsOf } from './replay.ts'

/** Polymarket's Gamma: markets and events by slug, and its search. */
export const gamma: Replay = {
  name: 'GAMMA',
  notFound: { type: 'not found error', error: 'slug not found' },
  answer({ path, query }, { now }) {
    if (path === '/public-search') {
      return { status: 200, body: { events: hitsOf(query, now), pagination: { hasMore: false } } }
    }
    const [kind, by, slug = ''] = segmentsOf(path)
    if (by !== 'slug') return undefined
    // The real service refuses what cannot be a slug before it looks.
    if (!/^[A-Za-z0-9-]+$/.test(slug)) {
      return { status: 422, body: { type: 'validation error', error: 'slug is invalid' } }
    }
    if (kind === 'events') {
      const event = sandboxEvents.find((one) => one.slug === slug)
      return event && { status: 200, body: { ...headOf(event, now), markets: marketsOf(event, now) } }
    }
    const event = sandboxEvents.find(({ markets }) => markets.some((one) => one.slug === slug))
    const market = event && marketsOf(event, now).find((one) => one.slug === slug)
    return event && market && { status: 200, body: { ...market, events: [headOf(event, now)] } }
  },
}

function hitsOf(query: URLSearchParams, now: Date) {
  const words = (query.get('q') ?? '').toLowerCase().match(/[a-z0-9]{3,}/g) ?? []
  return sandboxEvents
    .filter((event) => query.get('events_status') !== 'active' || !isOver(event))
    .filter((event) => {
      const text = [event.title, ...event.markets.map(({ question }) => question)].join(' ').toLowerCase()
      return words.some((word) => text.includes(word))
    })
    .map((event) => ({ ...headOf(event, now), markets: marketsOf(event, now) }))
}

function headOf(event: SandboxEvent, now: Date) {
  return {
    id: String(7_000 + sandboxEvents.indexOf(event)),
    slug: event.slug,
    title: event.title,
    active: true,
    closed: isOver(event),
    archived: false,
    sandbox: true,
    negRisk: event.exclusive,
    volume: sum(event.markets.map(({ volumeUsd }) => volumeUsd)),
    liquidity: sum(event.markets.map(({ liquidityUsd }) => liquidityUsd)),
    endDate: daysFrom(now, event.daysLeft),
  }
}

function marketsOf(event: SandboxEvent, now: Date) {
  return event.markets.map((market, index) => {
    const { conditionId, tokenIds } = identityOf(market.slug)
    const closed = market.state === 'resolved'
    return {
      id: String(700_000 + 100 * sandboxEvents.indexOf(event) + index),
      slug: market.slug,
      question: market.question,
      conditionId,
      outcomes: '["Yes", "No"]',
      outcomePrices: JSON.stringify([String(market.yes), String(noOf(market.yes))]),
      clobTokenIds: JSON.stringify(tokenIds),
      volume: String(market.volumeUsd),
      volumeNum: market.volumeUsd,
      liquidity: String(market.liquidityUsd),
      liquidityNum: market.liquidityUsd,
      endDate: daysFrom(now, event.daysLeft),
      active: true,
      closed,
      archived: false,
      acceptingOrders: !closed,
      updatedAt: new Date(now.getTime() - 20_000).toISOString(),
      groupItemTitle: market.name,
      negRisk: event.exclusive,
      negRiskOther: false,
      ...oracleOf(market),
      ...(closed ? { closedTime: `${daysFrom(now, event.daysLeft).slice(0, 19).replace('T', ' ')}+00` } : {}),
    }
  })
}

function oracleOf({ state }: SandboxMarket) {
  return state === 'proposed' || state === 'resolved' ? { umaResolutionStatus: state } : {}
}

function isOver({ markets }: SandboxEvent): boolean {
  return markets.every(({ state }) => state === 'resolved')
}

function daysFrom(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z')
}

function sum(values: readonly number[]): number {
  return Number(values.reduce((total, value) => total + value, 0).toFixed(6))
}
