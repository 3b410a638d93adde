import { Client, isSpecType, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client'
import * as z from 'zod/mini'

import type { Log } from '../../src/platform/log.ts'
import { packageInfo } from '../../src/platform/package-info.ts'
import type { PayingFetch } from '../client/exchange.ts'
import { checkHost } from '../client/hosts.ts'
import type { Approve } from '../client/options.ts'
import type { PaidToolResult, PayingMcp } from '../client/paying-mcp.ts'

export type RemoteParts = {
  readonly url: URL
  readonly fetch: typeof globalThis.fetch
  readonly hosts: readonly string[] | undefined
  readonly payMcp: PayingMcp
  readonly payFetch: PayingFetch
  readonly log: Log
}

export type RemoteCall = {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>> | undefined
  readonly signal: AbortSignal
  readonly approve: Approve | undefined
  readonly onProgress: ((progress: number, total: number | undefined, message: string | undefined) => void) | undefined
}

/** A server behind this one, whose calls are paid for. */
export type Remote = {
  readonly url: URL
  /** Every tool, whose schema is an object's. */
  readonly list: (signal: AbortSignal) => Promise<readonly Tool[]>
  /** @throws NotPaidError, PaymentOpenError */
  readonly call: (call: RemoteCall) => Promise<PaidToolResult>
  readonly close: () => Promise<void>
}

const connectMs = 15_000
const callMs = 90_000
const mostBytes = 16 * 1_048_576
const mostPages = 20
const mostTools = 500

// One tool that is no tool must not hide the others, so only the frame of a list is checked by the SDK.
const answered = z.looseObject({})
const listed = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.optional(z.string()) })

/** Reaches an MCP server over streamable HTTP, at the address that was given and no other; connects when it is first needed. */
export function createMcpRemote({ url, fetch, hosts, payMcp, log }: RemoteParts): Remote {
  let connected: Promise<Client> | undefined

  const connect = async (): Promise<Client> => {
    checkHost(url, hosts, [])
    const client = new Client({ name: packageInfo.name, version: packageInfo.version })
    const transport = new StreamableHTTPClientTransport(url, { fetch: guarded(fetch, url.origin) })
    await client.connect(transport, { timeout: connectMs })
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK calls back, it sends no events.
    client.onclose = () => {
      connected = undefined
    }
    return client
  }
  const client = (): Promise<Client> => {
    connected ??= connect().catch((error: unknown) => {
      connected = undefined
      throw error
    })
    return connected
  }

  return {
    url,
    list: async (signal) => {
      const tools: Tool[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page += 1) {
        const params = cursor === undefined ? {} : { cursor }
        const options = { signal, timeout: connectMs }
        const answer = await (await client()).request({ method: 'tools/list', params }, listed, options)
        for (const tool of answer.tools.slice(0, mostTools - tools.length)) {
          if (isSpecType.Tool(tool)) tools.push(tool)
          else
            log.warn('connect.tool_left_out', {
              url: url.href,
              message: 'Its name or its schema is not what MCP allows.',
            })
        }
        cursor = answer.nextCursor
        if (cursor === undefined || tools.length >= mostTools) break
      }
      return tools
    },
    call: ({ name, args, signal, approve, onProgress }) =>
      payMcp({
        url,
        tool: name,
        args,
        approve,
        signal,
        send: async (meta) => {
          const params = { name, ...(args === undefined ? {} : { arguments: args }), _meta: { ...meta } }
          const progress =
            onProgress === undefined
              ? {}
              : {
                  onprogress: (at: Progress): void => onProgress(at.progress, at.total, at.message),
                }
          const options = { signal, timeout: callMs, ...progress }
          return (await client()).request({ method: 'tools/call', params }, answered, options)
        },
      }),
    close: async () => {
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

/** A fetch that stays at one origin, follows no redirect and reads a bounded answer. */
export function guarded(
  fetch: typeof globalThis.fetch,
  origin: string,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const url = new URL(input)
    if (url.origin !== origin) throw new Error('The server leads to another address than the one that was given.')
    const answer = await fetch(url, { ...init, redirect: 'manual' })
    if (answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel()
      throw new Error('The server leads to another address than the one that was given.')
    }
    if (answer.body === null) return answer
    let bytes = 0
    const counted = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          bytes += chunk.length
          if (bytes > mostBytes) controller.error(new Error(`The answer is longer than ${mostBytes} bytes.`))
          else controller.enqueue(chunk)
        },
      }),
    )
    return new Response(counted, { status: answer.status, statusText: answer.statusText, headers: answer.headers })
  }
}
