/**
 * What paid calls of a kind cost on average: volume through calls, counted on the named day by
 * Circadian-agent/agent-economy-data (CC BY 4.0). Means lean upwards, so only a price far from one says anything.
 */
export const kindPrices = {
  day: '2026-07-30',
  source: 'https://github.com/Circadian-agent/agent-economy-data',
  meanUsd: {
    social: 0.0087,
    'web search': 0.0232,
    'crypto market data': 0.0493,
    'on-chain data': 0.0335,
    'research reports': 0.0608,
    'AI inference': 0.0488,
    'e-mail and messaging': 0.1265,
    'web extraction': 0.1668,
    weather: 0.1172,
    'media generation': 0.0475,
    news: 0.1384,
  },
} as const

export type Kind = keyof typeof kindPrices.meanUsd

const kinds = [
  'social',
  'web search',
  'crypto market data',
  'on-chain data',
  'research reports',
  'AI inference',
  'e-mail and messaging',
  'web extraction',
  'weather',
  'media generation',
  'news',
] as const satisfies readonly Kind[]

/** Words by which a service says what it is. One kind must be named, and no other, before a price is compared. */
const words: Readonly<Record<Kind, readonly string[]>> = {
  social: ['tweet', 'tweets', 'farcaster', 'social', 'twitter', 'followers', 'casts'],
  'web search': ['search', 'serp', 'google'],
  'crypto market data': [
    'candles',
    'ohlc',
    'ohlcv',
    'orderbook',
    'ticker',
    'tokenprice',
    'marketcap',
    'quotes',
    'funding',
  ],
  'on-chain data': [
    'wallet',
    'onchain',
    'transactions',
    'balances',
    'contract',
    'contracts',
    'gas',
    'holders',
    'allowances',
    'blocks',
  ],
  'research reports': ['research', 'diligence'],
  'AI inference': ['llm', 'inference', 'completion', 'completions', 'chat', 'embedding', 'embeddings', 'gpt', 'claude'],
  'e-mail and messaging': ['email', 'emails', 'sms', 'inbox', 'mailbox'],
  'web extraction': ['scrape', 'scraper', 'scraping', 'crawl', 'crawler', 'extraction', 'extract', 'screenshot'],
  weather: ['weather', 'forecast', 'temperature', 'rainfall'],
  'media generation': ['image', 'images', 'video', 'videos', 'voice', 'speech', 'music'],
  news: ['news', 'headlines', 'articles'],
}

/** The kind of a service by its own description; undefined where it names none, or more than one. */
export function kindOf(description: string): Kind | undefined {
  const said = new Set(
    description
      .toLowerCase()
      .replaceAll(/\bon-chain\b/g, 'onchain')
      .split(/[^a-z]+/),
  )
  const named = kinds.filter((kind) => words[kind].some((word) => said.has(word)))
  return named.length === 1 ? named[0] : undefined
}
