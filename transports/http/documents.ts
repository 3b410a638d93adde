import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

import { agentCardOf, aiCatalogOf, glamaConnectorOf, serverCardOf } from '../../src/describe/cards.ts'
import type { DescribeConfig } from '../../src/describe/config.ts'
import { index402Path, index402VerifyText } from '../../src/describe/documents.ts'
import { llmsTextOf } from '../../src/describe/llms.ts'
import { manifestOf, toolManifestOf } from '../../src/describe/manifest.ts'
import { openapiOf } from '../../src/describe/openapi.ts'
import type { Registry } from '../../src/tool/registry.ts'
import { cors } from './headers.ts'

/** A document as bytes made at start, plain and compressed. */
export type ReadyDocument = {
  readonly body: Buffer
  readonly zipped: Buffer
  readonly etag: string
  readonly type: string
}

const json = 'application/json; charset=utf-8'
const text = 'text/plain; charset=utf-8'

/** Every fixed document of the server by its path. */
export function readyDocuments(
  registry: Registry,
  config: DescribeConfig,
  now: Date,
): ReadonlyMap<string, ReadyDocument> {
  const documents = new Map<string, ReadyDocument>()
  const add = (paths: readonly string[], type: string, body: string): void => {
    const bytes = Buffer.from(body, 'utf8')
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const ready = { body: bytes, zipped: gzipSync(bytes), etag, type }
    for (const path of paths) documents.set(path, ready)
  }
  const addJson = (paths: readonly string[], value: unknown, type = json): void =>
    add(paths, type, JSON.stringify(value))

  addJson(['/api/agentic/manifest', '/.well-known/agentic/manifest.json'], manifestOf(registry, config, now))
  for (const tool of registry.agentic) {
    addJson([`/.well-known/agentic/tools/${tool.slug}.json`], toolManifestOf(tool, config, now))
  }
  addJson(['/api/agentic/openapi.json', '/openapi.json'], openapiOf(registry, config))
  add(['/llms.txt', '/api/agentic/llms.txt'], text, llmsTextOf(registry, config))
  addJson(
    ['/api/agentic/mcp/server-card', '/.well-known/mcp/server-card.json'],
    serverCardOf(config),
    'application/mcp-server-card+json',
  )
  addJson(['/.well-known/ai-catalog.json'], aiCatalogOf(config))
  addJson(['/.well-known/agent-card.json', '/.well-known/agent.json'], agentCardOf(registry, config))
  addJson(['/.well-known/x402'], {
    version: 1,
    resources: registry.agentic
      .filter((tool) => tool.access.mode !== 'free')
      .map((tool) => `${config.baseUrl}/api/agentic/tools/${tool.slug}`),
  })
  const glama = glamaConnectorOf(config)
  if (glama !== undefined) addJson(['/.well-known/glama.json'], glama)
  const claim = index402VerifyText(config)
  if (claim !== undefined) add([index402Path], text, claim)
  return documents
}

/** Sends a document; 304 where the caller has it already. */
export function sendDocument(request: IncomingMessage, response: ServerResponse, document: ReadyDocument): void {
  const headers = {
    'content-type': document.type,
    etag: document.etag,
    'cache-control': 'public, max-age=300',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    ...cors,
  }
  if (matches(request.headers['if-none-match'], document.etag)) {
    response.writeHead(304, headers)
    response.end()
    return
  }
  const zip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const body = zip ? document.zipped : document.body
  response.writeHead(200, {
    ...headers,
    'content-length': String(body.length),
    ...(zip ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag)
}
