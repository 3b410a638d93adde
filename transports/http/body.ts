import type { IncomingMessage } from 'node:http'

import { isReadInline, largestInline } from '../../src/access/large-input.ts'
import { readJson } from '../../src/call/json.ts'
import { CallError } from '../../src/errors.ts'
import { ownTurn } from '../../src/platform/turns.ts'
import type { LargeBody } from '../../src/server/threads/tool-threads.ts'

/** What is larger takes more than a fraction of a millisecond, and waits for a turn of its own. */
const quick = 4 * 1024

/** How the body of a request is read. */
export type BodyReading = {
  readonly maxBytes: number
  /** What of the body was taken from the request already. */
  readonly head?: Buffer | undefined
  /** Reads a body that is too large to be parsed in this thread; undefined where there is no other. */
  readonly readLarge: ((bytes: Uint8Array) => Promise<LargeBody>) | undefined
  /**
   * Told as soon as more has come than a small body has, or the body turns out to have more parts.
   * @throws CallError where there is no room for it.
   */
  readonly onLarge: () => void
}

/**
 * The request's body as JSON; undefined where it is empty. A body that is too large is read no further than the limit.
 * @throws CallError 400 naming what is wrong and where.
 */
export async function readJsonBody(
  request: IncomingMessage,
  { maxBytes, head, readLarge, onLarge }: BodyReading,
): Promise<LargeBody> {
  const declared = Number(request.headers['content-length'] ?? '0')
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new CallError('unsupported_media', `Bodies in the encoding "${encoding.slice(0, 32)}" are not read.`, {
      nextStep: 'Send the JSON uncompressed.',
    })
  }
  const bytes = await readBytes(request, { declared, maxBytes, head, onLarge })
  if (readLarge === undefined || isReadInline(bytes)) {
    if (bytes.length > quick) await ownTurn()
    return { value: parseBody(request, bytes), input: undefined }
  }
  checkType(request)
  if (bytes.length <= largestInline) onLarge()
  return readLarge(bytes)
}

/** A whole body as JSON; undefined where it is empty. @throws CallError 400 or 415 naming what is wrong and where. */
export function parseBody(request: IncomingMessage, bytes: Buffer): unknown {
  return readJson(bytes, () => checkType(request))
}

/** @throws CallError 415 */
function checkType({ headers }: IncomingMessage): void {
  if (isJson(headers['content-type'])) return
  throw new CallError('unsupported_media', 'The body must be sent with content-type application/json.', {
    nextStep: 'Set the header and send the call again.',
  })
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined || contentType === 'application/json') return true
  const type = contentType.split(';')[0]?.trim().toLowerCase()
  // Clients that send a text without saying what it is say text/plain; it is read as JSON or refused.
  return type === 'application/json' || type === 'text/plain' || type?.endsWith('+json') === true
}

type Reading = Pick<BodyReading, 'maxBytes' | 'onLarge'> & {
  readonly declared: number
  readonly head: Buffer | undefined
}

function readBytes(request: IncomingMessage, { declared, maxBytes, head, onLarge }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let complete = false
    const finish = (): void => {
      complete = true
      const [only] = chunks
      resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks))
    }
    let isLarge = false
    const refuse = (error: unknown): void => {
      request.off('data', onData)
      request.resume()
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) {
        refuse(tooLarge(maxBytes))
        return
      }
      if (size > largestInline && !isLarge) {
        isLarge = true
        try {
          onLarge()
        } catch (error) {
          refuse(error)
          return
        }
      }
      chunks.push(chunk)
      // Node's parser gives no more than what was declared: the end needs no waiting for.
      if (size === declared) finish()
    }
    // Every request closes in the end; making an error that nobody reads would cost more than reading the body.
    const onBroken = (): void => {
      if (!complete) reject(new CallError('invalid_json', 'The request broke off before its body was complete.'))
    }
    if (head !== undefined) onData(head)
    request.on('data', onData)
    request.on('end', () => {
      if (!complete) finish()
    })
    request.on('error', onBroken)
    request.on('close', onBroken)
  })
}

function tooLarge(maxBytes: number): CallError {
  return new CallError('payload_too_large', `The body is larger than ${maxBytes} bytes.`, {
    nextStep: 'Send a smaller input.',
    details: { path: '', maxBytes },
  })
}
