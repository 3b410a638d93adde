import { z } from 'zod'

import { isPriced, usdOf } from './access.ts'
import type { CatalogEntry, Tool } from './tool.ts'
import { endpointOf } from './urls.ts'

export type AgenticTool = Extract<Tool, { readonly family: 'agentic' }>
export type SiteTool = Extract<Tool, { readonly family: 'site' }>

/** Every tool of this server, in the order of their slugs. */
export type ToolList = {
  readonly all: readonly Tool[]
  readonly agentic: readonly AgenticTool[]
  readonly site: readonly SiteTool[]
  readonly bySlug: (slug: string) => Tool | undefined
}

const longestDescription = 500
const usdPattern = /^(?:0|[1-9]\d*)(?:\.\d{1,6})?$/
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Gathers tools and vouches for what the documents made from them rely on.
 * @throws Error with a sentence that names the tool at fault.
 */
export function createToolList(tools: readonly Tool[]): ToolList {
  const bySlug = new Map<string, Tool>()
  for (const tool of tools) {
    const fault = faultOf(tool)
    if (fault !== undefined) throw new Error(`The tool "${tool.slug}" ${fault}`)
    if (bySlug.has(tool.slug)) throw new Error(`The tool "${tool.slug}" is defined twice; a slug belongs to one tool.`)
    bySlug.set(tool.slug, tool)
  }

  // Comparing code units keeps the order the same on every machine; a locale would not.
  const all = [...bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
  return {
    all,
    agentic: all.filter((tool) => tool.family === 'agentic'),
    site: all.filter((tool) => tool.family === 'site'),
    bySlug: (slug) => bySlug.get(slug),
  }
}

function faultOf({ slug, family, description, access }: Tool): string | undefined {
  // Definitions are data from files found by place, so the compiler's word is checked again here.
  const known: readonly string[] = ['agentic', 'site']
  if (!known.includes(family)) return `has the unknown family "${family}"; it must be one of ${known.join(', ')}.`
  if (!slugPattern.test(slug)) return 'needs a slug of lower-case words joined by single hyphens.'
  if (description.trim() === '') return 'needs a description.'
  if (description.length > longestDescription) {
    return `has a description of ${description.length} characters; at most ${longestDescription} are allowed.`
  }
  if (isPriced(access)) {
    if (!usdPattern.test(access.usd)) {
      return `has the price "${access.usd}"; write dollars as digits with at most six decimals, like "0.01".`
    }
    if (!/[1-9]/.test(access.usd)) return `is ${access.mode} but costs nothing; give it a price, or the mode "free".`
  }
  return undefined
}

/** Every tool as tools that plan over tools see it. */
export function catalogEntriesOf(toolList: ToolList, baseUrl: string): readonly CatalogEntry[] {
  return toolList.all.map((tool) => ({
    slug: tool.slug,
    family: tool.family,
    name: tool.name,
    description: tool.description,
    tags: tool.tags,
    mode: tool.access.mode,
    priceUsd: usdOf(tool.access),
    endpoint: endpointOf(tool, baseUrl),
    latencySlaMs: tool.latencySlaMs,
    inputSchema: () => inputSchemaOf(tool),
    knowledge: tool.knowledge,
  }))
}

const inputSchemas = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>()

/** What a tool may be told, as whoever reads sentences for it needs it: fields, options, bounds. */
function inputSchemaOf({ input }: Tool): Readonly<Record<string, unknown>> {
  const known = inputSchemas.get(input)
  if (known !== undefined) return known
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  inputSchemas.set(input, schema)
  return schema
}
