import { isSpecType, type Tool } from '@modelcontextprotocol/client'
import * as z from 'zod/mini'

/** What an HTTP API says it can do, as far as it is read: a description is a stranger's, and may say anything. */
const anything = z.record(z.string(), z.unknown())
const text = z.string()
const parameter = z.looseObject({
  name: text.check(z.minLength(1), z.maxLength(128)),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.optional(z.boolean()),
  description: z.optional(text),
  schema: z.optional(anything),
  content: z.optional(anything),
})
type Parameter = z.output<typeof parameter>

const server = z.looseObject({ url: text })
const paymentInfo = z.looseObject({
  price: z.optional(z.looseObject({ mode: z.optional(text), amount: z.optional(z.union([text, z.number()])) })),
})
const operation = z.looseObject({
  operationId: z.optional(text),
  summary: z.optional(text),
  description: z.optional(text),
  parameters: z.optional(z.array(z.unknown())),
  requestBody: z.optional(z.unknown()),
  servers: z.optional(z.array(server)),
  'x-payment-info': z.optional(paymentInfo),
})
const document = z.looseObject({
  openapi: text.check(z.regex(/^3\./)),
  servers: z.optional(z.array(server)),
  paths: anything,
})

/** Whether a value is a description of an HTTP API that can be read (OpenAPI 3). */
export function isApiDescription(value: unknown): boolean {
  return document.safeParse(value).success
}

export type ApiRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One operation of an HTTP API as a tool. */
export type Operation = {
  readonly tool: Tool
  /** The request of a call. @throws UnfitArgumentError */
  readonly requestFor: (args: Readonly<Record<string, unknown>>) => ApiRequest
}

/** An argument that has no place in the request; nothing was sent. */
export class UnfitArgumentError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnfitArgumentError'
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
/** How deep schemas are written out; what lies deeper is taken as it comes. */
const deepest = 12
/** How many parts a schema may have once its references are written out. */
const mostParts = 2_000
const bodyName = 'body'
/** Set here, and by no argument: they say who asks, what is paid, and what is sent. */
const ownHeaders = /^(?:authorization|cookie|host|accept|idempotency-key|connection|sign-in-with-x|x-402-.*)$/i
const ownPrefixes = /^(?:payment-|x-payment|content-|proxy-|sec-|transfer-)/i

/**
 * The operations of an API at one origin, each as a tool. What is described at another origin is left out, because only the
 * address that was given is asked and paid.
 * @param at where the description was read, which relative addresses start from.
 */
export function operationsOf(description: unknown, at: URL): readonly Operation[] {
  const parsed = document.parse(description)
  return Object.entries(parsed.paths).flatMap(([path, item]) => {
    const known = z.looseObject({ ...shared.shape }).safeParse(resolve(parsed, item)).data
    if (known === undefined || !path.startsWith('/')) return []
    return methods.flatMap((method): readonly Operation[] => {
      const { data } = operation.safeParse(known[method])
      if (data === undefined) return []
      const root = rootOf([data.servers, known.servers, parsed.servers], at)
      if (root === undefined) return []
      const parameters = parametersOf(parsed, [...(known.parameters ?? []), ...(data.parameters ?? [])])
      const made = operationOf({ root, path, method, parameters, body: bodyOf(parsed, data.requestBody) }, data)
      return made === undefined ? [] : [made]
    })
  })
}

const shared = z.object({ parameters: z.optional(z.array(z.unknown())), servers: z.optional(z.array(server)) })

/** Address that the paths of an operation start from; undefined where it is another server's. */
function rootOf(places: readonly (readonly { readonly url: string }[] | undefined)[], at: URL): string | undefined {
  const named = places.find((servers) => servers !== undefined && servers.length > 0) ?? [{ url: '/' }]
  const url = named.flatMap((one) => (URL.canParse(one.url, at.href) ? [new URL(one.url, at.href)] : []))
  return url
    .find(({ origin }) => origin === at.origin)
    ?.href.replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
}

type Place = {
  readonly root: string
  readonly path: string
  readonly method: string
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
}

/** The JSON that an operation takes. `isSpread`: its members are arguments of the tool; else it is one argument. */
type Body = {
  readonly schema: Readonly<Record<string, unknown>>
  readonly isRequired: boolean
  readonly members: Readonly<Record<string, unknown>> | undefined
}

function operationOf(place: Place, data: z.output<typeof operation>): Operation | undefined {
  const { method, path, parameters, body } = place
  const price = data['x-payment-info']?.price
  const members = body?.members
  const isSpread = members !== undefined && parameters.every(({ name }) => !Object.hasOwn(members, name))
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  for (const one of parameters) {
    properties[one.name] = schemaOf(one)
    if (one.in === 'path' || one.required === true) required.push(one.name)
  }
  if (body !== undefined && isSpread) {
    Object.assign(properties, members)
    const { data: needed = [] } = z.array(text).safeParse(body.schema['required'])
    if (body.isRequired) required.push(...needed)
  } else if (body !== undefined) {
    properties[bodyName] = body.schema
    if (body.isRequired) required.push(bodyName)
  }
  const words = [data.summary, data.description].filter((one) => one !== undefined && one !== '')
  const isPriced = data['x-payment-info'] !== undefined
  const usd = price?.amount === undefined ? '' : ` $${String(price.amount).slice(0, 24)}`
  const costs = isPriced ? ` Costs money:${usd === '' ? ' its price is asked for at the call' : usd}.` : ''
  const tool: unknown = {
    name: data.operationId ?? `${method}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`.replace(/_+$/, ''),
    description: `${[...new Set(words)].join(' ')}${costs}`,
    inputSchema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
    annotations: { readOnlyHint: method === 'get' && !isPriced, openWorldHint: true },
    ...(isPriced ? { _meta: { x402: { paymentRequired: true } } } : {}),
  }
  // A schema of a stranger's may be anything.
  return isSpecType.Tool(tool) ? { tool, requestFor: (args) => requestOf(place, isSpread, args) } : undefined
}

function requestOf(
  { root, path, method, parameters, body }: Place,
  isSpread: boolean,
  args: Readonly<Record<string, unknown>>,
): ApiRequest {
  const rest = new Map(Object.entries(args).filter(([, value]) => value !== undefined))
  const query = new URLSearchParams()
  const headers: Record<string, string> = { accept: 'application/json' }
  let filled = path
  for (const { name, in: where, content } of parameters) {
    const value = rest.get(name)
    rest.delete(name)
    if (where === 'path') filled = filled.replaceAll(`{${name}}`, pathPart(name, value))
    else if (value === undefined || value === null) continue
    else if (where === 'query') for (const one of partsOf(value, content !== undefined)) query.append(name, one)
    else if (where === 'header') headers[name.toLowerCase()] = headerValue(name, value)
  }
  const search = query.size === 0 ? '' : `?${query.toString()}`
  const url = `${root}${filled}${search}`
  if (body === undefined) return { method: method.toUpperCase(), url, headers }
  const value = isSpread ? Object.fromEntries(rest) : rest.get(bodyName)
  const isEmpty = value === undefined || (isSpread && rest.size === 0 && !body.isRequired)
  if (isEmpty) return { method: method.toUpperCase(), url, headers }
  return {
    method: method.toUpperCase(),
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  }
}

/** A value in the path: never a way to another one. */
function pathPart(name: string, value: unknown): string {
  const said = plain(value)
  if (said === undefined || said === '' || said === '.' || said === '..') {
    throw new UnfitArgumentError(`The argument "${name}" must be filled: it is part of the address.`)
  }
  return encodeURIComponent(said)
}

function headerValue(name: string, value: unknown): string {
  const said = plain(value)
  if (said === undefined || !/^[\x20-\x7e]*$/.test(said)) {
    throw new UnfitArgumentError(`The argument "${name}" must be plain text: it is sent as a header.`)
  }
  return said
}

function partsOf(value: unknown, asJson: boolean): readonly string[] {
  if (asJson) return [JSON.stringify(value)]
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => plain(one) ?? JSON.stringify(one))
}

function plain(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function schemaOf({ schema, content, description }: Parameter): Readonly<Record<string, unknown>> {
  const inContent = z.looseObject({ schema: anything }).safeParse(Object.values(content ?? {})[0]).data?.schema
  const found = schema ?? inContent ?? {}
  return description === undefined || 'description' in found ? found : { ...found, description }
}

/** The parameters of an operation, its own before those of its path; what is set here is no argument. */
function parametersOf(whole: unknown, all: readonly unknown[]): readonly Parameter[] {
  const found = new Map<string, Parameter>()
  for (const one of all) {
    const { data } = parameter.safeParse(writtenOut(whole, one))
    if (data === undefined || data.in === 'cookie') continue
    if (data.in === 'header' && (ownHeaders.test(data.name) || ownPrefixes.test(data.name))) continue
    if (data.in === 'header' && !/^[A-Za-z0-9_-]+$/.test(data.name)) continue
    found.set(data.name, data)
  }
  return [...found.values()]
}

function bodyOf(whole: unknown, value: unknown): Body | undefined {
  const shape = z.looseObject({ required: z.optional(z.boolean()), content: anything })
  const { data } = shape.safeParse(writtenOut(whole, value))
  const [, media] =
    Object.entries(data?.content ?? {}).find(([type]) => /^application\/(?:[a-z.-]+\+)?json\b/i.test(type)) ?? []
  if (data === undefined || media === undefined) return undefined
  const schema = z.looseObject({ schema: z.optional(anything) }).safeParse(media).data?.schema ?? {}
  const isObject = schema['type'] === 'object' || schema['properties'] !== undefined
  return {
    schema,
    isRequired: data.required ?? false,
    members: isObject ? anything.safeParse(schema['properties'] ?? {}).data : undefined,
  }
}

/** What a local reference points to; the value itself where it is none. */
function resolve(whole: unknown, value: unknown): unknown {
  const { data } = z.looseObject({ $ref: text.check(z.startsWith('#/')) }).safeParse(value)
  if (data === undefined) return value
  return data.$ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => {
      const inside = anything.safeParse(at).data
      return inside !== undefined && Object.hasOwn(inside, part) ? inside[part] : undefined
    }, whole)
}

/** A value with its references written out: hosts read schemas without the document around them. */
function writtenOut(whole: unknown, value: unknown): unknown {
  let parts = 0
  const write = (one: unknown, depth: number): unknown => {
    parts += 1
    if (depth > deepest || parts > mostParts) return {}
    const found = resolve(whole, one)
    if (Array.isArray(found)) return found.map((item: unknown) => write(item, depth + 1))
    if (typeof found !== 'object' || found === null) return found
    // A reference to a reference, and one around a circle, are as deep as everything else.
    if (found !== one) return write(found, depth + 1)
    return Object.fromEntries(
      Object.entries(found)
        .filter(([name]) => name !== '$ref')
        .map(([name, member]) => [name, write(member, depth + 1)]),
    )
  }
  return write(value, 0)
}
