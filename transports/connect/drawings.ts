/**
 * Pages of the servers behind this one that draw answers (MCP Apps), for hosts that show them. Each is given under an
 * address of ours, because two servers may have the same, and may reach nothing: it draws what the host tells it.
 */
import type { Tool } from '@modelcontextprotocol/client'
import * as z from 'zod/mini'

import { appMimeType, appMetaOf } from '../mcp/apps.ts'

const prefix = 'ui://connect/'
/** Those that are published have some hundred kilobytes. */
const mostCharacters = 4_000_000

const meta = z.looseObject({
  ui: z.optional(z.looseObject({ resourceUri: z.optional(z.string()) })),
  'ui/resourceUri': z.optional(z.string()),
})
const contents = z.looseObject({
  contents: z.array(
    z.looseObject({ mimeType: z.optional(z.string()), text: z.optional(z.string()), blob: z.optional(z.string()) }),
  ),
})

/** Where a server has the page of one of its tools; undefined where it names none. */
export function drawingOf({ _meta }: Tool): string | undefined {
  const found = meta.safeParse(_meta).data
  const uri = found?.ui?.resourceUri ?? found?.['ui/resourceUri']
  return uri !== undefined && /^ui:\/\/\S{1,500}$/.test(uri) ? uri : undefined
}

/** What is listed of a tool's page: an address of ours where the host shows it, and nothing elsewhere. */
export function withDrawing(name: string, tool: Tool, isShown: boolean): Tool {
  const { ui: _ui, 'ui/resourceUri': _older, ...others } = tool._meta ?? {}
  if (isShown && drawingOf(tool) !== undefined) return { ...tool, _meta: { ...others, ...appMetaOf(addressOf(name)) } }
  const { _meta, ...rest } = tool
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others }
}

export function addressOf(name: string): string {
  return `${prefix}${encodeURIComponent(name)}`
}

/** Which tool an address of ours means. */
export function toolAt(uri: string): string | undefined {
  if (!uri.startsWith(prefix)) return undefined
  try {
    return decodeURIComponent(uri.slice(prefix.length))
  } catch {
    return undefined
  }
}

/** The page that a server gave, as it is passed on; undefined where it is none. What it asks to reach is left out. */
export function passedOn(name: string, answer: unknown) {
  const page = contents.safeParse(answer).data?.contents.find(({ mimeType }) => mimeType === appMimeType)
  const text = page?.text ?? (page?.blob === undefined ? undefined : Buffer.from(page.blob, 'base64').toString('utf8'))
  if (text === undefined || text.length > mostCharacters) return undefined
  return { uri: addressOf(name), mimeType: appMimeType, text, _meta: { ui: { csp: {}, prefersBorder: false } } }
}
