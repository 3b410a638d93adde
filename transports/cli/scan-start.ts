import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import * as z from 'zod/mini'

import { packageInfo } from '../../src/platform/package-info.ts'

const connectMs = 15_000
const mostPages = 20

const texts = z.record(z.string(), z.string())
const entrySchema = z.looseObject({
  command: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  env: z.optional(texts),
  cwd: z.optional(z.string()),
  url: z.optional(z.string()),
  serverUrl: z.optional(z.string()),
  httpUrl: z.optional(z.string()),
  headers: z.optional(texts),
})

/**
 * Starts a server as a client's configuration says, or asks the one at its address, and returns its lists as a
 * manifest.
 * @throws where it does not answer in time, or asks for something that only its client knows.
 */
export async function manifestOfServer(entry: unknown): Promise<unknown> {
  const client = new Client({ name: packageInfo.name, version: packageInfo.version })
  try {
    await client.connect(transportTo(entry), { timeout: connectMs })
    const can = client.getServerCapabilities()
    return {
      serverInfo: client.getServerVersion(),
      instructions: client.getInstructions(),
      tools: can?.tools === undefined ? [] : await listed(client, 'tools'),
      prompts: can?.prompts === undefined ? [] : await listed(client, 'prompts'),
      resources: can?.resources === undefined ? [] : await listed(client, 'resources'),
    }
  } finally {
    await client.close()
  }
}

function transportTo(entry: unknown): Transport {
  const { command, args = [], env = {}, cwd, headers, ...rest } = entrySchema.parse(entry)
  const url = rest.url ?? rest.httpUrl ?? rest.serverUrl
  const asked = [command, ...args, ...Object.values(env), url, ...Object.values(headers ?? {})]
  if (asked.some((text) => text?.includes('${') === true)) {
    throw new Error('its configuration has variables that only its client can fill')
  }
  if (command !== undefined) {
    const environment = { ...getDefaultEnvironment(), ...env }
    return new StdioClientTransport({
      command,
      args,
      env: environment,
      stderr: 'ignore',
      ...(cwd === undefined ? {} : { cwd }),
    })
  }
  if (url === undefined || !URL.canParse(url)) throw new Error('it has neither a command nor an address')
  return new StreamableHTTPClientTransport(new URL(url), headers === undefined ? {} : { requestInit: { headers } })
}

async function listed(client: Client, kind: 'tools' | 'prompts' | 'resources'): Promise<readonly unknown[]> {
  const items: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const answer: { readonly nextCursor?: string | undefined; readonly [key: string]: unknown } = await client.request(
      { method: `${kind}/list`, params },
      { timeout: connectMs },
    )
    const found = answer[kind]
    if (Array.isArray(found)) items.push(...found)
    cursor = answer.nextCursor
    if (cursor === undefined) return items
  }
  return items
}
