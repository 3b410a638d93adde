import type { Pool } from 'undici'
import { z } from 'zod'

const verifyAnswer = z.object({
  isValid: z.boolean(),
  invalidReason: z.string().nullish(),
  payer: z.string().nullish(),
})

const settleAnswer = z.object({
  success: z.boolean(),
  transaction: z.string().nullish(),
  network: z.string().nullish(),
  payer: z.string().nullish(),
  amount: z.string().nullish(),
  errorReason: z.string().nullish(),
})

export type Verification =
  /** `payer` is who the facilitator says will pay, where it says so. */
  | { readonly kind: 'valid'; readonly payer: string | undefined }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** No usable answer; nothing was decided. */
  | { readonly kind: 'unreachable'; readonly cause: unknown }

export type Settlement =
  | { readonly kind: 'settled'; readonly answer: z.output<typeof settleAnswer> & { readonly transaction: string } }
  | { readonly kind: 'refused'; readonly reason: string; readonly transaction: string | undefined }
  /** The transfer may have been broadcast, or not. */
  | { readonly kind: 'unknown'; readonly transaction: string | undefined; readonly cause: unknown }

/** The payment facilitator of x402: checks a signed payment, and broadcasts it. Its words are never shown to callers. */
export type Facilitator = {
  /**
   * @param body JSON text `{x402Version, paymentPayload, paymentRequirements}`.
   * @param options `counts`: whether a failure says something of the facilitator. What a stranger made up may fail on its
   * own account, and must not close the shop for everybody.
   */
  readonly verify: (body: string, options: { readonly counts: boolean }) => Promise<Verification>
  readonly settle: (body: string) => Promise<Settlement>
  /** Whether the facilitator answered lately; without calls for a while, `ok`. */
  readonly status: () => 'ok' | 'down'
  /** Asks for the supported kinds; for `doctor`. */
  readonly supported: () => Promise<unknown>
  readonly close: () => Promise<void>
}

export type FacilitatorParts = {
  readonly url: string
  readonly now: () => number
  readonly verifyTimeoutMs?: number
  readonly settleTimeoutMs?: number
}

const maxAnswerBytes = 256 * 1024
const reasonText = /^[a-z0-9_:. -]{1,96}$/i

/** After this many failures in a row the facilitator counts as down for `restMs`. */
const failuresToRest = 5
const restMs = 5_000

export function createFacilitator(parts: FacilitatorParts): Facilitator {
  const { origin, pathname, username, password } = new URL(parts.url)
  const root = pathname.replace(/\/+$/, '')
  const headers: Readonly<Record<string, string>> = {
    accept: 'application/json',
    'user-agent': 'tollgate',
    ...(username === ''
      ? {}
      : { authorization: `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}` }),
  }
  let opened: Promise<Pool> | undefined
  // By its default export: the only one that a CommonJS package keeps when it is bundled. As many connections as there are
  // calls under way: a payment that waits for one would run out of time without having been sent.
  const open = (): Promise<Pool> =>
    (opened ??= import('undici').then(
      ({ default: undici }) => new undici.Pool(origin, { connections: null, pipelining: 1, keepAliveTimeout: 30_000 }),
    ))
  let failures = 0
  let restUntil = 0

  const note = (isFailure: boolean): void => {
    failures = isFailure ? failures + 1 : 0
    if (failures < failuresToRest) return
    restUntil = parts.now() + restMs
    failures = 0
  }

  const exchange = async (
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    timeoutMs: number,
    counts = true,
  ) => {
    try {
      const answer = await send({ pool: await open(), headers, path: `${root}${path}`, method, body, timeoutMs })
      if (counts) note(answer.status >= 500)
      return answer
    } catch (error) {
      if (counts) note(true)
      throw error
    }
  }

  return {
    verify: async (body, { counts }) => {
      try {
        const timeoutMs = parts.verifyTimeoutMs ?? 5_000
        const answer = await twice(() => exchange('POST', '/verify', body, timeoutMs, counts))
        const parsed = verifyAnswer.safeParse(parseJson(answer.text))
        if (!parsed.success) return { kind: 'unreachable', cause: new Error(`verify answered ${answer.status}`) }
        if (parsed.data.isValid && answer.status < 300) {
          return { kind: 'valid', payer: parsed.data.payer ?? undefined }
        }
        if (parsed.data.isValid) return { kind: 'unreachable', cause: new Error(`verify answered ${answer.status}`) }
        return { kind: 'invalid', reason: cleanReason(parsed.data.invalidReason) }
      } catch (cause) {
        return { kind: 'unreachable', cause }
      }
    },
    settle: async (body) => {
      try {
        const answer = await exchange('POST', '/settle', body, parts.settleTimeoutMs ?? 15_000)
        const parsed = settleAnswer.safeParse(parseJson(answer.text))
        if (!parsed.success) {
          return { kind: 'unknown', transaction: undefined, cause: new Error(`settle answered ${answer.status}`) }
        }
        const transaction = transactionHash(parsed.data.transaction)
        if (parsed.data.success && answer.status < 300 && transaction !== undefined) {
          return { kind: 'settled', answer: { ...parsed.data, transaction } }
        }
        if (parsed.data.success) {
          return { kind: 'unknown', transaction, cause: new Error('settle said success without a transaction') }
        }
        const reason = cleanReason(parsed.data.errorReason)
        if (reason === 'settlement_pending') return { kind: 'unknown', transaction, cause: new Error(reason) }
        return { kind: 'refused', reason, transaction }
      } catch (cause) {
        return { kind: 'unknown', transaction: undefined, cause }
      }
    },
    status: () => (parts.now() < restUntil ? 'down' : 'ok'),
    supported: async () => {
      const answer = await exchange('GET', '/supported', undefined, 5_000)
      if (answer.status !== 200) throw new Error(`/supported answered ${answer.status}`)
      return parseJson(answer.text)
    },
    close: async () => {
      const pool = await opened
      await pool?.destroy()
    },
  }
}

/** How a connection ends that the other side closed. */
const brokenOff = new Set<unknown>(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Verifying changes nothing, so a kept connection that the other side had closed is worth a second try. */
async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && brokenOff.has(error.code)) return await work()
    throw error
  }
}

/** A facilitator's reason is passed on only if it looks like a code; anything else might be a message, or worse. */
function cleanReason(reason: string | null | undefined): string {
  return reason !== null && reason !== undefined && reasonText.test(reason) ? reason : 'refused'
}

function transactionHash(text: string | null | undefined): string | undefined {
  return text !== null && text !== undefined && /^0x[0-9a-fA-F]{64}$/.test(text) ? text : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Sending = {
  readonly pool: Pool
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly body: string | undefined
  readonly timeoutMs: number
}

/**
 * One exchange, bounded as a whole: an answer that drips is cut off too. By undici's lowest door, because two of these are
 * in every paid call, and its streams would cost half as much again.
 */
function send(sending: Sending): Promise<{ readonly status: number; readonly text: string }> {
  const { pool, path, method, body, timeoutMs } = sending
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let size = 0
    let abort: ((reason: Error) => void) | undefined
    let cutOff: Error | undefined
    const stop = (reason: Error): void => {
      cutOff = reason
      abort?.(reason)
      end(() => reject(reason))
    }
    const timer = setTimeout(() => stop(new Error(`The facilitator did not answer within ${timeoutMs} ms.`)), timeoutMs)
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      settle()
    }
    pool.dispatch(
      {
        path,
        method,
        headers: body === undefined ? sending.headers : { ...sending.headers, 'content-type': 'application/json' },
        body: body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      {
        onRequestStart: (controller) => {
          abort = (reason) => controller.abort(reason)
          // The time was over before a connection was free: then it must not be sent any more.
          if (cutOff !== undefined) abort(cutOff)
        },
        onResponseStart: (_controller, statusCode) => {
          status = statusCode
        },
        onResponseData: (_controller, chunk) => {
          size += chunk.length
          if (size > maxAnswerBytes) stop(new Error('The facilitator answered more than 256 kB.'))
          else chunks.push(chunk)
        },
        onResponseEnd: () => end(() => resolve({ status, text: Buffer.concat(chunks).toString('utf8') })),
        onResponseError: (_controller, error) => end(() => reject(error)),
      },
    )
  })
}
