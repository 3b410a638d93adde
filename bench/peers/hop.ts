// The least that a gate in front of an MCP server over HTTP can be, to tell what is possible: bare node:http that sends
// each request on by undici and gives back what comes. It looks into nothing: no price, no schema, no ledger, no bound.
// node bench/peers/hop.ts <address of the server>
import { createServer, type ServerResponse } from 'node:http'

import undici, { type Dispatcher } from 'undici'

const behind = new URL(process.argv[2] ?? '')
const agent = new undici.Agent({ connections: 32, pipelining: 1, keepAliveTimeout: 30_000 })
const sent = ['content-type', 'accept', 'mcp-session-id', 'mcp-protocol-version', 'x-key']
const given = ['content-type', 'mcp-session-id']

type Heads = Readonly<Record<string, string | string[] | undefined>>

function some(names: readonly string[], headers: Heads): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const])),
  )
}

/** Gives back what comes, in one piece. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  readonly #pieces: Buffer[] = []
  #status = 502
  #headers: Record<string, string> = {}

  constructor(response: ServerResponse) {
    this.#response = response
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Heads): void {
    this.#status = status
    this.#headers = some(given, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece)
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#pieces)
    this.#response.writeHead(this.#status, { ...this.#headers, 'content-length': body.length }).end(body)
  }

  onResponseError(): void {
    this.#response.writeHead(502).end()
  }
}

const server = createServer((request, response) => {
  // A stream for what the server says unasked.
  if (request.method === 'GET') {
    response.writeHead(405).end()
    return
  }
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const method = request.method === 'DELETE' ? 'DELETE' : 'POST'
    const headers = some(sent, request.headers)
    const body = Buffer.concat(pieces)
    agent.dispatch({ origin: behind.origin, path: behind.pathname, method, headers, body }, new Answer(response))
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`))
// The process that started this one holds the other end.
process.stdin.on('end', () => process.exit()).resume()
