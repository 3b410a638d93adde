import { Client, type ClientCapabilities, isSpecType, type Tool, type Transport } from '@modelcontextprotocol/client'
import * as z from 'zod/mini'

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
  /** The result as it came; nothing of it was looked at. */
  readonly call: (call: McpCall) => Promise<Readonly<Record<string, unknown>>>
  /** A resource as it came; nothing of it was looked at. */
  readonly read: (uri: string, signal: AbortSignal) => Promise<unknown>
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
  /** Extensions of MCP that this client says it has. */
  readonly extensions?: NonNullable<ClientCapabilities['extensions']>
  /** Something was listed as a tool and is none. */
  readonly onLeftOut?: () => void
}

const listMs = 15_000
const mostPages = 20
const mostTools = 500

// One tool that is no tool must not hide the others, so only the frame of a list is checked by the SDK.
const answered = z.looseObject({})
const listed = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.optional(z.string()) })

/** Connects when it is first needed, and again after the server was lost. Calls that were under way then fail. */
export function createMcpConnection(parts: McpConnectionParts): McpConnection {
  const { transport, connectMs, callMs, extensions, onLeftOut } = parts
  let connected: Promise<Client> | undefined
  let isClosed = false

  const connect = async (): Promise<Client> => {
    const client = new Client(
      { name: packageInfo.name, version: packageInfo.version },
      extensions === undefined ? {} : { capabilities: { extensions } },
    )
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
      await (await client()).request({ method: 'ping' }, answered, { signal, timeout: listMs })
    },
    list: async (signal) => {
      const tools: Tool[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page += 1) {
        const params = cursor === undefined ? {} : { cursor }
        const options = { signal, timeout: listMs }
        const answer = await (await client()).request({ method: 'tools/list', params }, listed, options)
        for (const tool of answer.tools.slice(0, mostTools - tools.length)) {
          if (isSpecType.Tool(tool)) tools.push(tool)
          else onLeftOut?.()
        }
        cursor = answer.nextCursor
        if (cursor === undefined || tools.length >= mostTools) break
      }
      return tools
    },
    read: async (uri, signal) =>
      (await client()).request({ method: 'resources/read', params: { uri } }, answered, { signal, timeout: listMs }),
    call: async ({ name, args, meta, signal, onProgress }) => {
      const params = { name, ...(args === undefined ? {} : { arguments: args }), _meta: { ...meta } }
      const progress =
        onProgress === undefined
          ? {}
          : { onprogress: (at: Progress): void => onProgress(at.progress, at.total, at.message) }
      const options = { signal, timeout: callMs, ...progress }
      return (await client()).request({ method: 'tools/call', params }, answered, options)
    },
    close: async () => {
      isClosed = true
      const open = await connected?.catch(() => undefined)
      await open?.close()
    },
  }
}

type Progress = {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}
