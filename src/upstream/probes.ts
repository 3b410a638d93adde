import { z } from 'zod'

import { UpstreamError } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import { createChain } from './chain/rpc.ts'
import { createHttpClient, type HttpRequest } from './http/client.ts'
import { type Service, services, type UpstreamName } from './services/services.ts'
import type { UpstreamsConfig } from './upstreams.ts'

/** What is looked at from time to time: the chains, and services that somebody can be asked a question of. */
export type ProbeName = 'base-rpc' | 'mainnet-rpc' | keyof typeof questions

/** What a tool cannot do without; of a list, any one is enough. */
export type Need = ProbeName | readonly ProbeName[]

type Question = Pick<HttpRequest, 'path' | 'accept'> & {
  /** What every true answer looks like, however little it says. */
  readonly answer: z.ZodType
  /** @throws UpstreamError where the answer says that no more questions are taken. */
  readonly judge?: (answer: unknown, now: number) => void
}

const weth = '0x4200000000000000000000000000000000000006'
const someObject = z.looseObject({})
/** A service that says in its own words that it does not know what was asked for has answered. */
const known: readonly number[] = [404]

/**
 * The cheapest question of each service that is a real one: it goes the same way, with the same key, as those of tools.
 */
const questions = {
  bankr: {
    path: '/leaderboard/rankings?timeframe=total&limit=20&type=total&cursor=0',
    answer: z.looseObject({ data: z.array(z.unknown()) }),
  },
  blockscout: { path: '/api/v2/stats', answer: z.looseObject({ total_blocks: z.unknown() }) },
  clanker: { path: '/api/tokens?chainId=8453&limit=1', answer: z.looseObject({ data: z.array(z.unknown()) }) },
  coingecko: { path: '/api/v3/ping', answer: z.looseObject({ gecko_says: z.string() }) },
  depsdev: { path: '/v3/projects/github.com%2Fexpressjs%2Fexpress', accept: known, answer: someObject },
  dexscreener: { path: `/tokens/v1/base/${weth}`, answer: z.array(z.unknown()) },
  gamma: { path: '/public-search?q=bitcoin&limit_per_type=1', answer: z.looseObject({ events: z.array(z.unknown()) }) },
  github: { path: '/rate_limit', answer: someObject, judge: refuseWithoutRest },
  llama: { path: '/prices/current/coingecko:ethereum', answer: z.looseObject({ coins: someObject }) },
  opensea: { path: '/api/v2/collections/boredapeyachtclub', accept: known, answer: someObject },
  scorecard: { path: '/projects/github.com/expressjs/express', accept: known, answer: someObject },
  sourcify: { path: `/server/v2/contract/8453/${weth}`, accept: known, answer: someObject },
} as const satisfies Partial<Record<UpstreamName, Question>>

const rest = z.looseObject({
  resources: z.looseObject({ core: z.looseObject({ remaining: z.number(), reset: z.number() }) }),
})

/** GitHub tells for nothing how many questions are left this hour. */
function refuseWithoutRest(answer: unknown, now: number): void {
  const { remaining, reset } = rest.parse(answer).resources.core
  if (remaining > 0) return
  const seconds = Math.max(1, Math.ceil(reset - now / 1_000))
  throw new UpstreamError('github', 'The service "github" takes no more questions this hour.', {
    nextStep: `Try again in ${seconds} seconds. The operator can set TOLLGATE_GITHUB_TOKEN, or a token with more.`,
    retryAfterSeconds: seconds,
    details: { upstream: 'github', reason: 'quota' },
  })
}

export const probeNames: readonly ProbeName[] = ['base-rpc', 'mainnet-rpc', ...keysOf(questions)]

function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table).filter((key): key is K => Object.hasOwn(table, key))
}

export type Probes = {
  /** Asks once. @throws UpstreamError saying why there is no usable answer. */
  readonly ask: (name: ProbeName, signal: AbortSignal) => Promise<void>
  /** Scheme, host and port that are asked; of a chain, those of each node. */
  readonly originsOf: (name: ProbeName) => readonly string[]
}

export type ProbesParts = {
  readonly config: UpstreamsConfig
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
}

/**
 * Asks with a fresh client each time: a look remembers nothing, and closes no circuit of those that tools and money
 * use.
 */
export function createProbes({ config, fetch, clock }: ProbesParts): Probes {
  const { chainId, userAgent, keys, urls } = config

  async function askChain(name: 'base-rpc' | 'mainnet-rpc', signal: AbortSignal): Promise<void> {
    const isBase = name === 'base-rpc'
    const chain = createChain({
      name,
      chainId: isBase ? chainId : 1,
      urls: isBase ? config.baseRpcUrls : config.mainnetRpcUrls,
      fetch,
      clock,
      userAgent,
    })
    await chain.bind(signal).request({ method: 'eth_blockNumber', params: [] })
  }

  function addressOf(name: keyof typeof questions): string {
    const { url, keyedUrl }: Service = services[name]
    return urls[name] ?? (keys[name] === undefined ? url : (keyedUrl?.(chainId) ?? url))
  }

  async function askService(name: keyof typeof questions, signal: AbortSignal): Promise<void> {
    const { auth, keySetting, timeoutMs }: Service = services[name]
    const key = keys[name]
    const { path, accept, answer, judge }: Question = questions[name]
    const client = createHttpClient({
      name,
      fetch,
      clock,
      baseUrl: addressOf(name),
      userAgent,
      timeoutMs,
      headers: key === undefined ? {} : (auth?.(key) ?? {}),
      ...(keySetting === undefined ? {} : { keySetting }),
    })
    const { body } = await client.request({ path, ...(accept === undefined ? {} : { accept }) }, signal)
    const parsed = answer.safeParse(body)
    if (!parsed.success) {
      throw new UpstreamError(name, `The service "${name}" answers, but not with what it should send.`, {
        cause: parsed.error,
        details: { upstream: name, reason: 'body' },
      })
    }
    judge?.(parsed.data, clock.now())
  }

  return {
    ask: (name, signal) =>
      name === 'base-rpc' || name === 'mainnet-rpc' ? askChain(name, signal) : askService(name, signal),
    originsOf: (name) => {
      if (name === 'base-rpc') return config.baseRpcUrls.map((url) => new URL(url).origin)
      if (name === 'mainnet-rpc') return config.mainnetRpcUrls.map((url) => new URL(url).origin)
      return [new URL(addressOf(name)).origin]
    },
  }
}
