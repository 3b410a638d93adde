import type { ServerResponse } from 'node:http'

import { type CallError, errorBody, outcomes } from '../../src/errors.ts'
import { type PaymentRequired, PaymentRequiredError, toHeader, toV1 } from '../../src/payments/envelope.ts'
import { cors, uncached } from './headers.ts'

const json = 'application/json; charset=utf-8'

/** A 402 as bytes, made once and sent many times. */
export type ReadyChallenge = { readonly headers: readonly string[]; readonly body: Buffer }

function challengeHeaders(challenge: PaymentRequired, bodyLength: number): Record<string, string> {
  const encoded = toHeader(challenge)
  return {
    'content-type': json,
    'content-length': String(bodyLength),
    'payment-required': encoded,
    'x-payment-required': encoded,
    'x-402-version': '2',
    ...uncached,
    ...cors,
  }
}

/** Makes the bytes of a 402. Version 1 clients read only the body, so only the body speaks their version. */
export function readyChallenge(challenge: PaymentRequired, version: 1 | 2): ReadyChallenge {
  const body = Buffer.from(JSON.stringify(version === 1 ? toV1(challenge) : challenge), 'utf8')
  return { headers: Object.entries(challengeHeaders(challenge, body.length)).flat(), body }
}

export function sendChallenge(
  response: ServerResponse,
  ready: ReadyChallenge,
  requestId: string,
  withBody: boolean,
): void {
  response.writeHead(402, [...ready.headers, 'x-request-id', requestId])
  response.end(withBody ? ready.body : undefined)
}

export type ErrorOptions = { readonly requestId: string; readonly version: 1 | 2; readonly withBody: boolean }

/** Answers a failure in the one shape, or as a 402 with its terms. */
export function sendError(response: ServerResponse, error: CallError, options: ErrorOptions): void {
  if (error instanceof PaymentRequiredError) {
    const { body } = readyChallenge(error.challenge, options.version)
    const refused = error.refused === undefined ? undefined : toHeader(error.refused)
    response.writeHead(402, {
      ...challengeHeaders(error.challenge, body.length),
      ...(refused === undefined ? {} : { 'payment-response': refused, 'x-payment-response': refused }),
      'x-request-id': options.requestId,
    })
    response.end(options.withBody ? body : undefined)
    return
  }
  sendJson(
    response,
    outcomes[error.code].http,
    errorBody(error, options.requestId),
    {
      ...error.headers,
      ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
      'x-request-id': options.requestId,
    },
    options.withBody,
  )
}

/** Answers JSON that no cache may keep. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  withBody = true,
): void {
  const body = Buffer.from(JSON.stringify(value), 'utf8')
  response.writeHead(status, {
    'content-type': json,
    'content-length': String(body.length),
    'x-content-type-options': 'nosniff',
    ...uncached,
    ...cors,
    ...headers,
  })
  response.end(withBody ? body : undefined)
}
