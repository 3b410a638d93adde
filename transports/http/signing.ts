import type { IncomingMessage, ServerResponse } from 'node:http'

import { directoryType, type ResponseSigner, type SignatureHeaders } from '../../src/platform/http-signature.ts'
import type { ReadyChallenge } from './answers.ts'
import { cors } from './headers.ts'

/** Signs what leaves by a tool's route. */
export type AnswerSigning = {
  /**
   * Names and values in turn, as a ready challenge has them.
   * @param receipt the `payment-response` beside the challenge, where a payment was refused.
   */
  readonly challenge: (ready: ReadyChallenge, request: IncomingMessage, receipt?: string) => readonly string[]
  readonly paidAnswer: (answer: PaidAnswer, request: IncomingMessage) => SignatureHeaders
  /** An answer of JSON that is no tool's, such as a receipt. */
  readonly document: (body: Uint8Array, contentType: string, request: IncomingMessage) => SignatureHeaders
}

type PaidAnswer = { readonly body: Uint8Array; readonly contentType: string; readonly receipt: string }

export type SigningParts = {
  readonly signer: ResponseSigner
  /** Address of the server as the world sees it: what callers see of their own request. */
  readonly baseUrl: string
  readonly now: () => number
}

/** A ready challenge is the same for everybody, and so is its signature for this long. */
const keptMs = 5_000
/** Ways to write the path of one tool; more are signed, but not kept. */
const mostKept = 4

type Kept = { readonly until: number; readonly headers: readonly string[] }

export function createAnswerSigning({ signer, baseUrl, now }: SigningParts): AnswerSigning {
  const kept = new WeakMap<ReadyChallenge, Map<string, Kept>>()

  const sign = (
    request: IncomingMessage,
    status: number,
    body: Uint8Array,
    fields: Readonly<Record<string, string>>,
  ): SignatureHeaders => {
    const target = request.url?.startsWith('/') === true ? request.url : '/'
    const asked = { method: request.method ?? 'GET', url: `${baseUrl}${target}` }
    return signer.sign({ status, body, fields, request: asked })
  }

  return {
    challenge: (ready, request, receipt) => {
      const fields = {
        'content-type': ready.contentType,
        'payment-required': ready.encoded,
        ...(receipt === undefined ? {} : { 'payment-response': receipt }),
      }
      const target = request.url ?? ''
      const make = (): readonly string[] => Object.entries(sign(request, 402, ready.body, fields)).flat()
      if (receipt !== undefined || target.includes('?')) return make()
      const name = `${request.method} ${target}`
      const known = kept.get(ready) ?? new Map<string, Kept>()
      const found = known.get(name)
      const at = now()
      if (found !== undefined && found.until > at) return found.headers
      const headers = make()
      if (found !== undefined || known.size < mostKept)
        kept.set(ready, known.set(name, { until: at + keptMs, headers }))
      return headers
    },
    document: (body, contentType, request) => sign(request, 200, body, { 'content-type': contentType }),
    paidAnswer: ({ body, contentType, receipt }, request) =>
      sign(request, 200, body, { 'content-type': contentType, 'payment-response': receipt }),
  }
}

/** Answers with the directory of our keys, signed anew. */
export function sendDirectory(response: ServerResponse, signer: ResponseSigner): void {
  const { body, headers } = signer.directory()
  response.writeHead(200, {
    'content-type': directoryType,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'public, max-age=3600',
    ...cors,
    ...headers,
  })
  response.end(body)
}
