import { ConfigError } from '../platform/config-error.ts'
import { cleanText } from '../tool/text.ts'
import { parseStructured, readStructuredFile } from '../platform/structured-file.ts'
import { fetchAtOrigin } from '../upstream/http/one-origin.ts'
import {
  bodyIn,
  type DescribedOperation,
  jsonSchemaIn,
  type JsonObject,
  operationsIn,
  parametersIn,
  recordOf,
  type Resolve,
} from './api-document.ts'
import { ForeignSchemaError, pointed } from './foreign-schema.ts'
import type { GateFile } from './gate-file.ts'
import { type ForeignTool, slugOf } from './foreign-tool.ts'

const mostOperations = 500
const documentMs = 15_000
const mostBytes = 8 * 1_048_576
/** Reads a document of OpenAPI 3 from a file or an address. @throws ConfigError */
export async function readOpenApi(
  { openapi = '', headers, baseUrl }: GateFile['server'],
  fetch: typeof globalThis.fetch,
): Promise<readonly ForeignTool[]> {
  const isUrl = /^https?:/.test(openapi)
  const read = recordOf(isUrl ? await download(openapi, headers, fetch) : await readStructuredFile(openapi))
  const version = read?.['openapi']
  if (read === undefined || typeof version !== 'string' || !/^3\.[012]/.test(version)) {
    throw new ConfigError([`${openapi}: is not an OpenAPI 3 document`])
  }
  const document = version.startsWith('3.0') ? (recordOf(newer(read)) ?? {}) : read
  const base = baseUrl ?? serverOf(document, isUrl ? openapi : undefined)
  if (base === undefined) {
    throw new ConfigError([`${openapi}: names no server with an absolute URL; set server.baseUrl`])
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
  const given = recordOf(value)
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
  const first = recordOf(Array.isArray(servers) ? servers[0] : undefined)?.['url']
  const url = URL.parse(typeof first === 'string' ? first : '/', from)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}

function toolsOf(document: JsonObject, baseUrl: string): readonly ForeignTool[] {
  const resolve = (value: unknown): unknown => resolved(document, value)
  return operationsIn(document, resolve)
    .slice(0, mostOperations)
    .map((found) => toolOf({ document, baseUrl, resolve }, found))
}

type Api = { readonly document: JsonObject; readonly baseUrl: string; readonly resolve: Resolve }

function toolOf({ document, baseUrl, resolve }: Api, found: DescribedOperation): ForeignTool {
  const { path, method, operation } = found
  const parameters = parametersIn(found, resolve)
  const body = bodyIn(found, resolve)
  const properties = Object.fromEntries([
    ...parameters.map(({ name, schema }) => [name, schema]),
    ...(body === undefined ? [] : [['body', body.schema]]),
  ])
  const required = [
    ...parameters.filter((one) => one.required).map(({ name }) => name),
    ...(body?.isRequired === true ? ['body'] : []),
  ]
  const { operationId, summary, description } = operation
  const isRead = method === 'get'
  const fault = faultOf(found, resolve)
  return {
    ...(fault === undefined ? {} : { fault }),
    name: typeof operationId === 'string' && operationId !== '' ? operationId : slugOf(`${method} ${path}`),
    title: typeof summary === 'string' ? summary : undefined,
    description: [summary, description].filter((text) => typeof text === 'string').join('. ') || undefined,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    outputSchema: answerSchemaOf(operation, resolve),
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
      parameters,
      hasBody: body !== undefined,
    },
  }
}

/** What a request would have to carry and cannot: a call without it would be sold and asked wrongly. */
function faultOf(found: DescribedOperation, resolve: Resolve): string | undefined {
  const { operation, shared } = found
  const cookie = [shared['parameters'], operation['parameters']]
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .map((given) => recordOf(resolve(given)))
    .find((one) => one?.['in'] === 'cookie' && one['required'] === true)
  if (cookie !== undefined) return `it needs the cookie "${cleanText(String(cookie['name']), 40)}", and none is sent`
  const kinds = Object.keys(recordOf(recordOf(resolve(operation['requestBody']))?.['content']) ?? {})
  if (kinds.length === 0 || bodyIn(found, resolve) !== undefined) return undefined
  return `its body is ${cleanText(kinds.join(' or '), 80)}, and only JSON is sent`
}

/** Undefined where the API describes no object as its answer; the answer is then passed on as it is. */
function answerSchemaOf(operation: JsonObject, resolve: Resolve): JsonObject | undefined {
  const [, good] =
    Object.entries(recordOf(operation['responses']) ?? {}).find(([status]) => status.startsWith('2')) ?? []
  const schema = jsonSchemaIn(recordOf(resolve(good)))
  const whole = recordOf(resolve(schema))
  return whole?.['type'] === 'object' || whole?.['properties'] !== undefined ? schema : undefined
}

/** The value that a reference within the document leads to; undefined where it leads nowhere. */
function resolved(document: JsonObject, value: unknown): unknown {
  const ref = recordOf(value)?.['$ref']
  if (typeof ref !== 'string') return value
  try {
    return pointed(document, ref)
  } catch (error) {
    if (error instanceof ForeignSchemaError) return undefined
    throw error
  }
}
