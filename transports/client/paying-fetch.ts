import { randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import type { LocalAccount } from 'viem'
import { z } from 'zod'

import { SignatureError, type SignedResponse } from '../../src/platform/http-signature.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { toHeader } from '../../src/payments/x402/required.ts'
import { authorizationTypes } from '../../src/payments/eip3009/types.ts'
import { createVerifier } from './verifier.ts'

export type PayingClientParts = {
  readonly account: Pick<LocalAccount, 'address' | 'signTypedData'>
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  /** The only network and token that this client pays with. */
  readonly network: string
  readonly asset: string
  /** Atomic units; a call that costs more is not paid for. */
  readonly mostPerCall: bigint
  /** Atomic units; the sum of all that this client signs. */
  readonly mostInAll: bigint
  /** `advertised`: only what is announced to be signed has to be. `always`: an unsigned price is not paid. */
  readonly signatures: 'advertised' | 'always'
  /** How long one try may take, in milliseconds; 90 s unless given, which is more than any call takes at the server. */
  readonly timeoutMs?: number
}

export type ClientRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

export type ClientAnswer = SignedResponse & {
  /** What was signed for this answer, in atomic units; undefined where nothing was asked for. */
  readonly signed: bigint | undefined
}

/** Why a call was not paid for; nothing was signed. */
export class NotPaidError extends Error {
  constructor(reason: string) {
    super(`The call was not paid for: ${reason}. Nothing was signed.`)
    this.name = 'NotPaidError'
  }
}

/** Sends a request and pays where that is asked for. @throws NotPaidError, or SignatureError where an answer cannot be trusted. */
export type PayingFetch = (request: ClientRequest) => Promise<ClientAnswer>

const hex = (bytes: number) => z.templateLiteral(['0x', z.string().regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`))])

const offer = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: z.string().regex(/^\d{1,30}$/),
  asset: hex(20),
  payTo: hex(20),
  maxTimeoutSeconds: z.number().min(1),
  extra: z.looseObject({ name: z.string(), version: z.string() }),
})
const challenge = z.object({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.string() }).optional(),
  // Terms of other schemes have other fields; they are not for us.
  accepts: z.array(z.unknown()),
  extensions: z.record(z.string(), z.unknown()).optional(),
})

type Offer = z.output<typeof offer>
type Challenge = z.output<typeof challenge>

const extensionName = 'http-message-signatures'
const longestLifeSeconds = 600
const mostTries = 4
const defaultTimeoutMs = 90_000

/**
 * A client that pays by itself, within its limits. It signs once per call: whatever happens afterwards, the same payment
 * is sent again with the same idempotency key, and never another one.
 */
export function createPayingFetch(parts: PayingClientParts): PayingFetch {
  const { account, clock } = parts
  const { verify } = createVerifier({ fetch: parts.fetch, now: clock.now })
  /** Servers that announced signatures once: from then on an answer without one is a forgery. */
  const signing = new Set<string>()
  let spent = 0n

  const send = async (request: ClientRequest, extra: Readonly<Record<string, string>>): Promise<SignedResponse> => {
    const { method, url, headers, body, signal } = request
    const late = AbortSignal.timeout(parts.timeoutMs ?? defaultTimeoutMs)
    const answer = await parts.fetch(url, {
      method,
      headers: { ...headers, ...extra },
      // What is signed names its address; nobody is paid at another one.
      redirect: 'error',
      ...(body === undefined ? {} : { body }),
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    })
    return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
  }

  /** @throws SignatureError where signatures are to be expected and this one does not do. */
  const check = async (response: SignedResponse, request: ClientRequest, announced: boolean): Promise<void> => {
    const { origin } = new URL(request.url)
    if (announced || response.headers.has('signature-input')) signing.add(origin)
    if (parts.signatures === 'always' || signing.has(origin)) await verify(response, request)
  }

  /** Sends the payment until it is answered for good; the server answers the same payment with the same bytes. */
  const sendPaid = async (
    request: ClientRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<SignedResponse> => {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await send(request, headers)
        if (tries >= mostTries || !isWorthAnotherTry(answer)) return answer
        await clock.sleep(retryAfterMs(answer), request.signal)
      } catch (error) {
        if (tries >= mostTries || request.signal?.aborted === true) throw error
        await clock.sleep(1_000, request.signal)
      }
    }
  }

  return async (request) => {
    const first = await send(request, {})
    if (first.status !== 402) return { ...first, signed: undefined }
    const asked = challengeOf(first)
    await check(first, request, asked.extensions?.[extensionName] !== undefined)
    const chosen = chooseOffer(asked, parts)
    const amount = BigInt(chosen.amount)
    if (amount > parts.mostPerCall) throw new NotPaidError(`it costs ${amount}, and ${parts.mostPerCall} is the most`)
    if (spent + amount > parts.mostInAll) throw new NotPaidError(`${parts.mostInAll - spent} is left to spend`)
    // Counted before it is signed: calls at the same time share the limit.
    spent += amount
    const payload = await authorize(account, chosen, clock.now())
    const answer = await sendPaid(request, {
      'payment-signature': toHeader({
        x402Version: 2,
        ...(asked.resource === undefined ? {} : { resource: asked.resource }),
        accepted: chosen,
        payload,
      }),
      'idempotency-key': randomUUID(),
    })
    // Only an answer that was paid for is signed; a refusal is a refusal, whoever says it.
    if (answer.status === 200 && amount > 0n) {
      await check(answer, request, false)
      if (!answer.headers.has('payment-response')) throw new SignatureError('the answer to a payment has no receipt')
    }
    return { ...answer, signed: amount }
  }
}

/** The terms, where header and body say the same. @throws NotPaidError */
function challengeOf({ headers, body }: SignedResponse): Challenge {
  const inHeader = parse(Buffer.from(headers.get('payment-required') ?? '', 'base64').toString('utf8'))
  const parsed = challenge.safeParse(inHeader)
  if (!parsed.success) throw new NotPaidError('the server names no terms of x402 v2')
  if (!isDeepStrictEqual(inHeader, parse(Buffer.from(body).toString('utf8')))) {
    throw new NotPaidError('the terms in the header are not those in the body')
  }
  return parsed.data
}

function chooseOffer({ accepts }: Challenge, { network, asset }: PayingClientParts): Offer {
  for (const one of accepts) {
    const { success, data } = offer.safeParse(one)
    if (!success || data.scheme !== 'exact' || data.network !== network) continue
    if (data.asset.toLowerCase() === asset.toLowerCase()) return data
  }
  throw new NotPaidError(`it is not sold for ${asset} on ${network}`)
}

async function authorize(account: PayingClientParts['account'], chosen: Offer, now: number) {
  const life = Math.min(chosen.maxTimeoutSeconds, longestLifeSeconds)
  const validBefore = Math.floor(now / 1_000) + life
  const message = {
    from: account.address,
    to: chosen.payTo,
    value: BigInt(chosen.amount),
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  } as const
  const signature = await account.signTypedData({
    domain: {
      name: chosen.extra.name,
      version: chosen.extra.version,
      chainId: Number(chosen.network.slice('eip155:'.length)),
      verifyingContract: chosen.asset,
    },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const authorization = {
    ...message,
    value: chosen.amount,
    validAfter: '0',
    validBefore: String(validBefore),
  }
  return { signature, authorization }
}

const failure = z.object({ error: z.object({ retryable: z.boolean(), charged: z.unknown() }) })

/** Whether the same payment may still be answered: the server says so, or a proxy in between failed. */
function isWorthAnotherTry({ status, body }: SignedResponse): boolean {
  if (status < 400 || status === 402) return false
  const parsed = failure.safeParse(parse(Buffer.from(body).toString('utf8')))
  return parsed.success ? parsed.data.error.retryable : status >= 500
}

function retryAfterMs({ headers }: SignedResponse): number {
  const seconds = Number(headers.get('retry-after') ?? '1')
  return Math.min(Number.isFinite(seconds) && seconds > 0 ? seconds : 1, 10) * 1_000
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON fits no schema either.
    return undefined
  }
}
