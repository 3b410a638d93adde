import { countBytes } from './budget.ts'

/** Thrown when a body is larger than its cap; nothing beyond the cap is kept. */
export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The body is larger than ${maxBytes} bytes.`)
    this.name = 'BodyTooLargeError'
  }
}

/**
 * Reads a body to its end, or gives up: at the byte cap, or when the signal aborts.
 * The cap counts what comes out of decompression, because a few hundred bytes can unpack to gigabytes.
 *
 * @throws BodyTooLargeError, or BudgetError of the run that reads
 */
export async function readCapped(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const { body } = response
  if (body === null) return new Uint8Array(0)
  const reader = body.getReader()
  const giveUp = (): void => {
    reader.cancel(signal.reason).catch(() => undefined)
  }
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return joined(chunks, length)
      length += value.byteLength
      if (length > maxBytes) throw new BodyTooLargeError(maxBytes)
      countBytes(value.byteLength)
      chunks.push(value)
    }
  } catch (error) {
    giveUp()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** Lets go of a body nobody will read, so that its connection is free again. */
export function discardBody(response: Response): void {
  response.body?.cancel().catch(() => undefined)
}

/** Whether a JSON text nests deeper than `limit`, found before it is parsed. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index += 1
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) {
      depth += 1
      if (depth > limit) return true
    } else if (code === closeBrace || code === closeBracket) depth -= 1
  }
  return false
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/** Chunks of so many bytes in all, in one piece. */
export function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
