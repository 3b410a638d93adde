import { isUtf8 } from 'node:buffer'

import { CallError, InvalidInputError } from '../errors.ts'

const maxDepth = 64

/**
 * The JSON that bytes hold; undefined where there is only space.
 * @param beforeParsing called where there is something to parse; may throw.
 * @throws CallError `invalid_json`, saying where.
 */
export function readJson(bytes: Uint8Array, beforeParsing: () => void = () => {}): unknown {
  if (!isUtf8(bytes)) {
    // Read leniently, two different bodies could become the same call.
    throw new CallError('invalid_json', 'The body is not UTF-8.', {
      nextStep: 'Send one JSON object in UTF-8.',
      details: { path: '' },
    })
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  if (text.trim() === '') return undefined
  beforeParsing()
  return parseJson(text)
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
