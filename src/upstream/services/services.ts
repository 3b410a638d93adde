import type { BoundHttp } from '../http/bound.ts'

/** How a service is asked. */
export type Service = {
  readonly url: string
  readonly concurrency: number
  readonly timeoutMs: number
  /** How long any answer of the service may be served again, unless a request says otherwise. */
  readonly ttlMs: number
  readonly auth?: (key: string) => Readonly<Record<string, string>>
  /** Where it is asked once there is a key, where that is elsewhere. */
  readonly keyedUrl?: (chainId: number) => string
  /** The variable that holds its key. */
  readonly keySetting?: string
}

/**
 * Every HTTP service we ask, with its manners; the same for every tool. `TOLLGATE_UPSTREAM_<NAME>_URL` replaces the
 * address.
 */
export const services = {
  bankr: { url: 'https://api.bankr.bot', concurrency: 4, timeoutMs: 5_000, ttlMs: 60_000 },
  blockscout: {
    url: 'https://base.blockscout.com',
    keyedUrl: (chainId) => `https://api.blockscout.com/${chainId}`,
    keySetting: 'TOLLGATE_BLOCKSCOUT_KEY',
    concurrency: 6,
    timeoutMs: 5_000,
    ttlMs: 30_000,
    auth: (key) => ({ authorization: `Bearer ${key}` }),
  },
  clanker: { url: 'https://www.clanker.world', concurrency: 4, timeoutMs: 5_000, ttlMs: 60_000 },
  clob: { url: 'https://clob.polymarket.com', concurrency: 10, timeoutMs: 3_000, ttlMs: 5_000 },
  coingecko: {
    url: 'https://api.coingecko.com',
    concurrency: 4,
    timeoutMs: 3_000,
    ttlMs: 15_000,
    keySetting: 'TOLLGATE_COINGECKO_KEY',
    auth: (key) => ({ 'x-cg-demo-api-key': key }),
  },
  defillama: { url: 'https://api.llama.fi', concurrency: 2, timeoutMs: 10_000, ttlMs: 600_000 },
  depsdev: { url: 'https://api.deps.dev', concurrency: 6, timeoutMs: 4_000, ttlMs: 3_600_000 },
  dexscreener: { url: 'https://api.dexscreener.com', concurrency: 6, timeoutMs: 3_000, ttlMs: 15_000 },
  gamma: { url: 'https://gamma-api.polymarket.com', concurrency: 10, timeoutMs: 4_000, ttlMs: 5_000 },
  geckoterminal: { url: 'https://api.geckoterminal.com', concurrency: 4, timeoutMs: 4_000, ttlMs: 30_000 },
  github: {
    url: 'https://api.github.com',
    concurrency: 12,
    timeoutMs: 5_000,
    ttlMs: 3_600_000,
    keySetting: 'TOLLGATE_GITHUB_TOKEN',
    auth: (key) => ({ authorization: `Bearer ${key}` }),
  },
  llama: { url: 'https://coins.llama.fi', concurrency: 6, timeoutMs: 3_000, ttlMs: 15_000 },
  model: {
    // There is none unless the operator names one, and then this is its address.
    url: 'https://model.invalid',
    concurrency: 4,
    timeoutMs: 6_000,
    ttlMs: 0,
    keySetting: 'TOLLGATE_MODEL_KEY',
    auth: (key) => ({ authorization: `Bearer ${key}` }),
  },
  opensea: {
    url: 'https://api.opensea.io',
    concurrency: 6,
    timeoutMs: 5_000,
    ttlMs: 30_000,
    keySetting: 'TOLLGATE_OPENSEA_KEY',
    auth: (key) => ({ 'x-api-key': key }),
  },
  posts: {
    // There is no public one: the operator names it, and what reads it is not offered before.
    url: 'https://posts.invalid',
    concurrency: 4,
    timeoutMs: 15_000,
    ttlMs: 60_000,
    keySetting: 'TOLLGATE_POSTS_KEY',
    auth: (key) => ({ authorization: `Bearer ${key}` }),
  },
  scorecard: { url: 'https://api.securityscorecards.dev', concurrency: 6, timeoutMs: 4_000, ttlMs: 21_600_000 },
  sourcify: { url: 'https://sourcify.dev', concurrency: 6, timeoutMs: 5_000, ttlMs: 300_000 },
} as const satisfies Record<string, Service>

export type UpstreamName = keyof typeof services

/** The client of a service, by its name, for those that ask more than one. */
export type HttpOf = (name: UpstreamName) => BoundHttp
