import { CallError, InvalidInputError, NotFoundError } from '../../../src/tool/tool.ts'
import type { Upstreams } from '../../../src/tool/tool.ts'
import { isList, isObject, listOf, textOf } from './json.ts'

type Web = Upstreams['web']
type Answer = Awaited<ReturnType<Web['fetch']>>

/** A manifest with the address that it came from. */
export type Source = { readonly root: unknown; readonly url: string; readonly isEndpoint: boolean }

const field = '/manifestUrl'
const limits = { maxBytes: 1_048_576, timeoutMs: 5_000 } as const
const pageLimit = 5
const listKinds = ['tools', 'prompts', 'resources'] as const

/**
 * Fetches the manifest at an address; an address that speaks MCP is asked for its lists instead.
 * @throws {InvalidInputError} when the address may not be fetched or gives nothing that can be scanned.
 */
export async function fetchSource(web: Web, address: string): Promise<Source> {
  const answer = await translated(web.fetch(address, { ...limits, headers: { accept: 'application/json' } }))
  if (answer.status === 200) {
    const root = parsed(answer.text)
    const isRefusal = isObject(root) && isObject(root['error']) && root['jsonrpc'] === '2.0'
    if (root !== undefined && !isRefusal) return { root, url: answer.finalUrl, isEndpoint: false }
  }
  if ([401, 402, 403].includes(answer.status)) {
    throw new InvalidInputError(
      field,
      'The address asks for credentials or payment. Send the manifest as manifestJson.',
    )
  }
  const asked = await askEndpoint(web, answer.finalUrl)
  if (asked !== undefined) return { root: asked, url: answer.finalUrl, isEndpoint: true }
  if (answer.status === 404 || answer.status === 410) throw new NotFoundError('There is nothing at the manifestUrl.')
  throw new InvalidInputError(field, 'The address answers neither with a JSON manifest nor as an MCP endpoint.')
}

/** What an MCP endpoint says of itself, or `undefined` where it does not speak MCP. */
async function askEndpoint(web: Web, url: string): Promise<unknown> {
  const hello = await ask(web, url, undefined, 1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'tollgate-scanner', version: '1.0.0' },
  })
  if (hello === undefined) return undefined
  const { result: initialize, session } = hello
  const headers = {
    'mcp-protocol-version': textOf(initialize['protocolVersion']) || '2025-11-25',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  await translated(web.fetch(url, { ...limits, method: 'POST', headers: { ...headersOf, ...headers }, body }))
  const capabilities = isObject(initialize['capabilities']) ? initialize['capabilities'] : {}
  const lists: Record<string, readonly unknown[]> = {}
  for (const kind of listKinds) {
    // Every server is asked for tools, since some forget to declare them.
    if (kind !== 'tools' && capabilities[kind] === undefined) continue
    lists[kind] = await listAll(web, url, headers, kind)
  }
  return { initialize, ...lists }
}

async function listAll(
  web: Web,
  url: string,
  headers: Readonly<Record<string, string>>,
  kind: (typeof listKinds)[number],
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  let cursor = ''
  for (let page = 0; page < pageLimit; page += 1) {
    const answer = await ask(web, url, headers, page + 2, `${kind}/list`, cursor === '' ? {} : { cursor })
    if (answer === undefined) return items
    items.push(...listOf(answer.result[kind]))
    cursor = textOf(answer.result['nextCursor'])
    if (cursor === '') return items
  }
  return items
}

const headersOf = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } as const

async function ask(
  web: Web,
  url: string,
  headers: Readonly<Record<string, string>> | undefined,
  id: number,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<{ readonly result: Readonly<Record<string, unknown>>; readonly session: string | undefined } | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
  const answer = await translated(
    web.fetch(url, { ...limits, method: 'POST', headers: { ...headersOf, ...headers }, body }),
  )
  if (answer.status !== 200) return undefined
  const message = messageWith(answer, id)
  if (message === undefined || !isObject(message['result'])) return undefined
  return { result: message['result'], session: answer.headers['mcp-session-id'] }
}

/** The JSON-RPC message with an id, from a JSON body or from an event stream. */
function messageWith(answer: Answer, id: number): Readonly<Record<string, unknown>> | undefined {
  const isStream = (answer.headers['content-type'] ?? '').includes('text/event-stream')
  const texts = isStream
    ? answer.text.split(/\r?\n\r?\n/).map(
        (event) =>
          event
            .match(/^data:.*$/gm)
            ?.map((line) => line.slice(5).trim())
            .join('\n') ?? '',
      )
    : [answer.text]
  return texts
    .map(parsed)
    .flatMap((message) => (isList(message) ? message : [message]))
    .filter(isObject)
    .find((message) => message['id'] === id)
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Text that is not JSON is not a manifest; the caller of this function says so.
    return undefined
  }
}

/** Turns what went wrong with a caller's address into the caller's error where it is one. */
async function translated(fetching: Promise<Answer>): Promise<Answer> {
  try {
    return await fetching
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const reason = 'reason' in error ? error.reason : undefined
    if (error.code === 'invalid_input') throw new InvalidInputError(field, error.message, { cause: error })
    if (reason === 'dns') throw new NotFoundError('The host of the manifestUrl does not exist.', { cause: error })
    if (reason === 'too_large') {
      throw new InvalidInputError(field, 'The manifest is larger than 1 MiB.', { cause: error })
    }
    if (reason === 'redirects') {
      throw new InvalidInputError(field, 'The address redirects more than three times.', { cause: error })
    }
    throw error
  }
}
