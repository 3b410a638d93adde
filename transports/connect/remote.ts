import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { fetchAtOrigin } from '../../src/upstream/http/one-origin.ts'
import { createMcpConnection, type McpConnection } from '../../src/upstream/mcp/connection.ts'
import { checkHost } from '../client/hosts.ts'

export type RemoteParts = {
  readonly url: URL
  readonly fetch: typeof globalThis.fetch
  readonly hosts: readonly string[] | undefined
}

/** An MCP server behind this one. */
export type Remote = McpConnection & { readonly url: URL }

const connectMs = 15_000
const callMs = 90_000
const mostBytes = 16 * 1_048_576

/** Reaches an MCP server over streamable HTTP, at the address that was given and no other; connects when it is first needed. */
export function createRemote({ url, fetch, hosts }: RemoteParts): Remote {
  const transport = async (): Promise<StreamableHTTPClientTransport> => {
    checkHost(url, hosts, [])
    return new StreamableHTTPClientTransport(url, { fetch: fetchAtOrigin(fetch, url.origin, mostBytes) })
  }
  return { url, ...createMcpConnection({ transport, connectMs, callMs }) }
}
