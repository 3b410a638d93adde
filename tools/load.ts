import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Knowledge } from '../src/tool/knowledge.ts'
import { isRecord, type Tool } from '../src/tool/tool.ts'

/** Where one tool lives: `tools/<family>/<slug>/tool.ts`. */
export type ToolPlace = { readonly family: Tool['family']; readonly slug: string; readonly url: URL }

const families = ['agentic', 'site'] as const

// Sources say `.ts` and the built package says `.js`; a tool is found by the ending of this very file.
const ending = extname(fileURLToPath(import.meta.url))
const fileName = `tool${ending}`
const knowledgeName = `knowledge${ending}`

/** Lists the folders that tools live in, in the order of the alphabet. `root` holds the families; it ends in `/`. */
export async function toolPlaces(root: URL = new URL('./', import.meta.url)): Promise<readonly ToolPlace[]> {
  const places = await Promise.all(families.map((family) => placesOf(family, new URL(`${family}/`, root))))
  return places.flat()
}

/**
 * Loads the tool of one folder.
 * @throws Error with a sentence that names the folder, where it holds no tool or another one than its place says.
 */
export async function loadTool({ family, slug, url }: ToolPlace): Promise<Tool> {
  const place = `tools/${family}/${slug}/${fileName}`
  const module: unknown = await import(url.href).catch((cause: unknown) => {
    throw new Error(`The tool at ${place} could not be loaded.`, { cause })
  })
  const tool = isRecord(module) ? module['default'] : undefined
  if (!isTool(tool)) throw new Error(`The module ${place} must export a tool definition as its default.`)
  if (tool.family !== family || tool.slug !== slug) {
    throw new Error(`The module ${place} defines "${tool.family}/${tool.slug}"; it must match its place.`)
  }
  const beside = new URL(knowledgeName, url)
  return existsSync(beside) ? { ...tool, knowledge: () => loadKnowledge(beside) } : tool
}

/** What is known of a tool is read when somebody asks for it: most starts never do. */
async function loadKnowledge(url: URL): Promise<Knowledge> {
  const module: unknown = await import(url.href)
  const knowledge = isRecord(module) ? module['default'] : undefined
  if (!isKnowledge(knowledge))
    throw new Error(`The module ${url.pathname} must export a tool's knowledge as its default.`)
  return knowledge
}

/** Finds and loads every tool by its place; adding a folder is all it takes to add a tool. */
export async function loadTools(root?: URL): Promise<readonly Tool[]> {
  return Promise.all((await toolPlaces(root)).map(loadTool))
}

async function placesOf(family: Tool['family'], folder: URL): Promise<readonly ToolPlace[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    // Git keeps no empty folders, so a family without tools is simply not there.
    if (isRecord(error) && error['code'] === 'ENOENT') return []
    throw error
  })
  return (
    entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ family, slug: name, url: new URL(`${name}/${fileName}`, folder) }))
      // A folder that somebody has only just begun is not a tool yet; a test finds those that stay so.
      .filter(({ url }) => existsSync(url))
      .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  )
}

function isTool(value: unknown): value is Tool {
  return isRecord(value) && typeof value['slug'] === 'string' && typeof value['run'] === 'function'
}

function isKnowledge(value: unknown): value is Knowledge {
  return isRecord(value) && Array.isArray(value['questions']) && typeof value['summary'] === 'function'
}
