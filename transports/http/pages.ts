import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'

import { codeSamplesOf } from '../../src/describe/code-samples.ts'
import type { DescribeConfig } from '../../src/describe/config.ts'
import { catalogPaths, toolTextPath } from '../../src/describe/documents.ts'
import { toolMarkdown } from '../../src/describe/tool-markdown.ts'
import type { Tool } from '../../src/tool/tool.ts'
import type { ToolList } from '../../src/tool/tools.ts'
import { loadAssets } from '../../web/assets.ts'
import { homePage } from '../../web/home-page.ts'
import { missingToolPage } from '../../web/missing-page.ts'
import type { PlayWallet } from '../../web/page-data.ts'
import { apiPage, docsPage, guidePage, searchPage } from '../../web/docs-page.ts'
import { createGuideSearch } from '../../web/guide-search.ts'
import { apiPath, docsPath } from '../../web/docs-paths.ts'
import { loadGuides } from '../../web/guides.ts'
import { assetsPath, contentSecurityPolicy, referencePolicy } from '../../web/page.ts'
import { loadReferenceCode } from '../../web/reference-code.ts'
import { type Opening, toolPage } from '../../web/tool-page.ts'
import type { FactsOf } from '../../web/tool-facts.ts'
import { type Offered, toolPagePath, toolsPage } from '../../web/tools-page.ts'
import { type ReadyDocument, ready } from './documents.ts'

const markdown = 'text/markdown; charset=utf-8'

/** What a browser may do on a page, and who may frame it. */
export function pageHeaders(policy = contentSecurityPolicy()): Readonly<Record<string, string>> {
  return { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }
}

/** Sends a page that concerns one person: no cache keeps it. */
export function sendPrivatePage(response: ServerResponse, status: number, page: string): void {
  const body = Buffer.from(page, 'utf8')
  response.writeHead(status, {
    'content-type': html,
    'content-length': String(body.length),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    ...pageHeaders(),
  })
  response.end(body)
}

export type Pages = {
  /** The list of tools, for browsers at the catalog's address. */
  readonly list: () => ReadyDocument
  /** The page at a path; undefined where there is none. Made when it is first asked for. */
  readonly at: (path: string) => ReadyDocument | undefined
  /** What the docs have for a question: a whole page. */
  readonly searched: (question: string) => Promise<string>
  /** The page of a tool with an input, and what came of it; undefined where the tool has no page. */
  readonly opened: (tool: Tool, opening: Opening) => string | undefined
  /** Says that there is no such tool; false where the path is not one of a tool's page. */
  readonly sendMissing: (response: ServerResponse, path: string) => boolean
}

const html = 'text/html; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const prefix = `${catalogPaths.page}/`

/** Its name changes with its content. */
const forever = { 'cache-control': 'public, max-age=31536000, immutable' }

export type PagesParts = {
  readonly toolList: ToolList
  readonly config: DescribeConfig
  /** Slugs of the site tools that this server offers. */
  readonly sold: ReadonlySet<string>
  /** Wallets of the sandbox; none elsewhere. */
  readonly playWallets: readonly PlayWallet[]
  /** How tools are now, which changes while the server runs. */
  readonly factsOf: FactsOf
  readonly now: () => number
}

/** How long a page is kept that says how something is now. */
const livelyMs = 5_000
/** Whoever has it asks whether it is still so. */
const askedAgain = { 'cache-control': 'no-cache' }

/** The pages for people, each made once; those that say how a tool is now, again every few seconds at most. */
export function createPages({ toolList, config, sold, playWallets, factsOf, now }: PagesParts): Pages {
  const offered: Offered = {
    agentic: toolList.agentic.filter(({ slug }) => sold.has(slug)),
    site: toolList.site.filter(({ slug }) => sold.has(slug)),
  }
  const made = new Map<string, ReadyDocument>()
  const keep = (path: string, document: ReadyDocument): ReadyDocument => {
    made.set(path, document)
    return document
  }
  const page = (path: string, make: () => string, policy?: string): ReadyDocument =>
    made.get(path) ?? keep(path, { ...ready(html, make()), headers: pageHeaders(policy) })
  const lively = new Map<string, { readonly at: number; readonly facts: string }>()
  /** Made anew only where what it says has changed since, and not at every request then. */
  const livelyPage = (path: string, about: readonly Tool[], make: () => ReadyDocument): ReadyDocument => {
    const known = made.get(path)
    const last = lively.get(path)
    if (known !== undefined && last !== undefined && Math.abs(now() - last.at) < livelyMs) return known
    const facts = JSON.stringify(about.map(factsOf))
    lively.set(path, { at: now(), facts })
    return known !== undefined && last?.facts === facts ? known : keep(path, make())
  }
  const search = createGuideSearch(offered)
  const reference = (): ReadyDocument => {
    const { code, zipped } = loadReferenceCode()
    const hash = createHash('sha256').update(code).digest('hex').slice(0, 16)
    const path = `${assetsPath}reference-${hash}.js`
    keep(path, { body: code, zipped, etag: `W/"${hash}"`, type: script, headers: forever })
    return page(apiPath, () => apiPage(config, path), referencePolicy())
  }
  const docs = (path: string): ReadyDocument | undefined => {
    if (path === docsPath) return page(path, () => docsPage(config))
    if (path === apiPath) return made.get(path) ?? reference()
    const guide = loadGuides().find(({ slug }) => path === `${docsPath}/${slug}`)
    return guide === undefined ? undefined : page(path, () => guidePage(guide, config))
  }
  const asset = (path: string): ReadyDocument | undefined => {
    const { files } = loadAssets()
    const name = path.slice(assetsPath.length)
    const text = Object.hasOwn(files, name) ? files[name] : undefined
    return made.get(path) ?? (text === undefined ? undefined : keep(path, { ...ready(script, text), headers: forever }))
  }
  /** The same page for whoever reads text. */
  const textOf = (tool: Tool): ReadyDocument => {
    const path = toolTextPath(tool)
    return made.get(path) ?? keep(path, ready(markdown, textPageOf(tool, config)))
  }
  const toolPageWithText = (path: string, tool: Tool): ReadyDocument => {
    const other = { link: `<${toolTextPath(tool)}>; rel="alternate"; type="text/markdown"` }
    return livelyPage(path, [tool], () => {
      const document = ready(html, toolPage(tool, config, playWallets, {}, factsOf(tool)))
      return { ...document, headers: { ...pageHeaders(), ...askedAgain, ...other }, text: () => textOf(tool) }
    })
  }
  // What llms.txt names can be read about, also where it cannot be had just now.
  const described = new Map([...toolList.agentic, ...offered.site].map((tool) => [toolTextPath(tool), tool]))
  const tools = new Map([...offered.agentic, ...offered.site].map((tool) => [toolPagePath(tool), tool]))
  return {
    list: () =>
      livelyPage(catalogPaths.page, [...offered.agentic, ...offered.site], () => ({
        ...ready(html, toolsPage(offered, config, factsOf)),
        headers: { ...pageHeaders(), ...askedAgain },
      })),
    at: (path) => {
      if (path === '/') return page(path, () => homePage(offered, config, playWallets))
      if (path.startsWith(assetsPath)) return asset(path)
      if (path.startsWith(docsPath)) return docs(path)
      const tool = tools.get(path)
      if (tool !== undefined) return toolPageWithText(path, tool)
      const read = described.get(path)
      return read === undefined ? undefined : textOf(read)
    },
    searched: async (question) => searchPage(question, await search(question), config),
    opened: (tool, opening) =>
      tools.get(toolPagePath(tool)) === tool ? toolPage(tool, config, playWallets, opening, factsOf(tool)) : undefined,
    sendMissing: (response, path) => {
      if (!path.startsWith(prefix)) return false
      const body = missingToolPage(readable(path.slice(prefix.length)), offered, config, factsOf)
      response.writeHead(404, { 'content-type': html, 'x-content-type-options': 'nosniff', ...pageHeaders() })
      response.end(body)
      return true
    },
  }
}

function textPageOf(tool: Tool, config: DescribeConfig): string {
  const [first] = tool.examples
  const shown = (value: unknown): string => JSON.stringify(value, null, 2)
  const example = first === undefined ? undefined : { input: shown(first.input), output: shown(first.output) }
  return `${toolMarkdown(tool, { baseUrl: config.baseUrl, example, samples: codeSamplesOf(tool, config) })}\n`
}

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A name that is not well-formed is shown as it came.
    return segment
  }
}
