import { cleanTextOrNull, type Upstreams } from '../../../src/tool/tool.ts'

type Clanker = Upstreams['clanker']
type Launched = Awaited<ReturnType<Clanker['deployedBy']>>['tokens'][number]
type Pair = Awaited<ReturnType<Upstreams['dexScreener']['pairs']>>['pairs'][number]

/** From this market value on a token counts as a win, in dollars. */
const winThresholdUsd = 100_000

const mostPages = 5
/** Tokens asked about at once: few enough that the service's limit on pools leaves none of them out. */
const tokensAtOnce = 10

/** What somebody launched, read page by page; at most a hundred tokens. */
export async function launchedBy(clanker: Clanker, address: string) {
  const tokens = new Map<string, Launched>()
  let total: number | null = null
  const arrivals: Date[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await clanker.deployedBy(address, cursor)
    for (const token of answer.tokens) tokens.set(token.address, token)
    total ??= answer.total
    arrivals.push(answer.fetchedAt)
    if (answer.next === null) break
    cursor = answer.next
  }
  return { tokens: [...tokens.values()], total: Math.max(total ?? 0, tokens.size), arrivals }
}

/** The most liquid pool of each token; a pool in which the token is only what is paid with says nothing about it. */
export async function bestPairs(dexScreener: Upstreams['dexScreener'], addresses: readonly string[]) {
  const batches: string[][] = []
  for (let start = 0; start < addresses.length; start += tokensAtOnce)
    batches.push(addresses.slice(start, start + tokensAtOnce))
  const answers = await Promise.all(batches.map((batch) => dexScreener.pairs(batch)))
  const best = new Map<string, Pair>()
  for (const pair of answers.flatMap((answer) => answer.pairs)) {
    const address = pair.base.address.toLowerCase()
    const known = best.get(address)
    if (known === undefined || pair.liquidityUsd > known.liquidityUsd) best.set(address, pair)
  }
  return { pairs: best, arrivals: answers.map(({ fetchedAt }) => fetchedAt) }
}

export function profileOf(launched: readonly Launched[], total: number, pairs: ReadonlyMap<string, Pair>) {
  const tokens = launched
    .map((token) => rowOf(token, pairs.get(token.address)))
    .toSorted((a, b) => b.market_cap_usd - a.market_cap_usd || (a.address < b.address ? -1 : 1))
  const sum = (pick: (row: (typeof tokens)[number]) => number): number =>
    cents(tokens.reduce((all, row) => all + pick(row), 0))
  const market = sum((row) => row.market_cap_usd)
  const wins = tokens.filter((row) => row.market_cap_usd > winThresholdUsd).length
  return {
    handle: cleanTextOrNull(launched.find((token) => token.deployerHandle !== null)?.deployerHandle, 64),
    total_tokens: tokens.length,
    total_market_cap_usd: market,
    avg_market_cap_usd: tokens.length === 0 ? 0 : cents(market / tokens.length),
    total_vol_24h_usd: sum((row) => row.vol_24h_usd),
    win_count: wins,
    win_rate_pct: tokens.length === 0 ? 0 : cents((wins / tokens.length) * 100),
    win_threshold_usd: winThresholdUsd,
    tokens,
    launched_total: total,
  }
}

function rowOf(token: Launched, pair: Pair | undefined) {
  return {
    address: token.address,
    name: cleanTextOrNull(token.name, 128),
    symbol: cleanTextOrNull(token.symbol, 32),
    market_cap_usd: atLeastZero(pair?.marketCapUsd),
    vol_24h_usd: atLeastZero(pair?.volume24hUsd),
    price_change_24h_pct: pair?.priceChange24h ?? 0,
    tx_count_24h: Math.trunc(atLeastZero(pair?.transactions24h)),
    deployed_at: token.deployedAt?.toISOString() ?? null,
    last_trade_at: null,
    tweet_url: addressOrNull(token.postUrl, /^https:\/\//),
    image_uri: addressOrNull(token.imageUrl, /^(https|ipfs):\/\//),
  }
}

function atLeastZero(value: number | null | undefined): number {
  return value === null || value === undefined ? 0 : Math.max(0, value)
}

/** The address itself, where it is one and short enough; it is never opened here. */
function addressOrNull(text: string | null, form: RegExp): string | null {
  // Of visible ASCII, so that it reads as what it is.
  return text !== null && /^[\x21-\x7e]{1,512}$/.test(text) && form.test(text) && URL.canParse(text) ? text : null
}

function cents(value: number): number {
  return Math.round(value * 100) / 100
}
