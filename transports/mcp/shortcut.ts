import type { IncomingMessage } from 'node:http'

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

import { isRecord } from '../../src/platform/record.ts'
import { appsMark } from './apps.ts'
import type { Shortcut } from './endpoint.ts'
import { listedTool, type McpCaller, type McpFace } from './server.ts'
import { toolResultOf } from './tool-result.ts'

/**
 * Answers the two requests that make up nearly all traffic, `tools/list` and `tools/call` of the revisions up to
 * 2025-11-25, without building an SDK server for each. It keeps nothing between requests: an answer is a function of
 * its own message. Whatever is unusual in any way is left to the SDK, and a test holds both to the same answers.
 */
export function createShortcut(face: McpFace, callerOf: (request: IncomingMessage) => McpCaller): Shortcut {
  const list = JSON.stringify({ tools: face.listed })

  return (message, request, signal, large) => {
    if (!isPlainRequest(message) || !hasPlainHeaders(request, message.method)) return undefined
    const id = JSON.stringify(message.id)
    const params = message.params ?? {}
    const meta = params['_meta'] ?? {}
    if (!isRecord(meta) || Object.keys(meta).some((key) => key.startsWith(envelopePrefix))) return undefined
    if (message.method === 'tools/list') return hasOnly(params, listParams) ? answer(id, list) : undefined
    if (message.method !== 'tools/call' || !hasOnly(params, callParams)) return undefined
    const { name, arguments: input } = params
    if (typeof name !== 'string' || (input !== undefined && !isRecord(input))) return undefined
    const tool = listedTool(face, name)
    if (tool === undefined) return undefined
    // Who wants to hear of a call that takes long gets a stream of messages, which is the SDK's work.
    if (meta['progressToken'] !== undefined && tool.latencySlaMs > 2_000) return undefined
    const { ip, headerOf } = callerOf(request)
    return toolResultOf(face, { tool, input: large ?? input, meta, headerOf, ip, signal }).then((result) =>
      answer(id, result),
    )
  }
}

/** Keys in `_meta` that the newest revision sends with every request. */
const envelopePrefix = 'io.modelcontextprotocol/'
const listParams = new Set(['_meta'])
const callParams = new Set(['_meta', 'name', 'arguments'])
const messageMembers = new Set(['jsonrpc', 'id', 'method', 'params'])
const versions = new Set(SUPPORTED_PROTOCOL_VERSIONS)

type Json = Readonly<Record<string, unknown>>
type PlainRequest = {
  readonly id: string | number
  readonly method: string
  readonly params?: Json
}

function answer(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
}

function isPlainRequest(message: unknown): message is PlainRequest {
  if (!isRecord(message) || message['jsonrpc'] !== '2.0' || !hasOnly(message, messageMembers)) return false
  const { id, method, params } = message
  return (
    (typeof id === 'string' || Number.isSafeInteger(id)) &&
    typeof method === 'string' &&
    (params === undefined || isRecord(params))
  )
}

/** Whether the headers are those of a client up to 2025-11-25 that takes JSON and event streams alike. */
function hasPlainHeaders({ headers }: IncomingMessage, method: string): boolean {
  const { accept = '', 'content-type': type } = headers
  const version = headers['mcp-protocol-version']
  return (
    (type === 'application/json' || type === 'application/json; charset=utf-8') &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === undefined || (typeof version === 'string' && versions.has(version))) &&
    headers['mcp-method'] === undefined &&
    headers['mcp-name'] === undefined &&
    // Who can be sent to a page may get another answer, and who shows pages another list.
    (headers['mcp-session-id'] === undefined || (method === 'tools/call' && isAppsOnly(headers['mcp-session-id'])))
  )
}

function isAppsOnly(session: string | readonly string[]): boolean {
  return typeof session === 'string' && session.startsWith(appsMark)
}

function hasOnly(value: Json, keys: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => keys.has(key))
}
