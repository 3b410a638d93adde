import type { ServerResponse } from 'node:http'

import type { DescribeConfig } from '../../src/describe/config.ts'
import { catalogPaths } from '../../src/describe/documents.ts'
import type { ToolList } from '../../src/tool/tools.ts'
import { homePage } from '../../web/home-page.ts'
import { missingToolPage } from '../../web/missing-page.ts'
import { contentSecurityPolicy } from '../../web/page.ts'
import { toolPage } from '../../web/tool-page.ts'
import { type Offered, toolPagePath, toolsPage } from '../../web/tools-page.ts'
import { type ReadyDocument, ready } from './documents.ts'

/** What a browser may do on a page, and who may frame it. */
const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
} as const

export type Pages = {
  /** The list of tools, for browsers at the catalog's address. */
  readonly list: () => ReadyDocument
  /** The page at a path; undefined where there is none. Made when it is first asked for. */
  readonly at: (path: string) => ReadyDocument | undefined
  /** Says that there is no such tool; false where the path is not one of a tool's page. */
  readonly sendMissing: (response: ServerResponse, path: string) => boolean
}

const html = 'text/html; charset=utf-8'
const prefix = `${catalogPaths.page}/`

/** The pages for people, each made once. @param sold slugs of the site tools that this server offers. */
export function createPages(toolList: ToolList, config: DescribeConfig, sold: ReadonlySet<string>): Pages {
  const offered: Offered = {
    agentic: toolList.agentic.filter(({ slug }) => sold.has(slug)),
    site: toolList.site.filter(({ slug }) => sold.has(slug)),
  }
  const made = new Map<string, ReadyDocument>()
  const page = (path: string, make: () => string): ReadyDocument => {
    const known = made.get(path)
    if (known !== undefined) return known
    const document: ReadyDocument = { ...ready(html, make()), headers: pageHeaders }
    made.set(path, document)
    return document
  }
  const tools = new Map([...offered.agentic, ...offered.site].map((tool) => [toolPagePath(tool), tool]))
  return {
    list: () => page(catalogPaths.page, () => toolsPage(offered, config)),
    at: (path) => {
      if (path === '/') return page(path, () => homePage(offered, config))
      const tool = tools.get(path)
      return tool === undefined ? undefined : page(path, () => toolPage(tool, config))
    },
    sendMissing: (response, path) => {
      if (!path.startsWith(prefix)) return false
      const body = missingToolPage(readable(path.slice(prefix.length)), offered, config)
      response.writeHead(404, { 'content-type': html, 'x-content-type-options': 'nosniff', ...pageHeaders })
      response.end(body)
      return true
    },
  }
}

function readable(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A name that is not well-formed is shown as it came.
    return segment
  }
}
