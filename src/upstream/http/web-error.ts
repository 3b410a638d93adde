import { CallError, UpstreamError } from '../../errors.ts'

/** An address we do not ask: not public, not HTTP, or our own. Tools say which field it came from. */
export class RefusedAddressError extends CallError {
  constructor(message: string) {
    super('invalid_input', message, { nextStep: 'Give a public http or https address.' })
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
