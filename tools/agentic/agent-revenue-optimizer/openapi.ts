import { isObject, type JsonObject, objectAt } from './json.ts'

/** What a host's own OpenAPI says about one endpoint. */
export type Documented = {
  /** Methods of the endpoint's path, in capitals; empty where the path is not documented. */
  readonly methods: readonly string[]
  /** The path's price or its 402 is documented. */
  readonly isPriced: boolean
  /** A body that the document says will do, as JSON text. */
  readonly body: string | undefined
  /** Paths with a documented price below the line under which a bundle sells better than a call. */
  readonly cheapPaths: number
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const cheapUsd = 0.005
const mostLevels = 6

/** Reads what the document says about the path. */
export function documentedAt(document: JsonObject, endpoint: URL): Documented {
  const paths = Object.entries(objectAt(document, 'paths'))
  const bases = basesOf(document, endpoint)
  const item = paths.find(([template]) => bases.some((base) => isPath(base + template, endpoint.pathname)))?.[1]
  const operations = methods.flatMap((method) => {
    const operation = isObject(item) ? item[method] : undefined
    return isObject(operation) ? [{ method: method.toUpperCase(), operation }] : []
  })
  const post = operations.find(({ method }) => method === 'POST')?.operation
  return {
    methods: operations.map(({ method }) => method),
    isPriced: operations.some(({ operation }) => isPriced(operation)),
    body: post === undefined ? undefined : exampleBodyOf(post),
    cheapPaths: paths.filter(([, path]) => methods.some((method) => isCheap(objectAt(path, method)))).length,
  }
}

/** Paths are relative to the document's servers; without any, to the root. */
function basesOf(document: JsonObject, endpoint: URL): readonly string[] {
  const servers: readonly unknown[] = Array.isArray(document['servers']) ? document['servers'] : []
  const bases = servers.flatMap((server) => {
    const { url } = isObject(server) ? server : {}
    const parsed = typeof url === 'string' ? URL.parse(url, endpoint.origin) : null
    return parsed === null ? [] : [parsed.pathname.replace(/\/+$/, '')]
  })
  return ['', ...bases]
}

/** Whether a path fits a template such as `/items/{id}`. */
function isPath(template: string, path: string): boolean {
  const [wanted, given] = [template, path].map((text) => text.replace(/\/+$/, '').split('/'))
  if (wanted === undefined || given === undefined || wanted.length !== given.length) return false
  return wanted.every((part, index) => (part.startsWith('{') && part.endsWith('}')) || part === given[index])
}

function isPriced(operation: JsonObject): boolean {
  return isObject(operation['x-payment-info']) || Object.hasOwn(objectAt(operation, 'responses'), '402')
}

function isCheap(operation: JsonObject): boolean {
  const { amount } = objectAt(objectAt(operation, 'x-payment-info'), 'price')
  const usd = typeof amount === 'string' || typeof amount === 'number' ? Number(amount) : Number.NaN
  return usd > 0 && usd < cheapUsd
}

function exampleBodyOf(operation: JsonObject): string | undefined {
  const media = objectAt(objectAt(objectAt(operation, 'requestBody'), 'content'), 'application/json')
  const first = Object.values(objectAt(media, 'examples'))[0]
  const schema = objectAt(media, 'schema')
  const example = media['example'] ?? (isObject(first) ? first['value'] : undefined) ?? schema['example']
  if (isObject(example)) return JSON.stringify(example)
  return schema['type'] === 'object' ? JSON.stringify(leastOf(schema, mostLevels)) : undefined
}

/** The least that a schema may accept: what it requires, as plainly as its types allow. */
function leastOf(schema: JsonObject, levels: number): unknown {
  const listed = [schema['const'], schema['default'], schema['example'], ...listOf(schema['enum'])]
  const given = [...listed, ...listOf(schema['examples'])].find((value) => value !== undefined)
  if (given !== undefined) return given
  if (schema['type'] === 'object' && levels > 0) {
    const properties = objectAt(schema, 'properties')
    const required = listOf(schema['required']).filter((key) => typeof key === 'string')
    return Object.fromEntries(required.map((key) => [key, leastOf(objectAt(properties, key), levels - 1)]))
  }
  if (schema['type'] === 'array') return []
  if (schema['type'] === 'boolean') return false
  if (schema['type'] === 'integer' || schema['type'] === 'number') {
    return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
  }
  return schema['format'] === 'uri' ? 'https://example.com/' : 'example'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
