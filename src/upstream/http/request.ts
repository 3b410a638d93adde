import type { Clock } from '../../platform/clock.ts'
import type { Post } from './post.ts'

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
  /**
   * Statuses besides 2xx that are returned instead of thrown, e.g. `[404]`; 403 and 429 belong here to tell rate limits
   * apart.
   */
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

/** One outside service: where it is, and what holds for every request to it. */
export type HttpClientOptions = {
  /** Our name for the service, as errors and health show it. */
  readonly name: string
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Sends without the objects of a `fetch`, where nothing has to be put around each request. */
  readonly post?: Post | undefined
  readonly clock: Clock
  /** What evidence calls the service; scheme, host and port of the base address unless given. */
  readonly shownAs?: string
  /** The variable that holds the service's key, which an operator sets when the service refuses. */
  readonly keySetting?: string
  /** Sent with every request, e.g. a key. Never shown anywhere. */
  readonly headers?: Readonly<Record<string, string>>
  readonly userAgent?: string
  /** Requests under way at one time; the rest wait. */
  readonly concurrency?: number
  readonly timeoutMs?: number
  readonly ttlMs?: number
  /** Told how each question ended that was really asked: whether the service did what it is there for. */
  readonly onOutcome?: ((isAnswered: boolean) => void) | undefined
}
