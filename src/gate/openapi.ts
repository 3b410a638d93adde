import { ConfigError } from '../platform/config-error.ts'
import { parseStructured, readStructuredFile } from '../platform/structured-file.ts'
import { fetchAtOrigin } from '../upstream/http/one-origin.ts'
import { ForeignSchemaError, type JsonObject, objectOf, pointed } from './foreign-schema.ts'
import type { GateFile } from './gate-file.ts'
import { type ForeignTool, slugOf } from './foreign-tool.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const mostOperations = 500
const documentMs = 15_000
const mostBytes = 8 * 1_048_576
/** Headers that say who asks, or how the request is written: none of a caller's business. */
const ownHeaders =
  /^(?:accept|authorization|connection|content-.*|cookie|expect|host|proxy-.*|te|trailer|transfer-.*|upgrade|via|x-forwarded-.*|forwarded)$/i

/** Reads a document of OpenAPI 3 from a file or an address. @throws ConfigError */
export async function readOpenApi(
  { openapi = '', headers, baseUrl }: GateFile['server'],
  fetch: typeof globalThis.fetch,
): Promise<readonly ForeignTool[]> {
  const isUrl = /^https?:/.test(openapi)
  const read = objectOf(isUrl ? await download(openapi, headers, fetch) : await readStructuredFile(openapi))
  const version = read?.['openapi']
  if (read === undefined || typeof version !== 'string' || !/^3\.[012]/.test(version)) {
    throw new ConfigError([`${openapi}: is no document of OpenAPI 3`])
  }
  const document = version.startsWith('3.0') ? (objectOf(newer(read)) ?? {}) : read
  const base = baseUrl ?? serverOf(document, isUrl ? openapi : undefined)
  if (base === undefined) {
    throw new ConfigError([`${openapi}: names no server with a whole address; give server.baseUrl`])
  }
  return toolsOf(document, base.replace(/\/+$/, ''))
}

async function download(url: string, headers: Readonly<Record<string, string>>, fetch: typeof globalThis.fetch) {
  try {
    const get = fetchAtOrigin(fetch, new URL(url).origin, mostBytes)
    const response = await get(url, { headers, signal: AbortSignal.timeout(documentMs) })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const text = await response.text()
    // YAML holds JSON as well, but reads it more slowly.
    return await parseStructured(text, /^\s*\{/.test(text) ? `${url}#.json` : url)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError([`${url}: cannot be read: ${error instanceof Error ? error.message : ''}`])
  }
}

/** What 3.0 writes in its own way, in the words of JSON Schema. */
function newer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(newer)
  const given = objectOf(value)
  if (given === undefined) return value
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = Object.fromEntries(
    Object.entries(given).map(([key, member]) => [key, newer(member)]),
  )
  const { minimum, maximum, ...open } = rest
  const low = exclusiveMinimum === true ? { exclusiveMinimum: minimum } : minimum === undefined ? {} : { minimum }
  const high = exclusiveMaximum === true ? { exclusiveMaximum: maximum } : maximum === undefined ? {} : { maximum }
  const bounded: JsonObject = {
    ...open,
    ...low,
    ...high,
    ...(typeof exclusiveMinimum === 'number' ? { exclusiveMinimum } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { exclusiveMaximum } : {}),
  }
  if (nullable !== true) return bounded
  return { anyOf: [bounded, { type: 'null' }] }
}

function serverOf(document: JsonObject, from: string | undefined): string | undefined {
  const { servers } = document
  const first = objectOf(Array.isArray(servers) ? servers[0] : undefined)?.['url']
  const url = URL.parse(typeof first === 'string' ? first : '/', from)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}

function toolsOf(document: JsonObject, baseUrl: string): readonly ForeignTool[] {
  const operations = Object.entries(objectOf(document['paths']) ?? {}).flatMap(([path, item]) => {
    const shared = objectOf(resolved(document, item)) ?? {}
    return methods.flatMap((method) => {
      const operation = objectOf(shared[method])
      return operation === undefined ? [] : [{ path, method, operation, shared }]
    })
  })
  return operations.slice(0, mostOperations).map((one) => toolOf(document, baseUrl, one))
}

type Found = {
  readonly path: string
  readonly method: (typeof methods)[number]
  readonly operation: JsonObject
  readonly shared: JsonObject
}

function toolOf(document: JsonObject, baseUrl: string, { path, method, operation, shared }: Found): ForeignTool {
  const parameters = parametersOf(document, shared, operation)
  const body = objectOf(resolved(document, operation['requestBody']))
  const bodySchema = jsonSchemaIn(body)
  const properties = Object.fromEntries([
    ...parameters.map(({ name, schema }) => [name, schema]),
    ...(bodySchema === undefined ? [] : [['body', bodySchema]]),
  ])
  const required = [
    ...parameters.filter((one) => one.required).map(({ name }) => name),
    ...(bodySchema !== undefined && body?.['required'] === true ? ['body'] : []),
  ]
  const { operationId, summary, description } = operation
  const isRead = method === 'get'
  return {
    name: typeof operationId === 'string' && operationId !== '' ? operationId : slugOf(`${method} ${path}`),
    title: typeof summary === 'string' ? summary : undefined,
    description: [summary, description].filter((text) => typeof text === 'string').join('. ') || undefined,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    outputSchema: answerSchemaOf(document, operation),
    root: document,
    effects: {
      readOnlyHint: isRead,
      destructiveHint: !isRead,
      idempotentHint: isRead || method === 'put' || method === 'delete',
      openWorldHint: true,
    },
    operation: {
      method: method.toUpperCase(),
      baseUrl,
      path,
      parameters: parameters.map(({ name, place }) => ({ name, in: place })),
      hasBody: bodySchema !== undefined,
    },
  }
}

type ApiParameter = {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonObject
}

function parametersOf(document: JsonObject, shared: JsonObject, operation: JsonObject) {
  const all = [shared['parameters'], operation['parameters']].flatMap((list) => (Array.isArray(list) ? list : []))
  const found = all.flatMap((given): ApiParameter[] => {
    const parameter = objectOf(resolved(document, given))
    const name = parameter?.['name']
    const place = parameter?.['in']
    if (parameter === undefined || typeof name !== 'string') return []
    if (place !== 'path' && place !== 'query' && place !== 'header') return []
    if (place === 'header' && ownHeaders.test(name)) return []
    const schema = objectOf(parameter['schema']) ?? jsonSchemaIn(parameter) ?? {}
    const { description } = parameter
    const words = typeof description === 'string' && schema['$ref'] === undefined ? { description } : {}
    return [
      { name, place, required: parameter['required'] === true || place === 'path', schema: { ...words, ...schema } },
    ]
  })
  // One of an operation stands for the one of its path.
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

/** The schema of JSON among the kinds of content that are offered. */
function jsonSchemaIn(holder: JsonObject | undefined): JsonObject | undefined {
  const content = Object.entries(objectOf(holder?.['content']) ?? {})
  const [, json] = content.find(([type]) => /^application\/(?:[\w.-]+\+)?json/i.test(type)) ?? []
  return objectOf(objectOf(json)?.['schema'])
}

/** Undefined where the API promises no object: then its answer is passed on as it is. */
function answerSchemaOf(document: JsonObject, operation: JsonObject): JsonObject | undefined {
  const [, good] =
    Object.entries(objectOf(operation['responses']) ?? {}).find(([status]) => status.startsWith('2')) ?? []
  const schema = jsonSchemaIn(objectOf(resolved(document, good)))
  const whole = objectOf(resolved(document, schema))
  return whole?.['type'] === 'object' || whole?.['properties'] !== undefined ? schema : undefined
}

/** What stands behind a reference within the document; what cannot be found is nothing. */
function resolved(document: JsonObject, value: unknown): unknown {
  const ref = objectOf(value)?.['$ref']
  if (typeof ref !== 'string') return value
  try {
    return pointed(document, ref)
  } catch (error) {
    if (error instanceof ForeignSchemaError) return undefined
    throw error
  }
}
