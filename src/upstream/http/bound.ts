import type { HttpAnswer, HttpRequest } from './client.ts'

/** An `HttpClient` that already obeys one call's deadline; what a service's client is built on. */
export type BoundHttp = {
  readonly origin: string
  /** @throws UpstreamError when no usable answer came in time. */
  readonly request: (request: HttpRequest) => Promise<HttpAnswer>
}
