/** What a span says beside its name and its time: names and figures of ours, nothing that a caller wrote. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

export type Span = {
  /** Says more of it, once that is known. */
  readonly note: (facts: SpanFacts) => void
  /** Says that it failed, and how, where nothing is thrown. */
  readonly fail: (type: string) => void
}

export type SpanOptions = {
  /** A request that came, one that goes out, or work in between. */
  readonly kind: 'server' | 'client' | 'internal'
  readonly facts?: SpanFacts
  /** The `traceparent` of whoever asked; without one the span belongs to the one that the present work is in. */
  readonly parent?: string | undefined
}

/** Spans of OpenTelemetry. There is one only where the operator named a receiver; elsewhere it is undefined. */
export type Tracing = {
  /** Does work as one span. What it throws marks the span by the kind of error alone, and is thrown on. */
  readonly span: <T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>) => Promise<T>
  /** The `traceparent` of the span that the present work is in. */
  readonly traceparent: () => string | undefined
  /** Does work as part of a span that is elsewhere, such as in another thread. */
  readonly within: <T>(traceparent: string | undefined, work: () => T) => T
  /** Sends what is left, for a few seconds at most. */
  readonly close: () => Promise<void>
}

/** Where traces go, and which. */
export type TracingConfig = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly timeoutMs: number
  /** How long spans are gathered before they are sent. */
  readonly batchMs: number
  /** Attributes of everything that is sent; `service.name` is one. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: Sampler
}

export type Sampler = {
  readonly kind: 'always_on' | 'always_off' | 'traceidratio'
  readonly ratio: number
  /** Whether a caller that says whether it is sampled is followed. */
  readonly isParentBased: boolean
}

/** The same `fetch`, with a span for each request that names its host and nothing else of its address. */
export function traceRequests(
  fetch: typeof globalThis.fetch,
  tracing: Tracing | undefined,
  { isTold }: { readonly isTold: boolean },
): typeof globalThis.fetch {
  if (tracing === undefined) return fetch
  return (input, init = {}) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    const method = init.method ?? 'GET'
    const facts = { 'http.request.method': method, 'server.address': hostname }
    return tracing.span(`${method} ${hostname}`, { kind: 'client', facts }, async (span) => {
      const traceparent = isTold ? tracing.traceparent() : undefined
      const headers =
        traceparent === undefined ? {} : { headers: { ...Object.fromEntries(new Headers(init.headers)), traceparent } }
      const response = await fetch(input, { ...init, ...headers })
      span.note({ 'http.response.status_code': response.status })
      if (response.status >= 400) span.fail(String(response.status))
      return response
    })
  }
}
