import { existsSync, readdirSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { loadTools } from '../tools/load.ts'
import { repositoryMark } from '../web/docs-paths.ts'
import { createGuideSearch } from '../web/guide-search.ts'
import { loadGuides } from '../web/guides.ts'
import { loadReferenceCode } from '../web/reference-code.ts'

const guides = loadGuides()
const tools = await loadTools()
const search = createGuideSearch({
  agentic: tools.filter(({ family }) => family === 'agentic'),
  site: tools.filter(({ family }) => family === 'site'),
})

describe('the guides as pages', () => {
  it('are all files of docs but the one for those who change the program, each in a group of its readers', () => {
    const files = readdirSync(new URL('../docs/', import.meta.url)).filter((name) => name.endsWith('.md'))
    const pages = files.map((name) => name.slice(0, -3)).filter((slug) => slug !== 'architecture')
    expect(guides.map(({ slug }) => slug).toSorted()).toEqual(pages.toSorted())
    expect(guides.filter(({ group }) => group === 'More')).toEqual([])
  })

  it('lead nowhere that does not exist: pages, their parts, tools, and files of the repository', () => {
    const dead: string[] = []
    for (const { slug, html } of guides) {
      for (const [, href = ''] of html.matchAll(/<a href="([^"]+)"/g))
        if (!leads(slug, href)) dead.push(`${slug}: ${href}`)
    }
    expect(dead).toEqual([])
  })

  it.each(['<img src=x onerror=alert(1)>', '<script>alert(1)</script>'])('show %s in a guide as text', (text) => {
    const html = guides.map((guide) => guide.html).join('')
    expect(html.includes(text)).toBe(false)
    expect(/<(?:script|img|iframe|style)\b/.exec(html)).toBe(null)
  })

  it.each([
    ['refund', '/docs/refunds'],
    ['prepaid draws', '/docs/prepaid'],
    ['webhok', '/docs/run-it'],
    ['token approvals', '/tools/erc20-approval-audit'],
  ])('are found by %s', async (question, path) => {
    const hits = await search(question)
    expect(hits.map((hit) => hit.path.split('#')[0])).toContain(path)
  })

  it('have nothing for words that stand nowhere, and take marks for what they are', async () => {
    expect(await search('xylophone zebra')).toEqual([])
    expect(await search('<script> " & ')).toBeInstanceOf(Array)
  })
})

it('the renderer of the API reference names no other host, and its menu no entry twice', () => {
  const code = loadReferenceCode().code.toString('utf8')
  const unwanted = ['cdn.redoc.ly', '//# sourceMappingURL=redoc', '"aria-label":e.sidebarLabel']
  expect(unwanted.filter((words) => code.includes(words))).toEqual([])
})

function leads(slug: string, href: string): boolean {
  if (href.startsWith(`${repositoryMark}/`)) {
    const file = href.slice(`${repositoryMark}/`.length).split('#')[0] ?? ''
    return existsSync(new URL(`../${file}`, import.meta.url))
  }
  if (href.startsWith('https://')) return true
  const [path = '', part] = href.startsWith('#') ? [`/docs/${slug}`, href.slice(1)] : href.split('#')
  if (path.startsWith('/tools/')) return tools.some((tool) => path === `/tools/${tool.slug}`)
  const guide = guides.find((one) => path === `/docs/${one.slug}`)
  return guide !== undefined && (part === undefined || guide.sections.some(({ id }) => id === part))
}
