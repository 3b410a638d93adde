import { setMaxListeners } from 'node:events'

import type { Clock } from '../platform/clock.ts'
import { type Blockscout, createBlockscout } from './services/blockscout/blockscout.ts'
import { createLaunchpad, type Launchpad } from './services/bankr.ts'
import { type Categories, createCategories } from './services/categories.ts'
import { type Chain, type ChainClient, createChain } from './chain/rpc.ts'
import { type Clanker, createClanker } from './services/clanker.ts'
import { type Contracts, createContracts } from './contracts/proxies.ts'
import { createDepsDev, type DepsDev } from './services/deps-dev.ts'
import { createDexScreener, type DexScreener } from './services/dexscreener.ts'
import { createViemClient } from './chain/viem.ts'
import { createGeckoTerminal, type GeckoTerminal } from './services/geckoterminal.ts'
import { createGithub, type Github } from './services/github/github.ts'
import { counted } from './http/budget.ts'
import { createHttpClient, type HttpClient } from './http/client.ts'
import type { Post } from './http/post.ts'
import { lookUpThrough } from './chain/off-chain-lookup.ts'
import { createModel, type Model } from './services/model.ts'
import { createOpenSea, type OpenSea } from './services/opensea.ts'
import { createPolymarket, type Polymarket } from './services/polymarket.ts'
import { createPosts, type Posts } from './services/posts.ts'
import { createPrices, type Prices } from './services/prices.ts'
import { createScorecard, type Scorecard } from './services/scorecard.ts'
import { createSourcify, type Sourcify } from './services/sourcify.ts'
import { type HttpOf, type Service, services, type UpstreamName } from './services/services.ts'
import { createGuardedFetch, createWeb, type Web } from './http/web.ts'

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
  /** Largest answer of a chain's node that is read; the usual one unless given. */
  readonly maxChainAnswerBytes?: number | undefined
  /** What the configured language model is called; without it there is none. */
  readonly modelName?: string
}

export type UpstreamClients = {
  /** The clients of one call, all obeying its signal. */
  readonly bind: (signal: AbortSignal) => Upstreams
  /** What the last answers say of each service; asks nothing. */
  readonly health: () => Readonly<Record<string, { readonly status: 'ok' | 'degraded' | 'down' }>>
  readonly close: () => Promise<void>
}

export type UpstreamsParts = {
  readonly config: UpstreamsConfig
  readonly fetch: typeof globalThis.fetch
  /** Carries what is asked of services in place of `fetch`, at less cost. */
  readonly post?: Post | undefined
  readonly clock: Clock
  /** Told how each question to a service ended that was really asked. */
  readonly onOutcome?: ((service: string, isAnswered: boolean) => void) | undefined
  /** Carries the web client's requests instead of the guarded connections; for tests that replay the web. */
  readonly webFetch?: typeof globalThis.fetch
}

/** Builds every client at its first use and keeps it; each call binds them to its own deadline. */
export function createUpstreams({ config, clock, webFetch, onOutcome, ...parts }: UpstreamsParts): UpstreamClients {
  // The one way out, for every client: what is asked counts for the run that asks.
  const fetch = counted(parts.fetch)
  const { post } = parts
  const { chainId, userAgent, webHosts, refuseHosts, namedOrigin } = config
  const opened = new Map<UpstreamName, HttpClient>()

  const outcomeOf = (name: string) => (isAnswered: boolean) => onOutcome?.(name, isAnswered)

  function clientOf(name: UpstreamName): HttpClient {
    const known = opened.get(name)
    if (known !== undefined) return known
    const { auth, url, keyedUrl, ...manners }: Service = services[name]
    const key = config.keys[name]
    const publicUrl = key === undefined ? url : (keyedUrl?.(chainId) ?? url)
    const client = createHttpClient({
      ...manners,
      name,
      fetch,
      post,
      clock,
      baseUrl: config.urls[name] ?? publicUrl,
      // What an operator put into an address may hold a key; a public one is shown whole.
      ...(config.urls[name] === undefined ? { shownAs: publicUrl } : {}),
      onOutcome: outcomeOf(name),
      userAgent: config.userAgent,
      headers: key === undefined ? {} : (auth?.(key) ?? {}),
    })
    opened.set(name, client)
    return client
  }

  const chains = { fetch, post, clock, userAgent, maxAnswerBytes: config.maxChainAnswerBytes }
  const base = createChain({
    ...chains,
    name: 'base-rpc',
    chainId,
    urls: config.baseRpcUrls,
    onOutcome: outcomeOf('base-rpc'),
  })
  const mainnet = createChain({
    ...chains,
    name: 'mainnet-rpc',
    chainId: 1,
    urls: config.mainnetRpcUrls,
    onOutcome: outcomeOf('mainnet-rpc'),
  })
  const guarded = createGuardedFetch()
  const webClient = createWeb({
    guarded: counted(webFetch ?? guarded.fetch),
    fetch,
    clock,
    webHosts,
    refuseHosts,
    namedOrigin,
    userAgent,
  })

  /** A chain with its viem client, which a call opens at most once. */
  function chainOf(node: ChainClient, name: string, signal: AbortSignal, web: Web): Chain {
    const chain = node.bind(signal)
    let client: ReturnType<Chain['client']> | undefined
    return { ...chain, client: () => (client ??= createViemClient({ name, chain, lookUp: lookUpThrough(web) })) }
  }

  return {
    bind: (signal) => {
      // Every request under way listens for the end of its call, and some calls ask a dozen at once.
      setMaxListeners(0, signal)
      const http: HttpOf = (name) => ({
        origin: clientOf(name).origin,
        request: (request) => clientOf(name).request(request, signal),
      })
      const web = webClient.bind(signal)
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
