import { Client, type Tool, type Transport } from '@modelcontextprotocol/client'

import { packageInfo } from '../../platform/package-info.ts'

export type McpCall = {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>> | undefined
  readonly meta: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: number, total: number | undefined, message: string | undefined) => void) | undefined
}

/** An MCP server that this program is the client of. */
export type McpConnection = {
  /** Every tool, whose schema is an object's. */
  readonly list: (signal: AbortSignal) => Promise<readonly Tool[]>
  readonly call: (call: McpCall) => ReturnType<typeof request>
  /** @throws where the server does not answer. */
  readonly ping: (signal: AbortSignal) => Promise<void>
  /** Connects, where that has not been done. */
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

export type McpConnectionParts = {
  /** A new way to the server, for each time that one connects. @throws where it may not be reached. */
  readonly transport: () => Promise<Transport>
  /** How long the server may take to begin. */
  readonly connectMs: number
  readonly callMs: number
}

const listMs = 15_000
const mostPages = 20
const mostTools = 500

/** Connects when it is first needed, and again after the server was lost. Calls that were under way then fail. */
export function createMcpConnection({ transport, connectMs, callMs }: McpConnectionParts): McpConnection {
  let connected: Promise<Client> | undefined
  let isClosed = false

  const connect = async (): Promise<Client> => {
    const client = new Client({ name: packageInfo.name, version: packageInfo.version })
    await client.connect(await transport(), { timeout: connectMs })
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK calls back, it sends no events.
    client.onclose = () => {
      connected = undefined
    }
    return client
  }
  const client = (): Promise<Client> => {
    if (isClosed) return Promise.reject(new Error('The connection was closed.'))
    connected ??= connect().catch((error: unknown) => {
      connected = undefined
      throw error
    })
    return connected
  }

  return {
    open: async () => {
      await client()
    },
    ping: async (signal) => {
      await (await client()).request({ method: 'ping' }, { signal, timeout: listMs })
    },
    list: async (signal) => {
      const tools: Tool[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page += 1) {
        const params = cursor === undefined ? {} : { cursor }
        const listed = await (await client()).request({ method: 'tools/list', params }, { signal, timeout: listMs })
        tools.push(...listed.tools.slice(0, mostTools - tools.length))
        cursor = listed.nextCursor
        if (cursor === undefined || tools.length >= mostTools) break
      }
      return tools
    },
    call: async (call) => request(await client(), call, callMs),
    close: async () => {
      isClosed = true
      const open = await connected?.catch(() => undefined)
      await open?.close()
    },
  }
}

function request(client: Client, { name, args, meta, signal, onProgress }: McpCall, timeout: number) {
  const params = { name, ...(args === undefined ? {} : { arguments: args }), _meta: { ...meta } }
  return client.request(
    { method: 'tools/call', params },
    {
      signal,
      timeout,
      ...(onProgress === undefined
        ? {}
        : { onprogress: ({ progress, total, message }) => onProgress(progress, total, message) }),
    },
  )
}
