import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

import { agentCardOf, aiCatalogOf, glamaConnectorOf, serverCardOf } from '../../src/describe/cards.ts'
import type { DescribeConfig } from '../../src/describe/config.ts'
import { type CatalogFacts, catalogOf, ecosystemOf } from '../../src/describe/catalog.ts'
import catalogSchema from '../../src/describe/catalog.schema.json' with { type: 'json' }
import { catalogPaths, index402Path, index402VerifyText, signaturesPath } from '../../src/describe/documents.ts'
import type { AiToolDocument } from '../../src/registry/manifest.ts'
import { llmsTextOf } from '../../src/describe/llms.ts'
import { manifestOf, toolManifestOf } from '../../src/describe/manifest.ts'
import { openapiAtRootOf, openapiOf } from '../../src/describe/openapi.ts'
import { signaturesTextOf } from '../../src/describe/signatures.ts'
import { probeNeedsPayment } from '../../src/tool/access.ts'
import type { ToolList } from '../../src/tool/tools.ts'
import { endpointOf, manifestUrlOf, paths } from '../../src/tool/urls.ts'
import { cors } from './headers.ts'

/** A document as bytes, plain and compressed: made when somebody first asks for them, and kept. */
export type ReadyDocument = {
  readonly body: Buffer
  readonly zipped: Buffer
  readonly etag: string
  readonly type: string
  /** What a browser gets instead, where it asks for a page. */
  readonly page?: () => ReadyDocument
  /** What is sent of a page to whoever asks for Markdown. */
  readonly text?: () => ReadyDocument
  /** Sent with it beside those of every document. */
  readonly headers?: Readonly<Record<string, string>>
}

const json = 'application/json; charset=utf-8'
const text = 'text/plain; charset=utf-8'

type Documents = ReadonlyMap<string, ReadyDocument>

/** Bytes as they are sent, plain and compressed; a text that is given as a function is made at the first need. */
export function ready(type: string, body: string | (() => string), page?: () => ReadyDocument): ReadyDocument {
  const bytes = once(() => Buffer.from(typeof body === 'string' ? body : body(), 'utf8'))
  const zipped = once(() => gzipSync(bytes()))
  // A weak ETag, because it is the same for the plain and the compressed bytes.
  const etag = once(() => `W/"${createHash('sha256').update(bytes()).digest('base64url').slice(0, 22)}"`)
  return {
    get body() {
      return bytes()
    },
    get zipped() {
      return zipped()
    },
    get etag() {
      return etag()
    },
    type,
    ...(page === undefined ? {} : { page }),
  }
}

/** What `make` makes, made once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The catalog and what goes with it, by path; made again whenever the registry says something new. */
export function readyCatalog(toolList: ToolList, facts: CatalogFacts, page: () => ReadyDocument): Documents {
  const body = once(() => JSON.stringify(catalogOf(toolList, facts)))
  return new Map([
    [catalogPaths.api, ready(json, body)],
    [catalogPaths.page, ready(json, body, page)],
    [catalogPaths.ecosystem, ready(json, () => JSON.stringify(ecosystemOf(toolList, facts)))],
  ])
}

/** Every document of the server by its path that stays as it is while the server runs. */
export function readyDocuments(
  toolList: ToolList,
  config: DescribeConfig,
  now: Date,
  manifests: readonly AiToolDocument[],
): Documents {
  const documents = new Map<string, ReadyDocument>()
  const add = (paths: readonly string[], type: string, body: string | (() => string)): void => {
    const document = ready(type, body)
    for (const path of paths) documents.set(path, document)
  }
  const sold = new Set(manifests.map(({ slug }) => slug))
  const offered = { agentic: toolList.agentic, site: toolList.site.filter(({ slug }) => sold.has(slug)) }
  const addJson = (paths: readonly string[], value: () => unknown, type = json): void =>
    add(paths, type, () => JSON.stringify(value()))

  addJson([paths.manifest, paths.wellKnownManifest], () => manifestOf(toolList, config, now))
  for (const tool of toolList.agentic) {
    addJson([manifestUrlOf(tool, '')], () => toolManifestOf(tool, config, now))
  }
  for (const manifest of manifests) add([new URL(manifest.url).pathname], json, manifest.text)
  addJson([catalogPaths.schema], () => catalogSchema)
  addJson([paths.openapi], () => openapiOf(offered, config))
  addJson([paths.rootOpenapi], () => openapiAtRootOf(offered, config))
  add([paths.llms, paths.agenticLlms], text, () => llmsTextOf(offered, config))
  addJson(
    [paths.serverCard, '/.well-known/mcp/server-card.json'],
    () => serverCardOf(config),
    'application/mcp-server-card+json',
  )
  addJson(['/.well-known/ai-catalog.json'], () => aiCatalogOf(config))
  addJson(['/.well-known/agent-card.json', '/.well-known/agent.json'], () => agentCardOf(toolList, config))
  addJson(['/.well-known/x402'], () => ({
    version: 1,
    resources: [...offered.agentic, ...offered.site]
      .filter((tool) => probeNeedsPayment(tool.access))
      .map((tool) => endpointOf(tool, config.baseUrl)),
  }))
  const glama = glamaConnectorOf(config)
  if (glama !== undefined) addJson(['/.well-known/glama.json'], () => glama)
  if (config.signingKeyId !== undefined) add([signaturesPath], text, signaturesTextOf(config))
  const claim = index402VerifyText(config)
  if (claim !== undefined) add([index402Path], text, claim)
  return documents
}

/** Sends a document; 304 where the caller has it already. */
export function sendDocument(request: IncomingMessage, response: ServerResponse, known: ReadyDocument): void {
  const document = chosen(request, known)
  const headers = {
    'content-type': document.type,
    etag: document.etag,
    'cache-control': 'public, max-age=300',
    vary: known.page === undefined && known.text === undefined ? 'Accept-Encoding' : 'Accept, Accept-Encoding',
    'x-content-type-options': 'nosniff',
    ...document.headers,
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

/** The form of a document that a request asks for. */
function chosen(request: IncomingMessage, known: ReadyDocument): ReadyDocument {
  if (known.page !== undefined && asksForPage(request)) return known.page()
  const asksForText = /\btext\/(?:markdown|x-markdown)\b/.test(request.headers.accept ?? '')
  return known.text !== undefined && asksForText && !asksForPage(request) ? known.text() : known
}

/** Browsers name HTML; programs name JSON or anything. */
export function asksForPage({ headers }: IncomingMessage): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '')
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const known = etag.slice('W/'.length)
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === known)
}
