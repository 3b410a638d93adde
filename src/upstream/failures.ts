import { CallError, UpstreamError } from '../errors.ts'

/** The error member of a JSON-RPC answer. */
export type RpcFailure = { readonly code: number; readonly message: string; readonly data?: unknown }

/** An RPC understood the call and answered with an error: a revert, a range that is too large. */
export class RpcError extends UpstreamError {
  readonly rpcCode: number
  /** The RPC's own words; never to be shown to a caller. */
  readonly rpcMessage: string
  /** Revert data as hex, where the RPC gave any. */
  readonly data: string | undefined

  constructor(upstream: string, error: RpcFailure) {
    super(upstream, 'The chain refused the call.', { cause: new Error(`${error.code}: ${error.message}`) })
    this.name = 'RpcError'
    this.rpcCode = error.code
    this.rpcMessage = error.message
    this.data = typeof error.data === 'string' ? error.data : undefined
  }

  /** Whether the called contract itself refused, so that every RPC says the same. */
  get isRevert(): boolean {
    return this.rpcCode === 3 || /revert/i.test(this.rpcMessage)
  }
}

/** An address we do not ask: not public, not HTTP, or our own. Tools say which field it came from. */
export class RefusedAddressError extends CallError {
  constructor(message: string) {
    super('invalid_input', message, { nextStep: 'Give a public http or https address. Nothing was charged.' })
    this.name = 'RefusedAddressError'
  }
}

/** Why a public address gave no answer. */
export type WebFailure = 'dns' | 'connection' | 'timeout' | 'too_large' | 'redirects'

/** A public address that was asked and gave no usable answer. */
export class WebError extends UpstreamError {
  readonly reason: WebFailure

  constructor(reason: WebFailure, cause: unknown) {
    super('web', webFailures[reason], { cause })
    this.name = 'WebError'
    this.reason = reason
  }
}

const webFailures = {
  dns: 'The host name does not resolve.',
  connection: 'The connection to the host failed.',
  timeout: 'The host did not answer in time.',
  too_large: 'The host answered with more bytes than are read.',
  redirects: 'The host redirects too often.',
} as const satisfies Record<WebFailure, string>
