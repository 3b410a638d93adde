import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

import { CallError, InvalidInputError } from '../../src/errors.ts'

const maxDepth = 64

/**
 * The request's body as JSON; undefined where it is empty. A body that is too large is read no further than the limit.
 * @throws CallError 400 naming what is wrong and where.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const declared = Number(request.headers['content-length'] ?? '0')
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new CallError('unsupported_media', `Bodies in the encoding "${encoding.slice(0, 32)}" are not read.`, {
      nextStep: 'Send the JSON uncompressed. Nothing was charged.',
    })
  }
  const bytes = await readBytes(request, maxBytes)
  if (!isUtf8(bytes)) {
    // Read leniently, two different bodies could become the same call.
    throw new CallError('invalid_json', 'The body is not UTF-8.', {
      nextStep: 'Send one JSON object in UTF-8. Nothing was charged.',
      details: { path: '' },
    })
  }
  const text = bytes.toString('utf8')
  if (text.trim() === '') return undefined
  const type = (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json' && type?.endsWith('+json') !== true) {
    throw new CallError('unsupported_media', 'The body must be sent with content-type application/json.', {
      nextStep: 'Set the header and send the call again. Nothing was charged.',
    })
  }
  return parseJson(text)
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) {
        request.off('data', onData)
        request.resume()
        reject(tooLarge(maxBytes))
        return
      }
      chunks.push(chunk)
    }
    request.on('data', onData)
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () =>
      reject(new CallError('invalid_json', 'The request broke off before its body was complete.')),
    )
    request.on('close', () =>
      reject(new CallError('invalid_json', 'The request broke off before its body was complete.')),
    )
  })
}

function tooLarge(maxBytes: number): CallError {
  return new CallError('payload_too_large', `The body is larger than ${maxBytes} bytes.`, {
    nextStep: 'Send a smaller input. Nothing was charged.',
    details: { path: '', maxBytes },
  })
}

/** @throws CallError `invalid_json`, saying where. */
export function parseJson(text: string): unknown {
  const depth = depthOf(text)
  if (depth > maxDepth) {
    throw new CallError('invalid_json', `The body is nested more than ${maxDepth} levels deep.`, {
      nextStep: 'Send a flatter input. Nothing was charged.',
      details: { path: '' },
    })
  }
  try {
    return text.includes('__proto__') ? JSON.parse(text, refuseProto) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof CallError) throw cause
    const at = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    throw new CallError('invalid_json', `The body is not JSON${at === undefined ? '' : ` (at character ${at})`}.`, {
      nextStep: 'Send one JSON object. Nothing was charged.',
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
