import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type LoopbackRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type LoopbackAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
}

export type LoopbackServer = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> }

const mostBodyBytes = 1024 * 1024

/** Serves on 127.0.0.1 and nowhere else; port 0 takes a free one. */
export async function serveLoopback(
  answer: (request: LoopbackRequest) => Promise<LoopbackAnswer> | LoopbackAnswer,
  port = 0,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    handle(request, answer).then(
      (result) => write(response, result),
      (error: unknown) => write(response, { status: 500, body: { error: String(error) } }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handle(
  request: IncomingMessage,
  answer: (request: LoopbackRequest) => Promise<LoopbackAnswer> | LoopbackAnswer,
): Promise<LoopbackAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBodyBytes) return { status: 413, body: { error: 'The body is too large.' } }
    chunks.push(chunk)
  }
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  return answer({
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString('utf8'),
  })
}

function write(response: ServerResponse, { status, headers, body }: LoopbackAnswer): void {
  const raw = typeof body === 'string' || body instanceof Uint8Array
  response.writeHead(status, {
    ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
    ...headers,
  })
  response.end(body === undefined || raw ? body : JSON.stringify(body))
}
