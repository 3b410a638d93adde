import { createHash } from 'node:crypto'

import type { SignedResponse } from '../../src/platform/http-signature.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { createBuying } from './buying.ts'
import { retryAfterMs, settlementOf, verdictOf } from './answers.ts'
import { challengeOfAnswer } from './challenge.ts'
import { PaymentOpenError, UnusableAnswerError } from './errors.ts'
import {
  type ClientAnswer,
  type ClientRequest,
  createExchange,
  type ExchangeParts,
  type PayingFetch,
} from './exchange.ts'
import type { Approve } from './options.ts'
import type { Pass } from './pass.ts'
import type { Prepaid } from './prepaid.ts'
import type { Payment, Purchase, Spender } from './spender.ts'

export type PayingFetchParts = ExchangeParts & {
  readonly spender: Spender
  readonly clock: Clock
  readonly approve: Approve | undefined
  /** What goes before a payment; without, every call is paid by itself. */
  readonly prepaid?: Prepaid
  readonly pass?: Pass
}

const extensionName = 'http-message-signatures'
const mostTries = 4

/**
 * A client that pays by itself, within its rules. It signs once per call: whatever happens afterwards, the same payment
 * is sent again with the same idempotency key, and never another one.
 */
export function createPayingFetch(parts: PayingFetchParts): PayingFetch {
  const { spender, clock } = parts
  const { send, check, checkPaid } = createExchange(parts)
  /** Sends what pays until it is answered for good; the server answers the same payment with the same bytes. */
  const sendPaid = async (request: ClientRequest, payment: Payment): Promise<SignedResponse> => {
    const until = clock.now() + 2 * parts.timeoutMs
    for (let tries = 1; ; tries += 1) {
      const isLast = tries >= mostTries || clock.now() > until
      try {
        const answer = await send(request, await headersFor(request, payment))
        const isRefusedToken = payment.kind === 'draw' && answer.status === 401
        if (isLast || (verdictOf(answer) !== 'open' && !isRefusedToken)) return answer
        if (isRefusedToken) await parts.prepaid?.tokenRefused(new URL(request.url))
        else await clock.sleep(retryAfterMs(answer), request.signal)
      } catch (error) {
        if (error instanceof UnusableAnswerError || isLast || request.signal?.aborted === true) {
          throw new PaymentOpenError(payment.id, error)
        }
        await clock.sleep(1_000, request.signal)
      }
    }
  }

  const headersFor = async (request: ClientRequest, payment: Payment): Promise<Readonly<Record<string, string>>> => {
    if (payment.kind !== 'draw') return headersOf(payment)
    const token = await parts.prepaid?.token(new URL(request.url))
    if (token === undefined) throw new Error('The balance that the call was drawn from cannot be reached.')
    return { authorization: `Bearer ${token}`, 'idempotency-key': payment.id }
  }

  /** What came of a call that is drawn from a balance; undefined where nothing was drawn. */
  const finishDraw = async (request: ClientRequest, payment: Payment): Promise<ClientAnswer | undefined> => {
    const answer = await sendPaid(request, payment)
    const verdict = verdictOf(answer)
    const url = new URL(request.url)
    if (verdict === 'answered') {
      await checkPaid(answer, request)
      parts.prepaid?.noteLeft(url, answer.headers.get('tollgate-balance') ?? undefined)
      spender.paid(payment, { reason: settlementOf(answer.headers) === undefined ? 'no receipt' : undefined })
      return { ...answer, payment: { ...payment, state: 'paid' } }
    }
    // A token that is refused says nothing about a draw that it was sent for before.
    if (verdict === 'open' || answer.status === 401) return { ...answer, payment: { ...payment, state: 'open' } }
    spender.notDrawn(payment, `status ${answer.status}`)
    parts.prepaid?.noteLeft(url, undefined)
    return answer.status === 402 ? undefined : { ...answer, payment: undefined }
  }

  const finish = async (request: ClientRequest, payment: Payment): Promise<ClientAnswer> => {
    const answer = await sendPaid(request, payment)
    const verdict = verdictOf(answer)
    const settled = settlementOf(answer.headers)
    if (verdict === 'answered') {
      // Only an answer that was paid for is signed; a refusal is a refusal, whoever says it.
      if (payment.amount > 0n) await checkPaid(answer, request)
      spender.paid(payment, {
        transaction: settled?.transaction,
        reason: settled === undefined ? 'no receipt' : undefined,
      })
      return { ...answer, payment: { ...payment, state: 'paid', ...transactionOf(settled) } }
    }
    if (verdict === 'open') return { ...answer, payment: { ...payment, state: 'open' } }
    spender.refused(payment, { reason: `status ${answer.status}` })
    return { ...answer, payment: { ...payment, state: 'refused' } }
  }

  /** The answer for the wallet's pass; undefined where none opens the tool. */
  const byPass = async (request: ClientRequest, { url, challenge }: Purchase): Promise<ClientAnswer | undefined> => {
    // Who proves another thing there leaves no room for the pass.
    if (new Headers(request.headers).has('authorization')) return undefined
    const proof = await parts.pass?.proofFor(url, challenge)
    if (proof === undefined) return undefined
    const answer = await send(request, { authorization: proof })
    if (![401, 402, 403].includes(answer.status)) return { ...answer, payment: undefined }
    parts.pass?.refused(url, challenge)
    return undefined
  }

  const ask = async (request: ClientRequest) => {
    const first = await send(request, {})
    if (first.status !== 402) return { answer: { ...first, payment: undefined } }
    const challenge = challengeOfAnswer(first.headers, first.body)
    await check(first, request, challenge.extensions[extensionName] !== undefined)
    const url = new URL(request.url)
    const { signal, topUp, approve = parts.approve } = request
    const tool = `${request.method} ${url.pathname}`
    return { purchase: { call: callOf(request), url, tool, challenge, signal, approve, topUp } }
  }

  return createBuying({ spender, prepaid: parts.prepaid, callOf, ask, byPass, finish, finishDraw })
}

function transactionOf(settled: { readonly transaction?: string | undefined } | undefined) {
  return settled?.transaction === undefined ? {} : { transaction: settled.transaction }
}

function headersOf({ id, version, payload }: Payment): Readonly<Record<string, string>> {
  const payment = Buffer.from(JSON.stringify(payload), 'utf8').toString('base64')
  return { [version === 1 ? 'x-payment' : 'payment-signature']: payment, 'idempotency-key': id }
}

/** The same for the same question at the same address. */
function callOf({ method, url, headers, body, callId }: ClientRequest): string {
  const hash = createHash('sha256')
  const type = new Headers(headers).get('content-type') ?? ''
  for (const part of ['http', method, url, type, callId ?? '']) hash.update(part).update('\0')
  return hash.update(body ?? '').digest('hex')
}
