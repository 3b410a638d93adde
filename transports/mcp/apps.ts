import { isRecord } from '../../src/platform/record.ts'
import type { McpTool } from '../../src/describe/mcp-tools.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { capabilitiesOf } from './capabilities.ts'

/** The extension of MCP by which a host shows a page of the server beside an answer (SEP-1865). */
const extension = 'io.modelcontextprotocol/ui'
export const appMimeType = 'text/html;profile=mcp-app'

/** What a client says of itself that shows such pages. */
export const appsCapability = { [extension]: { mimeTypes: [appMimeType] } }

const prefix = 'ui://tollgate/'

/** A page that a host may show, as `resources/list` has it. */
export type McpApp = {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
}

/** Stands in the session id of a client of older revisions that shows pages. */
export const appsMark = 'ui-'

/** Whether a client has said that it shows pages of this kind. */
export function showsApps(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined
  const settings = isRecord(extensions) ? extensions[extension] : undefined
  if (!isRecord(settings)) return false
  const { mimeTypes } = settings
  return mimeTypes === undefined || (Array.isArray(mimeTypes) && mimeTypes.includes(appMimeType))
}

/**
 * Whether the client of a request shows pages: by what it says with each request, by what it said once to this process,
 * or by the session that it was given for saying so.
 */
export function clientShowsApps(
  envelope: unknown,
  said: unknown,
  headerOf: (name: string) => string | undefined,
): boolean {
  return (
    showsApps(capabilitiesOf(envelope)) ||
    showsApps(said) ||
    /^(?:elicit-)?ui-[0-9a-f]{32}$/.test(headerOf('mcp-session-id') ?? '')
  )
}

const known = new WeakMap<readonly McpTool[], readonly McpTool[]>()

/** The list for clients that show pages: the same, and for each tool whose answer is data the page that draws it. */
export function listedWithApps(listed: readonly McpTool[]): readonly McpTool[] {
  const made = known.get(listed)
  if (made !== undefined) return made
  const list = listed.map((tool) => {
    if (tool.outputSchema === undefined) return tool
    return { ...tool, _meta: { ...tool._meta, ...appMetaOf(appUriOf(tool.name)) } }
  })
  known.set(listed, list)
  return list
}

/** The pages of the tools that are listed. */
export function appsOf(listed: readonly McpTool[]): readonly McpApp[] {
  return listed
    .filter(({ outputSchema }) => outputSchema !== undefined)
    .map(({ name, title }) => ({
      uri: appUriOf(name),
      name: `${name}-drawn`,
      title: `${title}: its answer, drawn`,
      mimeType: appMimeType,
    }))
}

/** A page by its address, as `resources/read` gives it; undefined where no tool that is listed has it. */
export async function readApp(uri: string, toolOf: (name: string) => Tool | undefined) {
  const tool = uri.startsWith(prefix) ? toolOf(uri.slice(prefix.length)) : undefined
  if (tool === undefined || tool.gated?.isContent === true) return undefined
  // What draws is large, and most processes are never asked for it.
  const { appPage } = await import('../../web/app-page.ts')
  // It asks for no address and no permission: everything that it needs is in it.
  return { uri, mimeType: appMimeType, text: appPage(tool), _meta: { ui: { csp: {}, prefersBorder: false } } }
}

/** What a tool says of its page. Hosts of the draft look for the second form. */
export function appMetaOf(resourceUri: string) {
  return { ui: { resourceUri }, 'ui/resourceUri': resourceUri }
}

function appUriOf(slug: string): string {
  return `${prefix}${slug}`
}
