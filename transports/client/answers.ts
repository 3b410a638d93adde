import * as v from 'valibot'

import { parsedJson } from '../../src/platform/json.ts'
import type { SignedResponse } from '../../src/platform/http-signature.ts'
import { read } from '../../src/platform/read.ts'
import { UnusableAnswerError } from './errors.ts'

/** Reads the body of an answer, as far as `most` bytes. @throws UnusableAnswerError */
export async function readBody(answer: Response, most: number): Promise<Buffer> {
  if (Number(answer.headers.get('content-length') ?? '0') > most) {
    await answer.body?.cancel()
    throw tooLong(most)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > most) throw tooLong(most)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLong(most: number): UnusableAnswerError {
  return new UnusableAnswerError(`it is longer than ${most} bytes`)
}

const failure = v.looseObject({ error: v.looseObject({ retryable: v.boolean(), charged: v.optional(v.unknown()) }) })
const settlement = v.looseObject({
  success: v.boolean(),
  transaction: v.optional(v.pipe(v.string(), v.maxLength(128))),
})

/**
 * What an answer says of its payment. `open`: it may still be answered, or was taken, or nothing is known; the same
 * payment is the only one to send.
 */
export type Verdict = 'answered' | 'refused' | 'open'

const mayPass = new Set([408, 409, 425, 429])

/** What became of a payment, by the answer to it. */
export function verdictOf({ status, body }: SignedResponse): Verdict {
  if (status < 300) return 'answered'
  if (status === 402) return 'refused'
  const data = read(failure, parsedJson(Buffer.from(body).toString('utf8')))
  // Our own server says what it knows; that it will not answer does not mean that it took nothing.
  if (data !== undefined) return data.error.retryable || data.error.charged !== false ? 'open' : 'refused'
  return status >= 500 || mayPass.has(status) ? 'open' : 'refused'
}

/** The settlement that an answer names; undefined where it names none that can be read. */
export function settlementOf(headers: Headers): v.InferOutput<typeof settlement> | undefined {
  const text = headers.get('payment-response') ?? headers.get('x-payment-response')
  return text === null ? undefined : readSettlement(parsedJson(Buffer.from(text, 'base64').toString('utf8')))
}

export function readSettlement(value: unknown): v.InferOutput<typeof settlement> | undefined {
  return read(settlement, value)
}

/** How long a server wants to be left alone. */
export function retryAfterMs({ headers }: SignedResponse): number {
  const seconds = Number(headers.get('retry-after') ?? '1')
  return Math.min(Number.isFinite(seconds) && seconds > 0 ? seconds : 1, 10) * 1_000
}
