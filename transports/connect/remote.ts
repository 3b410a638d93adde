import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client'

import { packageInfo } from '../../src/platform/package-info.ts'
import { checkHost } from '../client/hosts.ts'

export type RemoteParts = {
  readonly url: URL
  readonly fetch: typeof globalThis.fetch
  readonly hosts: readonly string[] | undefined
}

export type RemoteCall = {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>> | undefined
  readonly meta: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly onProgress: ((progress: number, total: number | undefined, message: string | undefined) => void) | undefined
}

/** An MCP server behind this one. */
export type Remote = {
  readonly url: URL
  /** Every tool, whose schema is an object's. */
  readonly list: (signal: AbortSignal) => Promise<readonly Tool[]>
  readonly call: (call: RemoteCall) => Promise<unknown>
  readonly close: () => Promise<void>
}

const connectMs = 15_000
const callMs = 90_000
const mostBytes = 16 * 1_048_576
const mostPages = 20
const mostTools = 500

/** Reaches an MCP server over streamable HTTP, at the address that was given and no other; connects when it is first needed. */
export function createRemote({ url, fetch, hosts }: RemoteParts): Remote {
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
        const listed = await (await client()).request({ method: 'tools/list', params }, { signal, timeout: connectMs })
        tools.push(...listed.tools.slice(0, mostTools - tools.length))
        cursor = listed.nextCursor
        if (cursor === undefined || tools.length >= mostTools) break
      }
      return tools
    },
    call: async ({ name, args, meta, signal, onProgress }) => {
      const params = { name, ...(args === undefined ? {} : { arguments: args }), _meta: { ...meta } }
      return (await client()).request(
        { method: 'tools/call', params },
        {
          signal,
          timeout: callMs,
          ...(onProgress === undefined
            ? {}
            : { onprogress: ({ progress, total, message }) => onProgress(progress, total, message) }),
        },
      )
    },
    close: async () => {
      const open = await connected?.catch(() => undefined)
      await open?.close()
    },
  }
}

/** A fetch that stays at one origin, follows no redirect and reads a bounded answer. */
function guarded(
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
