import type { IncomingMessage } from 'node:http'

/** Browsers may call every route and read what a payment needs; no cookie is ever involved. */
export const cors = {
  'access-control-allow-origin': '*',
  // Short, because the headers of a 402 have to fit into a proxy's buffer; without cookies `*` allows every origin.
  'access-control-expose-headers': '*, payment-required, payment-response',
} as const

export const preflight = {
  ...cors,
  'access-control-allow-methods': 'GET, POST, DELETE, HEAD, OPTIONS',
  'access-control-allow-headers':
    'content-type, accept, authorization, payment-signature, x-payment, x-402-version, idempotency-key, sign-in-with-x, x-delegate-for, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id',
  'access-control-max-age': '86400',
} as const

/** Nothing that depends on a payment may be kept by a cache in between. */
export const uncached = {
  'cache-control': 'private, no-store',
  vary: 'PAYMENT-SIGNATURE, X-PAYMENT, Authorization, X-402-Version',
} as const

/** The value of a header that must stand alone; Node joins doubled ones with a comma, which callers refuse. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * The caller's address. With `hops` trusted proxies in front, the entry that the outermost of them appended to
 * X-Forwarded-For; never one that the caller could have written.
 */
export function ipOf(request: IncomingMessage, hops: number): string {
  const direct = request.socket.remoteAddress ?? ''
  if (hops === 0) return direct
  const forwarded = (headerOf(request, 'x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return forwarded.at(-hops) ?? direct
}
