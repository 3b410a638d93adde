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
  /** Statuses besides 2xx that are returned instead of thrown, e.g. `[404]`. */
  readonly accept?: readonly number[]
}

export type HttpAnswer = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, or undefined where the body is empty. */
  readonly body: unknown
  /** When the body arrived; a cached answer keeps the first time. */
  readonly fetchedAt: Date
}

/** The manners of one outside service: deadline, retry, breaker, cache, single flight, byte cap. */
export type HttpClient = {
  /** @throws UpstreamError when no usable answer came in time. */
  readonly request: (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>
}
