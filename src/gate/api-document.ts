import { isRecord } from '../platform/record.ts'

/**
 * Reads descriptions of HTTP APIs (OpenAPI 3), for servers behind a gate and for those that `tollgate connect` pays. A
 * stranger wrote the description and it may say anything, so what does not fit is passed over.
 */
export type JsonObject = Readonly<Record<string, unknown>>

export const httpMethods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type HttpMethod = (typeof httpMethods)[number]

/** Headers about the sender or about how the request is written; a caller may not set them. */
const ownHeaders =
  /^(?:accept|authorization|connection|content-.*|cookie|expect|host|proxy-.*|te|trailer|transfer-.*|upgrade|via|x-forwarded-.*|forwarded)$/i
const headerName = /^[A-Za-z0-9_-]+$/

/** An operation of a description, and what its path says for all operations there. */
export type DescribedOperation = {
  readonly path: string
  readonly method: HttpMethod
  readonly operation: JsonObject
  readonly shared: JsonObject
}

/** Writes out what a reference leads to; any other value stays as it is. */
export type Resolve = (value: unknown) => unknown

export const recordOf = (value: unknown): JsonObject | undefined => (isRecord(value) ? value : undefined)

/** All operations of a description, in its order. */
export function operationsIn(document: JsonObject, resolve: Resolve): readonly DescribedOperation[] {
  return Object.entries(recordOf(document['paths']) ?? {}).flatMap(([path, item]) => {
    const shared = recordOf(resolve(item)) ?? {}
    return httpMethods.flatMap((method) => {
      const operation = recordOf(shared[method])
      return operation === undefined || !path.startsWith('/') ? [] : [{ path, method, operation, shared }]
    })
  })
}

/** An argument of an operation, and where in the request it belongs. */
export type ApiParameter = {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonObject
  /** Whether it is written as JSON, and not as plain text. */
  readonly isJson: boolean
}

/**
 * The arguments of an operation. One of its own replaces the one of the same name that its path has.
 * @param isOurs further headers that the sender of the request sets itself, so that no argument may.
 */
export function parametersIn(
  { shared, operation }: DescribedOperation,
  resolve: Resolve,
  isOurs: (header: string) => boolean = () => false,
): readonly ApiParameter[] {
  const all = [shared['parameters'], operation['parameters']].flatMap((list): unknown[] =>
    Array.isArray(list) ? list : [],
  )
  const found = all.flatMap((given): ApiParameter[] => {
    const parameter = recordOf(resolve(given))
    const name = parameter?.['name']
    const place = parameter?.['in']
    if (parameter === undefined || typeof name !== 'string' || name === '' || name.length > 128) return []
    if (place !== 'path' && place !== 'query' && place !== 'header') return []
    if (place === 'header' && (ownHeaders.test(name) || !headerName.test(name) || isOurs(name))) return []
    const schema = recordOf(parameter['schema']) ?? jsonSchemaIn(parameter) ?? {}
    const { description } = parameter
    const words = typeof description === 'string' && schema['$ref'] === undefined ? { description } : {}
    return [
      {
        name,
        place,
        required: parameter['required'] === true || place === 'path',
        schema: { ...words, ...schema },
        isJson: parameter['content'] !== undefined,
      },
    ]
  })
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

/** The schema of JSON among the kinds of content that are offered. */
export function jsonSchemaIn(holder: JsonObject | undefined): JsonObject | undefined {
  const content = Object.entries(recordOf(holder?.['content']) ?? {})
  const [, json] = content.find(([type]) => /^application\/(?:[\w.-]+\+)?json\b/i.test(type)) ?? []
  return json === undefined ? undefined : (recordOf(recordOf(json)?.['schema']) ?? {})
}

/** The body that an operation takes as JSON; undefined where it takes none. */
export function bodyIn({ operation }: DescribedOperation, resolve: Resolve) {
  const body = recordOf(resolve(operation['requestBody']))
  const schema = jsonSchemaIn(body)
  return schema === undefined ? undefined : { schema, isRequired: body?.['required'] === true }
}

/** A path with its places filled by plain values, none of which leads to another path; `refuse` throws. */
export function filledPath(path: string, valueOf: (name: string) => unknown, refuse: (name: string) => never): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => {
    const text = plainText(valueOf(name))
    if (text === undefined || /^\.{0,2}$/.test(text)) return refuse(name)
    return encodeURIComponent(text)
  })
}

/** The values of an argument as they stand in a query: a list gives several, what is no plain value is JSON. */
export function queryTexts(value: unknown, isJson: boolean): readonly string[] {
  if (value === undefined || value === null) return []
  if (isJson) return [JSON.stringify(value)]
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => plainText(one) ?? JSON.stringify(one))
}

/** A value as a header carries it; undefined where it cannot stand in one. */
export function headerTextOf(value: unknown): string | undefined {
  const text = plainText(value) ?? JSON.stringify(value)
  return /^[\t\x20-\x7E]*$/.test(text) ? text : undefined
}

function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
