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
  readonly writing: ApiWriting
}

/** How a value that is more than a word is written. */
export type ApiWriting = {
  /** Whether it is JSON, and not plain text. */
  readonly isJson: boolean
  /** Whether a query names the members of an object as `filter[color]`. */
  readonly isDeep: boolean
  /** What stands between the elements of a list; undefined where each has the name again. */
  readonly separator: string | undefined
  /** Members of an object that the description names. Of others none is sent, as they could be any argument. */
  readonly members: readonly string[]
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
        writing: writingOf(parameter, place, recordOf(resolve(schema))),
      },
    ]
  })
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

function writingOf(
  { content, style = 'form', explode }: JsonObject,
  place: ApiParameter['place'],
  schema: JsonObject | undefined,
): ApiWriting {
  const isQuery = place === 'query'
  const between = typeof style === 'string' && Object.hasOwn(separators, style) ? separators[style] : undefined
  // A list with the name before each element is what a query is by itself; the other styles are one text.
  const isApart = explode === true || (explode === undefined && between === undefined)
  return {
    isJson: content !== undefined,
    isDeep: isQuery && style === 'deepObject',
    separator: isQuery && isApart ? undefined : (between ?? ','),
    members: Object.keys(recordOf(schema?.['properties']) ?? {}),
  }
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

type Pair = readonly [name: string, text: string]

/** An argument as it stands in a query, in the style of its description; what has no other form is JSON. */
export function queryPairs(
  { name, writing: { isJson, isDeep, separator, members } }: Pick<ApiParameter, 'name' | 'writing'>,
  value: unknown,
): readonly Pair[] {
  if (value === undefined || value === null) return []
  if (isJson) return [[name, JSON.stringify(value)]]
  if (Array.isArray(value)) {
    const texts = value.map(textOf)
    return separator === undefined ? texts.map((text): Pair => [name, text]) : [[name, texts.join(separator)]]
  }
  const given = recordOf(value)
  if (given === undefined) return [[name, textOf(value)]]
  if (isDeep) return Object.entries(given).flatMap(([key, member]) => eachOf(`${name}[${key}]`, member))
  const known = members.filter((key) => given[key] !== undefined)
  if (members.length === 0) return [[name, JSON.stringify(value)]]
  if (separator === undefined) return known.flatMap((key) => eachOf(key, given[key]))
  return [[name, known.flatMap((key) => [key, textOf(given[key])]).join(separator)]]
}

const eachOf = (name: string, member: unknown): readonly Pair[] =>
  (Array.isArray(member) ? member : [member]).map((one: unknown): Pair => [name, textOf(one)])

const textOf = (value: unknown): string => plainText(value) ?? JSON.stringify(value)

/** A value as a header carries it; undefined where it cannot stand in one. */
export function headerTextOf(value: unknown): string | undefined {
  const text = plainText(value) ?? JSON.stringify(value)
  return /^[\t\x20-\x7E]*$/.test(text) ? text : undefined
}

function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
