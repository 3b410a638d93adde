import { type Loopback, serveLoopback } from '../harness/loopback.ts'

/** What a node can do wrong. `wrong` swears that nothing ever happened, `ahead` that a day has passed. */
export type RpcFault = 'none' | 'down' | 'slow' | 'wrong' | 'error' | 'ahead'

export type FaultyRpc = {
  readonly url: string
  /** What it sees of connections. */
  readonly wire: Loopback
  /** Names of all headers that it was ever sent. */
  readonly headerNames: ReadonlySet<string>
  readonly set: (fault: RpcFault) => void
  readonly close: () => Promise<void>
}

type Handle = (method: string, params: readonly unknown[]) => unknown

type Call = { readonly id: unknown; readonly method: string; readonly params?: readonly unknown[] }

/** A JSON-RPC node on loopback that fails on demand. */
export async function serveFaultyRpc(handle: Handle): Promise<FaultyRpc> {
  let fault: RpcFault = 'none'
  const timers = new Set<NodeJS.Timeout>()
  const headerNames = new Set<string>()

  const answerOf = async ({ id, method, params = [] }: Call): Promise<unknown> => {
    if (fault === 'error') return { jsonrpc: '2.0', id, error: { code: -32_000, message: 'header not found' } }
    if (fault === 'wrong' && method === 'eth_call') return { jsonrpc: '2.0', id, result: `0x${'0'.repeat(64)}` }
    if (fault === 'wrong' && method === 'eth_getTransactionReceipt') return { jsonrpc: '2.0', id, result: null }
    try {
      const result = await handle(method, params)
      return { jsonrpc: '2.0', id, result: fault === 'ahead' ? aDayOn(result) : result }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : -32_000
      return { jsonrpc: '2.0', id, error: { code, message: error instanceof Error ? error.message : 'failed' } }
    }
  }

  const server = await serveLoopback((request, response) => {
    for (const name of Object.keys(request.headers)) headerNames.add(name)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (fault === 'down') {
        request.socket.destroy()
        return
      }
      const reply = async (): Promise<void> => {
        const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Call | readonly Call[]
        const body = 'length' in asked ? await Promise.all(asked.map(answerOf)) : await answerOf(asked)
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      }
      if (fault === 'slow') timers.add(setTimeout(() => void reply(), 600_000))
      else reply().catch(() => request.socket.destroy())
    })
  })
  return {
    url: server.url,
    wire: server,
    headerNames,
    set: (next) => {
      fault = next
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer)
      await server.close()
    },
  }
}

/** A block as it will be tomorrow; anything else as it is. */
function aDayOn(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('timestamp' in result)) return result
  return { ...result, timestamp: `0x${(Number(result.timestamp) + 86_400).toString(16)}` }
}
