/** MCP servers over HTTP as others write them: the official one, and one that does whatever a test wants. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  StreamableHTTPServerTransport,
  type StreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  EmptyResultSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'

type Asked = { readonly method: string | undefined; readonly headers: IncomingMessage['headers'] }

/** A server that is the official one; what the tools say is in their names. */
export function officialServer(options: Partial<StreamableHTTPServerTransportOptions> = {}) {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const cancelled: unknown[] = []
  const asked: Asked[] = []
  const create = (): Server => {
    const server = new Server({ name: 'official', version: '1.0.0' }, { capabilities: { tools: {}, logging: {} } })
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const text = (words: unknown) => ({ content: [{ type: 'text' as const, text: String(words) }] })
      if (params.name === 'refuse') throw new McpError(-32_602, 'No such arguments.')
      if (params.name === 'fail') return { ...text('no'), isError: true }
      if (params.name === 'structured') return { ...text('{}'), structuredContent: { a: [1, 'ä€😀'] } }
      if (params.name === 'chatter') {
        for (const progress of [1, 2]) {
          await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: 'x', progress } })
        }
        // It asks its client in the middle of the call, and waits for the answer.
        await extra.sendRequest({ method: 'ping' }, EmptyResultSchema)
        return text('after all')
      }
      if (params.name === 'poll') {
        extra.closeSSEStream?.()
        await new Promise((resolve) => setTimeout(resolve, 20))
        return text('later')
      }
      if (params.name === 'never') {
        await new Promise((resolve) => {
          extra.signal.addEventListener('abort', resolve)
        })
        cancelled.push(params.name)
      }
      return text(params.arguments?.['text'])
    })
    return server
  }
  const listener: RequestListener = (request, response) => {
    asked.push({ method: request.method, headers: request.headers })
    void answer(request, response)
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const named = request.headers['mcp-session-id']?.toString()
    const known = named === undefined ? undefined : sessions.get(named)
    if (known !== undefined) return known.handleRequest(request, response)
    if (named !== undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"no such session"}')
      return undefined
    }
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      ...options,
    })
    await create().connect(transport)
    return transport.handleRequest(request, response)
  }
  return { listener, asked, cancelled, forget: () => sessions.clear(), sessions }
}

/** A server made by hand: it begins a session, and `call` answers calls. */
export function roughServer(
  call: (response: ServerResponse, id: unknown, request: IncomingMessage, tool: string) => void,
  status: { current: number } = { current: 200 },
  tools: readonly unknown[] = [],
) {
  const told: unknown[] = []
  let sessions = 0
  const listener: RequestListener = (request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method, params } = JSON.parse(text)
      if (method === 'initialize') {
        sessions += 1
        const result = {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'r', version: '1' },
        }
        status.current = 200
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${sessions}` })
        return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      }
      if (id === undefined) {
        told.push(method)
        return void response.writeHead(202).end()
      }
      if (status.current !== 200) return void response.writeHead(status.current).end('no')
      if (method === 'ping') {
        response.writeHead(200, { 'content-type': 'application/json' })
        return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
      }
      if (method === 'tools/list') {
        response.writeHead(200, { 'content-type': 'application/json' })
        return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools } }))
      }
      return call(response, id, request, params?.name)
    })
  }
  return { listener, told, sessions: () => sessions }
}

export const answerTo = (id: unknown, text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
export const json = { 'content-type': 'application/json' }
export const events = { 'content-type': 'text/event-stream' }
