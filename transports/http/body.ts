import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

import { CallError, InvalidInputError } from '../../src/errors.ts'

const maxDepth = 64

/**
 * The request's body as JSON; undefined where it is empty. A body that is too large is read no further than the limit.
 * @throws CallError 400 naming what is wrong and where.
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
  /** What of the body was taken from the request already. */
  head?: Buffer,
): Promise<unknown> {
  const declared = Number(request.headers['content-length'] ?? '0')
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new CallError('unsupported_media', `Bodies in the encoding "${encoding.slice(0, 32)}" are not read.`, {
      nextStep: 'Send the JSON uncompressed.',
    })
  }
  return parseBody(request, await readBytes(request, { declared, maxBytes, head }))
}

/** A whole body as JSON; undefined where it is empty. @throws CallError 400 or 415 naming what is wrong and where. */
export function parseBody(request: IncomingMessage, bytes: Buffer): unknown {
  if (!isUtf8(bytes)) {
    // Read leniently, two different bodies could become the same call.
    throw new CallError('invalid_json', 'The body is not UTF-8.', {
      nextStep: 'Send one JSON object in UTF-8.',
      details: { path: '' },
    })
  }
  const text = bytes.toString('utf8')
  if (text.trim() === '') return undefined
  if (!isJson(request.headers['content-type'])) {
    throw new CallError('unsupported_media', 'The body must be sent with content-type application/json.', {
      nextStep: 'Set the header and send the call again.',
    })
  }
  return parseJson(text)
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined || contentType === 'application/json') return true
  const type = contentType.split(';')[0]?.trim().toLowerCase()
  // Clients that send a text without saying what it is say text/plain; it is read as JSON or refused.
  return type === 'application/json' || type === 'text/plain' || type?.endsWith('+json') === true
}

type Reading = { readonly declared: number; readonly maxBytes: number; readonly head: Buffer | undefined }

function readBytes(request: IncomingMessage, { declared, maxBytes, head }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let complete = false
    const finish = (): void => {
      complete = true
      const [only] = chunks
      resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks))
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) {
        request.off('data', onData)
        request.resume()
        reject(tooLarge(maxBytes))
        return
      }
      chunks.push(chunk)
      // Node's parser gives no more than what was declared: the end needs no waiting for.
      if (size === declared) finish()
    }
    // Every request closes in the end; an error nobody hears of would cost more than reading the body does.
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

/** @throws CallError `invalid_json`, saying where. */
export function parseJson(text: string): unknown {
  const depth = depthOf(text)
  if (depth > maxDepth) {
    throw new CallError('invalid_json', `The body is nested more than ${maxDepth} levels deep.`, {
      nextStep: 'Send a flatter input.',
      details: { path: '' },
    })
  }
  try {
    return text.includes('__proto__') ? JSON.parse(text, refuseProto) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof CallError) throw cause
    const at = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    throw new CallError('invalid_json', `The body is not JSON${at === undefined ? '' : ` (at character ${at})`}.`, {
      nextStep: 'Send one JSON object.',
      details: { path: '', ...(at === undefined ? {} : { position: Number(at) }) },
      cause,
    })
  }
}

/** A key that would reach into every object's prototype is no field of any tool. */
function refuseProto(this: unknown, key: string, value: unknown): unknown {
  if (key !== '__proto__') return value
  throw new InvalidInputError('/__proto__', 'The input has an unknown field: __proto__.')
}

/** How deep brackets nest, counted before parsing because the parser itself would recurse. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inText = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inText) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inText = false
    } else if (code === 0x22) inText = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return deepest
}
