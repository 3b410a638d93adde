import type { Clock } from '../platform/clock.ts'
import { type Blockscout, createBlockscout } from './blockscout.ts'
import { createLaunchpad, type Launchpad } from './bankr.ts'
import { type Categories, createCategories } from './categories.ts'
import { type Chain, type ChainHouse, createChain } from './chain.ts'
import { type Clanker, createClanker } from './clanker.ts'
import { type Contracts, createContracts } from './contracts.ts'
import { createDepsDev, type DepsDev } from './deps-dev.ts'
import { createDexScreener, type DexScreener } from './dexscreener.ts'
import { createViemClient } from './evm-client.ts'
import { createGeckoTerminal, type GeckoTerminal } from './geckoterminal.ts'
import { createGithub, type Github } from './github.ts'
import { createHttpClient, type HttpAnswer, type HttpClient, type HttpRequest } from './http.ts'
import { lookUpThrough } from './off-chain-lookup.ts'
import { createModel, type Model } from './model.ts'
import { createOpenSea, type OpenSea } from './opensea.ts'
import { createPolymarket, type Polymarket } from './polymarket.ts'
import { createPosts, type Posts } from './posts.ts'
import { createPrices, type Prices } from './prices.ts'
import { createScorecard, type Scorecard } from './scorecard.ts'
import { createSourcify, type Sourcify } from './sourcify.ts'
import { createGuardedFetch, createWeb, type Web } from './web.ts'

/** The outside world, as a tool sees it: one client per service, each already bound to the call's deadline. */
export type Upstreams = {
  // One line per client, in the order of the alphabet.
  readonly blockscout: Blockscout
  readonly categories: Categories
  readonly chain: Chain
  readonly clanker: Clanker
  readonly contracts: Contracts
  readonly depsDev: DepsDev
  readonly dexScreener: DexScreener
  readonly geckoTerminal: GeckoTerminal
  readonly github: Github
  readonly launchpad: Launchpad
  readonly mainnet: Chain
  /** Absent where the operator configured none. */
  readonly model?: Model | undefined
  readonly openSea: OpenSea
  readonly polymarket: Polymarket
  readonly posts: Posts
  readonly prices: Prices
  readonly scorecard: Scorecard
  readonly sourcify: Sourcify
  readonly web: Web
}

/** An `HttpClient` that already obeys one call's deadline; what a service's client is built on. */
export type BoundHttp = {
  readonly origin: string
  /** @throws UpstreamError when no usable answer came in time. */
  readonly request: (request: HttpRequest) => Promise<HttpAnswer>
}

export type HttpOf = (name: UpstreamName) => BoundHttp

export type UpstreamsConfig = {
  readonly baseRpcUrls: readonly string[]
  readonly mainnetRpcUrls: readonly string[]
  readonly chainId: number
  /** Where a service is reached instead of its public address, e.g. a replay on loopback. */
  readonly urls: Readonly<Partial<Record<UpstreamName, string>>>
  readonly keys: Readonly<Partial<Record<UpstreamName, string>>>
  /** Exact public host names that lead to an origin of the operator's instead; the only way to reach loopback. */
  readonly webHosts: Readonly<Record<string, string>>
  /** Host names the web client refuses: our own. */
  readonly refuseHosts: readonly string[]
  /** An origin on the open web's side that may be on this machine: the user of this process named it. */
  readonly namedOrigin?: string | undefined
  readonly userAgent: string
  /** What the configured language model is called; without it there is none. */
  readonly modelName?: string
}

type Service = {
  readonly url: string
  readonly concurrency: number
  readonly timeoutMs: number
  /** How long any answer of the service may be served again, unless a request says otherwise. */
  readonly ttlMs: number
  readonly auth?: (key: string) => Readonly<Record<string, string>>
}

/** Every HTTP service we ask, with its manners; the same for every tool. `TOLLGATE_UPSTREAM_<NAME>_URL` replaces the address. */
const services = {
  bankr: { url: 'https://api.bankr.bot', concurrency: 4, timeoutMs: 5_000, ttlMs: 60_000 },
  blockscout: { url: 'https://base.blockscout.com', concurrency: 6, timeoutMs: 5_000, ttlMs: 30_000 },
  clanker: { url: 'https://www.clanker.world', concurrency: 4, timeoutMs: 5_000, ttlMs: 60_000 },
  clob: { url: 'https://clob.polymarket.com', concurrency: 10, timeoutMs: 3_000, ttlMs: 5_000 },
  coingecko: {
    url: 'https://api.coingecko.com',
    concurrency: 4,
    timeoutMs: 3_000,
    ttlMs: 15_000,
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
    auth: (key) => ({ authorization: `Bearer ${key}` }),
  },
  goplus: { url: 'https://api.gopluslabs.io', concurrency: 4, timeoutMs: 5_000, ttlMs: 60_000 },
  llama: { url: 'https://coins.llama.fi', concurrency: 6, timeoutMs: 3_000, ttlMs: 15_000 },
  model: {
    // There is none unless the operator names one, and then this is its address.
    url: 'https://model.invalid',
    concurrency: 4,
    timeoutMs: 6_000,
    ttlMs: 0,
    auth: (key) => ({ authorization: `Bearer ${key}` }),
  },
  opensea: {
    url: 'https://api.opensea.io',
    concurrency: 6,
    timeoutMs: 5_000,
    ttlMs: 30_000,
    auth: (key) => ({ 'x-api-key': key }),
  },
  posts: {
    // There is no public one: the operator names it, and what reads it is not offered before.
    url: 'https://posts.invalid',
    concurrency: 4,
    timeoutMs: 15_000,
    ttlMs: 60_000,
    auth: (key) => ({ authorization: `Bearer ${key}` }),
  },
  scorecard: { url: 'https://api.securityscorecards.dev', concurrency: 6, timeoutMs: 4_000, ttlMs: 21_600_000 },
  sourcify: { url: 'https://sourcify.dev', concurrency: 6, timeoutMs: 5_000, ttlMs: 300_000 },
} as const satisfies Record<string, Service>

export type UpstreamName = keyof typeof services

export type UpstreamsHouse = {
  /** The clients of one call, all obeying its signal. */
  readonly bind: (signal: AbortSignal) => Upstreams
  /** What the last answers say of each service; asks nothing. */
  readonly health: () => Readonly<Record<string, { readonly status: 'ok' | 'degraded' | 'down' }>>
  readonly close: () => Promise<void>
}

export type UpstreamsParts = {
  readonly config: UpstreamsConfig
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** Carries the web client's requests instead of the guarded connections; for tests that replay the web. */
  readonly webFetch?: typeof globalThis.fetch
}

/** Builds every client at its first use and keeps it; each call binds them to its own deadline. */
export function createUpstreams({ config, fetch, clock, webFetch }: UpstreamsParts): UpstreamsHouse {
  const opened = new Map<UpstreamName, HttpClient>()

  function clientOf(name: UpstreamName): HttpClient {
    const known = opened.get(name)
    if (known !== undefined) return known
    const { auth, url, ...manners }: Service = services[name]
    const key = config.keys[name]
    const client = createHttpClient({
      ...manners,
      name,
      fetch,
      clock,
      baseUrl: config.urls[name] ?? url,
      userAgent: config.userAgent,
      headers: key === undefined ? {} : (auth?.(key) ?? {}),
    })
    opened.set(name, client)
    return client
  }

  const { chainId, userAgent, webHosts, refuseHosts, namedOrigin } = config
  const base = createChain({ name: 'base-rpc', chainId, urls: config.baseRpcUrls, fetch, clock, userAgent })
  const mainnet = createChain({ name: 'mainnet-rpc', chainId: 1, urls: config.mainnetRpcUrls, fetch, clock, userAgent })
  const guarded = createGuardedFetch()
  const webHouse = createWeb({
    guarded: webFetch ?? guarded.fetch,
    fetch,
    clock,
    webHosts,
    refuseHosts,
    namedOrigin,
    userAgent,
  })

  /** A chain with its viem client, which a call opens at most once. */
  function chainOf(house: ChainHouse, name: string, signal: AbortSignal, web: Web): Chain {
    const chain = house.bind(signal)
    let client: ReturnType<Chain['client']> | undefined
    return { ...chain, client: () => (client ??= createViemClient({ name, chain, lookUp: lookUpThrough(web) })) }
  }

  return {
    bind: (signal) => {
      const http: HttpOf = (name) => ({
        origin: clientOf(name).origin,
        request: (request) => clientOf(name).request(request, signal),
      })
      const web = webHouse.bind(signal)
      const blockscout = createBlockscout({ http: http('blockscout') })
      const sourcify = createSourcify({ http: http('sourcify'), chainId })
      return {
        // One line per client, in the order of the alphabet: `github: createGithub({ http: http('github'), clock }),`.
        blockscout,
        categories: createCategories({ http }),
        chain: chainOf(base, 'Base', signal, web),
        clanker: createClanker({ http: http('clanker') }),
        contracts: createContracts({ chain: base.bind(signal), blockscout, sourcify, clock }),
        depsDev: createDepsDev({ http: http('depsdev') }),
        dexScreener: createDexScreener({ http: http('dexscreener') }),
        geckoTerminal: createGeckoTerminal({ http: http('geckoterminal') }),
        github: createGithub({ http: http('github'), clock, signal, hasToken: config.keys.github !== undefined }),
        launchpad: createLaunchpad({ http: http('bankr') }),
        mainnet: chainOf(mainnet, 'Ethereum', signal, web),
        model:
          config.modelName === undefined ? undefined : createModel({ http: http('model'), name: config.modelName }),
        openSea: createOpenSea({ http: http('opensea') }),
        polymarket: createPolymarket({ http }),
        posts: createPosts({ http: http('posts') }),
        prices: createPrices({ http, clock }),
        scorecard: createScorecard({ http: http('scorecard') }),
        sourcify,
        web,
      }
    },
    health: () => ({
      'base-rpc': { status: base.health() },
      'mainnet-rpc': { status: mainnet.health() },
      ...Object.fromEntries([...opened].map(([name, client]) => [name, { status: client.health() }])),
    }),
    close: () => guarded.close(),
  }
}
