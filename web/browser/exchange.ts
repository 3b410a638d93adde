import { fromBase64, isRecord, parsed } from './dom.ts'

/** A request and what came back, as both are shown. */
export type Exchange = {
  readonly method: string
  readonly path: string
  readonly sent: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

/** No answer came. The message is for people. */
export class NoAnswerError extends Error {}

/** Longer than any tool and its settlement may take. */
const waitMs = 70_000

/** Sends a request and reads its answer whole. @throws NoAnswerError */
export async function exchange(
  method: string,
  path: string,
  sent: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Exchange> {
  try {
    const answer = await fetch(path, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(waitMs),
    })
    const text = await answer.text()
    return { method, path, sent, body, status: answer.status, headers: [...answer.headers], text }
  } catch (cause) {
    throw new NoAnswerError('No answer came: the connection was lost, or it took too long.', { cause })
  }
}

function headerOf({ headers }: Exchange, name: string): string | undefined {
  return headers.find(([known]) => known === name)?.[1]
}

/** What a failed call says of itself. */
export type Failure = {
  readonly code: string
  readonly message: string
  readonly nextStep: string
  readonly charged: 'no' | 'yes' | 'unknown'
  /** The field of the input that is wrong. */
  readonly field: string | undefined
}

/** The failure in an answer; undefined where it is a 402 or no failure. */
export function failureOf({ text, status }: Exchange): Failure | undefined {
  const body = parsed(text)
  const error = isRecord(body) ? body['error'] : undefined
  if (status < 400) return undefined
  if (!isRecord(error)) {
    return status === 402
      ? undefined
      : {
          code: String(status),
          message: 'The server gave no reason.',
          nextStep: '',
          charged: 'unknown',
          field: undefined,
        }
  }
  const { code, message, nextStep, charged, details } = error
  const path = isRecord(details) ? details['path'] : undefined
  return {
    code: String(code),
    message: String(message),
    nextStep: typeof nextStep === 'string' ? nextStep : '',
    charged: charged === false ? 'no' : charged === true ? 'yes' : 'unknown',
    field: typeof path === 'string' ? path.split('/')[1] : undefined,
  }
}

/** What a receipt header holds: of a settlement, or of its refusal. */
export function receiptOf(answer: Exchange): Readonly<Record<string, unknown>> | undefined {
  const value = parsed(fromBase64(headerOf(answer, 'payment-response') ?? ''))
  return isRecord(value) ? value : undefined
}
