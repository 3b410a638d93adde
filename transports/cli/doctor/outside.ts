import { maxHeaderBlockBytes } from '../../../src/payments/x402/required.ts'
import type { Finding } from './operator.ts'

const timeoutMs = 5_000

type Look = { readonly fault: string | undefined; readonly bytes: number }

/** Asks every tool for its price at its public address: what a proxy cuts short or changes, nobody can pay. */
export async function termsFinding(endpoints: readonly string[]): Promise<Finding> {
  const check = 'terms of every tool'
  const looks = await Promise.all(endpoints.map(async (endpoint) => ({ endpoint, ...(await lookAt(endpoint)) })))
  const bad = looks.filter(({ fault }) => fault !== undefined)
  const largest = Math.max(0, ...looks.map(({ bytes }) => bytes))
  const [first] = bad
  if (first !== undefined) {
    const slug = first.endpoint.split('/').at(-1) ?? first.endpoint
    return {
      check,
      status: 'fail',
      found: `${bad.length} of ${looks.length} tools cannot be paid from there; ${slug}: ${first.fault}`,
      fix: 'Give the proxy room for response headers (nginx: proxy_buffer_size 16k), and let all of them through.',
    }
  }
  const found = `${looks.length} tools answer with their terms; the largest block of headers is ${largest} bytes`
  return largest <= maxHeaderBlockBytes
    ? { check, status: 'ok', found }
    : { check, status: 'warn', found, fix: `Something adds headers; many proxies take no more than 4,096 bytes.` }
}

async function lookAt(endpoint: string): Promise<Look> {
  try {
    const response = await fetch(endpoint, { method: 'POST', signal: AbortSignal.timeout(timeoutMs) })
    const body = await response.text()
    // As they travel: name, colon, space, value and the end of the line.
    const bytes = [...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
    if (response.status === 503) {
      await response.body?.cancel()
      // It is closed for the moment, which is reported separately.
      return { fault: undefined, bytes }
    }
    if (response.status !== 402) return { fault: `answers ${response.status} instead of 402`, bytes }
    const encoded = response.headers.get('payment-required')
    if (encoded === null) return { fault: 'the header with the terms is gone', bytes }
    const isSame = Buffer.from(encoded, 'base64').toString('utf8') === body
    return { fault: isSame ? undefined : 'header and body differ', bytes }
  } catch {
    return { fault: 'does not answer', bytes: 0 }
  }
}
