import { isList, isObject, listOf, stepInto, textOf } from './json.ts'
import type { JsonObject } from './json.ts'

/** One string of the manifest; a key that reads like a sentence counts as one too. */
export type Leaf = {
  readonly path: string
  readonly key: string
  readonly text: string
  readonly tool: string | undefined
  readonly isKey: boolean
}

/** A part of the manifest that has a name, and where it stands. */
type Named = { readonly name: string; readonly path: string }
type Described = Named & { readonly description: string }

export type Parameter = Described & { readonly schema: JsonObject }

export type ToolEntry = Described & {
  readonly definition: JsonObject
  /** The input schema as it stands, whatever its type; `undefined` where there is none. */
  readonly schema: unknown
  readonly schemaPath: string
  readonly parameters: readonly Parameter[]
  readonly annotations: JsonObject
}

export type Setting = Named & { readonly value: string }

/** A program that a client starts. */
export type Launch = Named & {
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly Setting[]
}

/** An address that a client speaks to. */
export type Remote = Named & {
  readonly url: string
  readonly kind: string
  readonly headers: readonly Setting[]
}

type Resource = Described & { readonly uri: string }

/** A manifest of any accepted shape, read into the parts that rules look at. */
export type Manifest = {
  readonly serverName: string
  readonly root: unknown
  readonly tools: readonly ToolEntry[]
  readonly leaves: readonly Leaf[]
  readonly launches: readonly Launch[]
  readonly remotes: readonly Remote[]
  readonly resources: readonly Resource[]
  /** Objects that speak of the server itself: the root, server entries, authorization blocks. */
  readonly blocks: readonly { readonly path: string; readonly value: JsonObject }[]
  /** Names that the manifest itself defines, each reduced by `nameKey`. */
  readonly vocabulary: ReadonlySet<string>
  /** False when nothing in it is a server, a tool, a prompt or a resource. */
  readonly isRecognised: boolean
}

const limits = { depth: 64, values: 120_000 } as const

/** The manifest is nested deeper, or has more values, than the scanner reads. */
export class ManifestTooLargeError extends Error {}

/** Reduces a name to its letters and digits, so that spelling conventions do not matter. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** The keys under which clients keep their servers. */
export const serverMaps = new Set(['mcpServers', 'servers', 'context_servers', 'mcp_servers'])
const remoteLists = new Set(['remotes', 'transport', 'transports'])
const addressKeys = ['url', 'serverUrl', 'httpUrl', 'server_url', 'serverURL'] as const
const serverWords = [
  'startCommand',
  'packages',
  'remotes',
  'image',
  'version_detail',
  'instructions',
  'server',
] as const

/**
 * Reads any accepted shape: a tools/list answer (bare, in a JSON-RPC envelope or a batch), initialize dumps, client
 * configurations, registry entries, MCPB manifests, server cards and lists in the style of model vendors.
 * @throws {ManifestTooLargeError} when it is nested too deeply or has too many values.
 */
export function readManifest(root: unknown): Manifest {
  const tools: ToolEntry[] = []
  const leaves: Leaf[] = []
  const launches: Launch[] = []
  const remotes: Remote[] = []
  const resources: Resource[] = []
  const blocks: { path: string; value: JsonObject }[] = []
  const names: string[] = []
  let promptCount = 0
  let values = 0

  function walk(value: unknown, path: string, key: string, tool: string | undefined, depth: number): void {
    values += 1
    if (depth > limits.depth) throw new ManifestTooLargeError(`It is nested deeper than ${limits.depth} levels.`)
    if (values > limits.values) throw new ManifestTooLargeError(`It has more than ${limits.values} values.`)
    if (typeof value === 'string') {
      if (value.length > 0) leaves.push({ path, key, text: value, tool, isKey: false })
      return
    }
    if (isList(value)) {
      for (const [index, item] of value.entries()) {
        walk(item, stepInto(path, index), key, toolAt(item, path, key, index) ?? tool, depth + 1)
      }
      return
    }
    if (!isObject(value)) return
    if (tool === undefined) readBlock(value, path, key)
    for (const [name, item] of Object.entries(value)) {
      const next = stepInto(path, name)
      if (name.length > 24) leaves.push({ path: next, key: name, text: name, tool, isKey: true })
      if (tool === undefined) {
        if (serverMaps.has(name) && isObject(item)) readServers(item, next)
        if (remoteLists.has(name)) readRemotes(isList(item) ? item : [item], next, textOf(value['name']))
      }
      if (name === 'properties' && isObject(item)) names.push(...Object.keys(item))
      if (name === 'enum') names.push(...listOf(item).map(textOf))
      walk(item, next, name, tool, depth + 1)
    }
  }

  /** The name of the tool that an item of a list is, after noting that tool. */
  function toolAt(item: unknown, listPath: string, key: string, index: number): string | undefined {
    const isToolList = key === 'tools' || (key === '' && listPath === '$')
    if (typeof item === 'string' && key === 'tools') {
      tools.push(bareTool(item, stepInto(listPath, index)))
      return item
    }
    if (isObject(item)) {
      if (key === 'prompts' && textOf(item['name']) !== '') {
        promptCount += 1
        names.push(textOf(item['name']))
      }
      if (key === 'resources' || key === 'resourceTemplates') readResource(item, stepInto(listPath, index))
      if (isToolList) {
        const entry = readTool(item, stepInto(listPath, index))
        if (entry !== undefined) {
          tools.push(entry)
          return entry.name
        }
      }
    }
    return undefined
  }

  function readResource(item: JsonObject, path: string): void {
    const uri = textOf(item['uri']) || textOf(item['uriTemplate'])
    const name = textOf(item['name'])
    names.push(name)
    resources.push({ path, uri, name, description: textOf(item['description']) })
  }

  function readBlock(value: JsonObject, path: string, key: string): void {
    blocks.push({ path, value })
    const command = value['command'] ?? value['entrypoint']
    if (typeof command === 'string' || (isList(command) && command.every((word) => typeof word === 'string'))) {
      const [program = '', ...rest] = isList(command) ? command.map(textOf) : [command]
      launches.push({
        name: key,
        path,
        command: program,
        args: [...rest, ...listOf(value['args']).map(textOf)],
        env: settingsOf(value['env'] ?? value['environment'], stepInto(path, 'env')),
      })
    }
  }

  function readServers(entries: JsonObject, path: string): void {
    names.push(...Object.keys(entries))
    for (const [name, entry] of Object.entries(entries)) {
      if (isObject(entry)) readRemotes([entry], stepInto(path, name), name)
    }
  }

  function readRemotes(entries: readonly unknown[], path: string, name: string): void {
    for (const [index, entry] of entries.entries()) {
      if (!isObject(entry)) continue
      const place = entries.length > 1 || path.endsWith('remotes') ? stepInto(path, index) : path
      const address = addressKeys.find((key) => typeof entry[key] === 'string')
      if (address === undefined) continue
      remotes.push({
        name,
        path: stepInto(place, address),
        url: textOf(entry[address]),
        kind: textOf(entry['type']) || textOf(entry['transport']) || textOf(entry['transport_type']),
        headers: settingsOf(entry['headers'], stepInto(place, 'headers')),
      })
    }
  }

  walk(root, '$', '', undefined, 0)
  const rootBlock = isObject(root) ? root : undefined
  const hasServerWords = rootBlock !== undefined && serverWords.some((word) => rootBlock[word] !== undefined)
  names.push(...tools.map((tool) => tool.name))
  const serverName = serverNameOf(root)
  names.push(serverName)
  return {
    serverName,
    root,
    tools,
    leaves,
    launches,
    remotes,
    resources,
    blocks,
    vocabulary: new Set(names.map(nameKey).filter((name) => name.length > 1)),
    isRecognised:
      tools.length + launches.length + remotes.length + resources.length + promptCount > 0 ||
      hasServerWords ||
      holdsEmptyLists(root),
  }
}

const lists = ['tools', 'prompts', 'resources', 'resourceTemplates', ...serverMaps]

/** Whether it is a server's answer that lists nothing; such a server is odd and harmless. */
function holdsEmptyLists(root: unknown): boolean {
  if (!isObject(root)) return false
  const answer = isObject(root['result']) ? root['result'] : root
  const named = lists.map((name) => answer[name]).filter((list) => list !== undefined)
  return named.length > 0 && named.every((list) => (isList(list) ? list.length === 0 : isObject(list)))
}

function readTool(item: JsonObject, path: string): ToolEntry | undefined {
  const inner = isObject(item['function']) ? item['function'] : item
  const at = inner === item ? path : stepInto(path, 'function')
  const name = textOf(inner['name']) || textOf(item['id'])
  if (name === '' && inner['inputSchema'] === undefined && inner['description'] === undefined) return undefined
  const schemaKey = ['inputSchema', 'input_schema', 'parameters', 'arguments', 'requestSchema'].find(
    (key) => inner[key] !== undefined,
  )
  const schema = schemaKey === undefined ? undefined : inner[schemaKey]
  const schemaPath = stepInto(at, schemaKey ?? 'inputSchema')
  return {
    name,
    path: at,
    description: textOf(inner['description']),
    definition: item,
    schema,
    schemaPath,
    parameters: parametersOf(schema, schemaPath),
    annotations: isObject(item['annotations']) ? item['annotations'] : {},
  }
}

function bareTool(name: string, path: string): ToolEntry {
  return {
    name,
    path,
    description: '',
    definition: {},
    schema: undefined,
    schemaPath: path,
    parameters: [],
    annotations: {},
  }
}

function parametersOf(schema: unknown, path: string): readonly Parameter[] {
  if (isList(schema)) {
    return schema.filter(isObject).map((item, index) => ({
      name: textOf(item['name']),
      path: stepInto(path, index),
      schema: item,
      description: textOf(item['description']) || textOf(item['desc']),
    }))
  }
  if (!isObject(schema) || !isObject(schema['properties'])) return []
  const at = stepInto(path, 'properties')
  return Object.entries(schema['properties']).map(([name, value]) => {
    const inner = isObject(value) ? value : {}
    return { name, path: stepInto(at, name), schema: inner, description: textOf(inner['description']) }
  })
}

function settingsOf(value: unknown, path: string): readonly Setting[] {
  if (isObject(value)) {
    return Object.entries(value).map(([name, item]) => ({ name, value: textOf(item), path: stepInto(path, name) }))
  }
  return listOf(value)
    .filter(isObject)
    .map((item, index) => ({
      name: textOf(item['name']),
      value: textOf(item['value']) || textOf(item['default']),
      path: stepInto(path, index),
    }))
}

function serverNameOf(root: unknown): string {
  const found =
    nameIn(root) ??
    listOf(root)
      .map(nameIn)
      .find((name) => name !== undefined)
  return (found ?? 'unknown').slice(0, 200)
}

function nameIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  for (const key of ['serverInfo', 'initialize', 'result', 'server', 'tools', 'mcp']) {
    const inner = value[key]
    if (isObject(inner)) {
      const name = nameIn(inner)
      if (name !== undefined) return name
    }
  }
  const own = textOf(value['name']) || textOf(value['display_name']) || textOf(value['title'])
  if (own !== '') return own
  for (const key of serverMaps) {
    const entries = value[key]
    const [first] = isObject(entries) ? Object.keys(entries) : []
    if (first !== undefined) return first
  }
  return undefined
}
