import { connect, type Socket } from 'node:net'

/** Returns the bytes of a connection's next request, or undefined when it has none left. */
export type NextRequest = (connection: number) => Buffer | undefined

export type LoadOptions = {
  readonly port: number
  readonly connections: number
  readonly next: NextRequest
  /** What every answer's status must be; another one ends the run. */
  readonly status: number
  /** Undefined runs until no connection has a request left. */
  readonly forMs?: number
}

export type Load = { readonly answers: number; readonly wallMs: number }

/**
 * Keeps some connections busy with one request at a time each. It reads sockets itself, because a client that costs
 * more than the server would measure the client.
 */
export async function load(options: LoadOptions): Promise<Load> {
  const { port, connections, next, forMs } = options
  const startedAt = performance.now()
  const until = forMs === undefined ? Infinity : startedAt + forMs
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      return drive(port, options.status, () => (performance.now() < until ? next(index) : undefined))
    }),
  )
  return { answers: counts.reduce((sum, count) => sum + count, 0), wallMs: performance.now() - startedAt }
}

function drive(port: number, status: number, next: () => Buffer | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let answers = 0
    let pending: Buffer = Buffer.alloc(0)
    const send = (): void => {
      const bytes = next()
      if (bytes !== undefined) socket.write(bytes)
      else {
        socket.destroy()
        resolve(answers)
      }
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection.')))
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const end = answerEnd(pending)
      if (end === undefined || pending.length < end) return
      if (Number(pending.toString('latin1', 9, 12)) !== status) {
        reject(new Error(`Expected ${status}, got: ${pending.toString('utf8').slice(0, 4_000)}`))
        socket.destroy()
        return
      }
      pending = pending.subarray(end)
      answers += 1
      send()
    })
  })
}

/** Where the first answer in these bytes ends; undefined while its head is not complete. */
function answerEnd(bytes: Buffer): number | undefined {
  const head = bytes.indexOf('\r\n\r\n')
  if (head === -1) return undefined
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]
  if (length === undefined) throw new Error('An answer came without its length.')
  return head + 4 + Number(length)
}

/** The bytes of one POST. */
export function postBytes(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    'content-length': String(Buffer.byteLength(body)),
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
