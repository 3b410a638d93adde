import { isOwnNetwork, type Limits } from '../access/limits.ts'
import type { Call, CallRequest } from '../call/call.ts'
import { CallError, outcomes } from '../errors.ts'
import { PaymentRequiredError } from '../payments/x402/required.ts'

/** Codes of a refusal of what the caller showed, whatever it was. */
const rejections: ReadonlySet<string> = new Set([
  'invalid_payment',
  'ambiguous_payment',
  'invalid_credential',
  'proof_rejected',
  'payment_bound',
  'payment_used',
])

/** Counts what each address leads to, and refuses one that leads to too much of it. */
export function limitCalls(call: Call, limits: Limits): Call {
  return async (request) => {
    if (isOwnNetwork(request.ip)) return call(request)
    limits.require(request.ip, 'rejections', 'failures')
    if (request.credentials.payment === undefined) limits.require(request.ip, 'challenges')
    if (isFree(request)) limits.require(request.ip, 'freeCalls')
    try {
      const result = await call(request)
      if (result.entry === 'free') limits.spend(request.ip, 'freeCalls')
      // Who pays may ask for terms as often as that takes.
      if (result.entry === 'payment') limits.spend(request.ip, 'challenges', -1)
      return result
    } catch (error) {
      const limit = limitOf(error)
      if (limit !== undefined) limits.spend(request.ip, limit)
      throw error
    }
  }
}

function isFree({ tool }: CallRequest): boolean {
  return tool.access.mode === 'free' || tool.access.mode === 'tiered'
}

function limitOf(error: unknown): 'challenges' | 'rejections' | 'failures' | undefined {
  if (error instanceof PaymentRequiredError) return error.refused === undefined ? 'challenges' : 'rejections'
  if (!(error instanceof CallError)) return 'failures'
  if (rejections.has(error.code)) return 'rejections'
  return error.code === 'not_found' || outcomes[error.code].http === 500 ? 'failures' : undefined
}
