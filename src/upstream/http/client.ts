import { isBrokenCircuitError } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'

import { UpstreamError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { BudgetError } from './budget.ts'
import { BodyTooLargeError, discardBody, isDeeperThan, readCapped } from './body.ts'
import { createBreaker, healthOf, Outage, type OutageReason } from './breaker.ts'

/** One request to an outside service. `path` is relative to the service's base URL and starts with `/`. */
export type HttpRequest = {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Largest body after decompression, in bytes; 1 MiB unless said. */
  readonly maxBytes?: number
  /** Limit of one try; the whole call also obeys the signal. */
  readonly timeoutMs?: number
  /** How long an answer may be served again without asking. */
  readonly ttlMs?: number
  /** How old an answer may be that is served because the service fails. Only for answers that tell their age. */
  readonly staleIfErrorMs?: number
  /** Statuses besides 2xx that are returned instead of thrown, e.g. `[404]`; 403 and 429 belong here to tell rate limits apart. */
  readonly accept?: readonly number[]
}

export type HttpAnswer = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, or undefined where the body is empty or an accepted failure is not JSON. */
  readonly body: unknown
  /** When the body arrived, or the service last said that it is unchanged; a cached answer keeps the first time. */
  readonly fetchedAt: Date
}

/** The manners of one outside service: deadline, retry, breaker, cache, single flight, byte cap. */
export type HttpClient = {
  /** Scheme, host and port of the service, fit for evidence and logs. */
  readonly origin: string
  /** @throws UpstreamError when no usable answer came in time. */
  readonly request: (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>
  /** What the last answers say; asks nothing. */
  readonly health: () => 'ok' | 'degraded' | 'down'
}

export type HttpClientOptions = {
  /** Our name for the service, as errors and health show it. */
  readonly name: string
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** What evidence calls the service; scheme, host and port of the base address unless given. */
  readonly shownAs?: string
  /** The variable that holds the service's key, as an operator would mend a refusal with it. */
  readonly keySetting?: string
  /** Sent with every request, e.g. a key. Never shown anywhere. */
  readonly headers?: Readonly<Record<string, string>>
  readonly userAgent?: string
  /** Requests under way at one time; the rest wait. */
  readonly concurrency?: number
  readonly timeoutMs?: number
  readonly ttlMs?: number
}

const defaults = { concurrency: 10, timeoutMs: 4_000, ttlMs: 0, maxBytes: 1024 * 1024, userAgent: 'Tollgate' } as const
const retryStatuses: ReadonlySet<number> = new Set([502, 503, 504])
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 307, 308])
const maxRedirects = 3
/** One for all tries: making an error for each would cost more than the rest of the clean-up. */
const ended = new Error('The try is over.')
const maxJsonDepth = 32
const cacheBytes = 32 * 1024 * 1024
/** Waiting longer than this for a retry helps nobody: the caller's deadline is seconds away. */
const maxRetryWaitMs = 2_000

type Cached = { readonly answer: HttpAnswer; readonly checkedAt: number; readonly bytes: number }
type Flight = { readonly answer: Promise<HttpAnswer>; readonly abort: AbortController; waiting: number }

/** Builds the client of one service. Its limits hold for all callers together. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { name, fetch, clock } = options
  const base = new URL(options.baseUrl)
  const basePath = base.pathname.replace(/\/+$/, '')
  const limit = pLimit(options.concurrency ?? defaults.concurrency)
  const breaker = createBreaker()
  const cache = new LRUCache<string, Cached>({
    max: 2_000,
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes + 1_000,
  })
  const flights = new Map<string, Flight>()
  let retryTokens = 10

  async function request(asked: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    if (signal.aborted) throw unusable('The time for this call is over.', signal.reason)
    const key = keyOf(asked)
    const cached = cache.get(key)
    const ttlMs = asked.ttlMs ?? options.ttlMs ?? defaults.ttlMs
    if (cached !== undefined && clock.now() - cached.checkedAt < ttlMs) return cached.answer
    const keep = ttlMs > 0 || (asked.staleIfErrorMs ?? 0) > 0

    const flight = flights.get(key) ?? take(key, asked, keep ? cached : undefined, keep)
    try {
      return await join(flight, signal)
    } catch (error) {
      // Who began the request that this one joined has used up his budget, which is his and nobody else's.
      if (error instanceof BudgetError && !signal.aborted) return request(asked, signal)
      if (error instanceof BudgetError) throw error
      if (cached !== undefined && clock.now() - cached.checkedAt < (asked.staleIfErrorMs ?? 0)) return cached.answer
      throw error instanceof UpstreamError ? error : failedBy(name, error)
    }
  }

  function take(key: string, request: HttpRequest, cached: Cached | undefined, keep: boolean): Flight {
    const abort = new AbortController()
    const answer = limit(() => withRetry(request, cached, abort.signal))
      .then(({ answer, bytes }) => {
        if (keep && (answer.status === 200 || answer.status === 404)) {
          cache.set(key, { answer, bytes, checkedAt: clock.now() })
        }
        return answer
      })
      .finally(() => {
        if (flights.get(key) === flight) flights.delete(key)
      })
    // Every caller may have left by the time it fails.
    answer.catch(() => undefined)
    const flight: Flight = { answer, abort, waiting: 0 }
    flights.set(key, flight)
    return flight
  }

  /** The request goes on while anybody waits for it; the last one to leave ends it. */
  async function join(flight: Flight, signal: AbortSignal): Promise<HttpAnswer> {
    flight.waiting += 1
    let leave: (() => void) | undefined
    try {
      return await Promise.race([
        flight.answer,
        new Promise<never>((_resolve, reject) => {
          leave = () => {
            reject(unusable('The time for this call is over.', signal.reason))
          }
          signal.addEventListener('abort', leave, { once: true })
        }),
      ])
    } finally {
      if (leave !== undefined) signal.removeEventListener('abort', leave)
      flight.waiting -= 1
      if (flight.waiting === 0) flight.abort.abort(ended)
    }
  }

  async function withRetry(request: HttpRequest, cached: Cached | undefined, signal: AbortSignal): Promise<Arrived> {
    retryTokens = Math.min(10, retryTokens + 0.1)
    return breaker.execute(async () => {
      try {
        return await oneTry(request, cached, signal)
      } catch (error) {
        if (!(error instanceof Outage) || !error.retryable || retryTokens < 1) throw error
        const waitMs = error.retryAfterMs ?? 100 + Math.random() * 200
        if (waitMs > maxRetryWaitMs) throw error
        retryTokens -= 1
        await clock.sleep(waitMs, signal)
        return oneTry(request, cached, signal)
      }
    })
  }

  async function oneTry(request: HttpRequest, cached: Cached | undefined, signal: AbortSignal): Promise<Arrived> {
    signal.throwIfAborted()
    // One controller instead of `AbortSignal.any` of several, which costs as much as the request itself.
    const end = new AbortController()
    const leave = (): void => end.abort(ended)
    signal.addEventListener('abort', leave, { once: true })
    const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? defaults.timeoutMs
    void clock.sleep(timeoutMs, end.signal).then(leave)
    try {
      return await exchange(request, cached, end.signal)
    } catch (error) {
      // A half-open breaker takes a request its caller gave up for a good sign unless it is told otherwise.
      if (signal.aborted && healthOf(breaker) === 'ok') throw error
      if (end.signal.aborted)
        throw new Outage('timeout', `No answer within ${timeoutMs} ms.`, { cause: error, retryable: false })
      if (error instanceof Outage || error instanceof UpstreamError) throw error
      if (error instanceof BudgetError && healthOf(breaker) === 'ok') throw error
      throw new Outage('connection', 'The connection failed.', { cause: error, retryable: true })
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  async function exchange(request: HttpRequest, cached: Cached | undefined, signal: AbortSignal): Promise<Arrived> {
    const response = await follow(request, cached?.answer.headers['etag'], signal)
    const headers: Readonly<Record<string, string>> = Object.fromEntries(response.headers)
    if (response.status === 304 && cached !== undefined) {
      discardBody(response)
      return { bytes: cached.bytes, answer: { ...cached.answer, fetchedAt: new Date(clock.now()) } }
    }
    const accepted = request.accept?.includes(response.status) === true
    if (!response.ok && !accepted) {
      discardBody(response)
      const retryAfterMs = retryAfterOf(headers['retry-after'], clock.now())
      if (response.status >= 500) {
        const retryable = retryStatuses.has(response.status)
        throw new Outage('status', `Status ${response.status}.`, { retryable, retryAfterMs })
      }
      throw refusedWith(options, response.status, retryAfterMs)
    }
    const bytes = await bodyOf(response, request.maxBytes ?? defaults.maxBytes, signal)
    return {
      bytes: bytes.byteLength,
      answer: {
        status: response.status,
        headers,
        body: jsonOf(bytes, response.ok),
        fetchedAt: new Date(clock.now()),
      },
    }
  }

  /** Follows a service that moved a resource, but only within the same origin: nothing of ours goes elsewhere. */
  async function follow(request: HttpRequest, etag: string | undefined, signal: AbortSignal): Promise<Response> {
    let url = new URL(base.origin + basePath + request.path)
    // A key may stand in the query of the configured address.
    for (const [name, value] of base.searchParams) url.searchParams.append(name, value)
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(url.href, {
        method: request.method ?? 'GET',
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip, br',
          'user-agent': options.userAgent ?? defaults.userAgent,
          ...options.headers,
          ...request.headers,
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        redirect: 'manual',
        signal,
      })
      const location = response.headers.get('location')
      if (
        !redirectStatuses.has(response.status) ||
        location === null ||
        request.accept?.includes(response.status) === true
      ) {
        return response
      }
      discardBody(response)
      const next = URL.parse(location, url.href)
      if (next === null || next.origin !== base.origin || redirects === maxRedirects || request.method === 'POST') {
        throw unusable(`The service "${name}" sent us elsewhere.`, new Error(`Status ${response.status}.`))
      }
      url = next
    }
  }

  async function bodyOf(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    try {
      return await readCapped(response, maxBytes, signal)
    } catch (error) {
      if (error instanceof BodyTooLargeError) throw unusable(`The service "${name}" answered with too much.`, error)
      throw error
    }
  }

  function jsonOf(bytes: Uint8Array, isOk: boolean): unknown {
    if (bytes.byteLength === 0) return undefined
    const text = new TextDecoder().decode(bytes)
    try {
      if (isDeeperThan(text, maxJsonDepth)) throw new Error(`The JSON nests deeper than ${maxJsonDepth}.`)
      return JSON.parse(text)
    } catch (error) {
      // The status of an accepted failure is what counts; its page may be HTML.
      if (!isOk) return undefined
      throw new Outage('body', 'The body is not the JSON it should be.', { cause: error, retryable: false })
    }
  }

  function unusable(message: string, cause: unknown): UpstreamError {
    return new UpstreamError(name, message, { cause })
  }

  return { origin: options.shownAs ?? base.origin, request, health: () => healthOf(breaker) }
}

/** The service answered, and said no: to our key, to more requests, or to this one. */
function refusedWith(
  { name, keySetting }: HttpClientOptions,
  status: number,
  retryAfterMs: number | undefined,
): UpstreamError {
  const cause = new Error(`Status ${status}.`)
  const key = keySetting === undefined ? '' : ` The operator can set ${keySetting}, or a key with more.`
  if (status === 401 || status === 403) {
    return new UpstreamError(name, `The service "${name}" refused the request: it wants a key, or another one.`, {
      cause,
      nextStep: keySetting === undefined ? 'Ask the operator of this server.' : `The operator can set ${keySetting}.`,
      details: { upstream: name, reason: 'key' },
    })
  }
  if (status === 429 || status === 402) {
    const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000)
    const when = seconds === undefined ? 'Try again later.' : `Try again in ${seconds} seconds.`
    return new UpstreamError(name, `The service "${name}" refused the request: its allowance for now is used up.`, {
      cause,
      nextStep: `${when}${key}`,
      details: { upstream: name, reason: 'quota' },
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    })
  }
  return new UpstreamError(name, `The service "${name}" refused the request.`, {
    cause,
    details: { upstream: name, reason: 'refused' },
  })
}

const failures = {
  timeout: 'it did not answer in time',
  connection: 'it cannot be reached from this server; the network here may be down',
  status: 'it is failing',
  body: 'what came is not what it should send, as behind a page that asks to sign in',
  circuit: 'it failed several times just now and is left alone for some seconds',
} as const satisfies Record<OutageReason | 'circuit', string>

/** What an outage is to a caller: why there is no answer, told apart. */
function failedBy(name: string, error: unknown): UpstreamError {
  const outage = error instanceof Outage ? error : undefined
  const reason = outage?.reason ?? (isBrokenCircuitError(error) ? 'circuit' : undefined)
  const why = reason === undefined ? '' : `: ${failures[reason]}`
  const seconds = outage?.retryAfterMs === undefined ? undefined : Math.ceil(outage.retryAfterMs / 1_000)
  return new UpstreamError(name, `The service "${name}" did not give a usable answer${why}.`, {
    cause: error,
    ...(reason === undefined ? {} : { details: { upstream: name, reason } }),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds, nextStep: `Try again in ${seconds} seconds.` }),
  })
}

type Arrived = { readonly answer: HttpAnswer; readonly bytes: number }

function keyOf(request: HttpRequest): string {
  const { method = 'GET', path, headers, body, accept, maxBytes } = request
  return JSON.stringify([method, path, headers, body, accept, maxBytes])
}

/** `Retry-After` in milliseconds from now: seconds, or an HTTP date. */
export function retryAfterOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
