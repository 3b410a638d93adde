import { CallError, type CallErrorOptions } from '../../errors.ts'
import type { Entry } from '../../tool/tool.ts'

/** What a server tells a thread: to run a tool, to give a run up, or to end. */
export type ToThread =
  | {
      readonly kind: 'run'
      readonly id: number
      readonly slug: string
      readonly input: unknown
      readonly entry: Entry
      readonly passHolder: string | undefined
    }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'close' }

export type UpstreamHealth = Readonly<Record<string, { readonly status: 'ok' | 'degraded' | 'down' }>>

/** What a thread tells its server. */
export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly body: Uint8Array; readonly health: UpstreamHealth }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: Failure; readonly health: UpstreamHealth }
  | { readonly kind: 'closed' }

/** A `CallError` in a form that can be sent; a class would arrive as a plain object. */
export type Failure = Pick<
  CallError,
  'code' | 'message' | 'nextStep' | 'retryAfterSeconds' | 'charged' | 'details' | 'headers' | 'cause'
>

const maxCauses = 3

/** Of a cause only what a log shows is kept: its words and its place. */
function sendableCause(cause: unknown, depth = 0): unknown {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : undefined
  const plain = new Error(cause.message)
  plain.name = cause.name
  if (cause.stack !== undefined) plain.stack = cause.stack
  if (cause.cause !== undefined && depth < maxCauses) plain.cause = sendableCause(cause.cause, depth + 1)
  return plain
}

export function failureOf(error: CallError): Failure {
  const { code, message, nextStep, retryAfterSeconds, charged, details, headers } = error
  return { code, message, nextStep, retryAfterSeconds, charged, details, headers, cause: sendableCause(error.cause) }
}

export function errorOf({ code, message, nextStep, retryAfterSeconds, details, ...rest }: Failure): CallError {
  const options: CallErrorOptions = {
    ...rest,
    ...(nextStep === undefined ? {} : { nextStep }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(details === undefined ? {} : { details }),
  }
  return new CallError(code, message, options)
}
