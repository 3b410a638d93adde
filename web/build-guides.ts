import { readdirSync, readFileSync } from 'node:fs'

import { Marked, type Token } from 'marked'

import { docsPath, repositoryMark } from './docs-paths.ts'
import { catalogPaths } from '../src/describe/documents.ts'

/** A part of a guide, from one heading to the next. */
export type Section = { readonly id: string; readonly title: string; readonly depth: number; readonly text: string }

export type Guide = {
  /** Its last part of the address, and the name of its file. */
  readonly slug: string
  readonly title: string
  /** Its first sentences, without marks. */
  readonly opening: string
  readonly group: string
  /** Ready to be put into a page: made from our own files, and raw HTML in them is shown as text. */
  readonly html: string
  readonly sections: readonly Section[]
}

/** Whom a guide is for, in the order that they are listed; what stands nowhere here comes last. */
const groups: readonly (readonly [group: string, slugs: readonly string[]])[] = [
  ['Buy', ['buy', 'clients', 'prepaid', 'refunds']],
  ['Sell your own tools', ['sell-your-own-tool', 'sell-an-mcp-server']],
  ['Run it', ['run-it', 'configuration', 'facilitators', 'pass-and-registry', 'bad-days', 'performance', 'capacity']],
  ['How it works', ['ledger', 'security', 'scanner-signals', 'meaning']],
]
/** For those who change this program; they read them beside its code. */
const unlisted: ReadonlySet<string> = new Set(['architecture'])

const folder = new URL('../docs/', import.meta.url)

/** Makes every guide from its file, in the order of the list. */
export function buildGuides(): readonly Guide[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const texts = new Map(names.map((name) => [name.slice(0, -3), readFileSync(new URL(name, folder), 'utf8')]))
  const listed = groups.flatMap(([group, slugs]) => slugs.map((slug) => ({ group, slug })))
  const others = [...texts.keys()]
    .filter((slug) => !unlisted.has(slug) && !listed.some((one) => one.slug === slug))
    .map((slug) => ({ group: 'More', slug }))
  const link = linker([...texts.keys()])
  return [...listed, ...others].flatMap(({ group, slug }) => {
    const text = texts.get(slug)
    return text === undefined ? [] : [guideOf(slug, group, text, link)]
  })
}

/** A guide from its Markdown. */
function guideOf(slug: string, group: string, text: string, link: (href: string) => string): Guide {
  const taken = new Map<string, number>()
  const ids = new WeakMap<object, string>()
  const marked = new Marked({
    renderer: {
      heading(token) {
        const words = this.parser.parseInline(token.tokens)
        // The title stands above, in the page's own head.
        return token.depth === 1 ? '' : `<h${token.depth} id="${ids.get(token) ?? ''}">${words}</h${token.depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escaped(link(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image: ({ text: words }) => escaped(words),
      html: ({ text: words }) => escaped(words),
      code: ({ text: code }) => `<pre tabindex="0"><code>${escaped(code)}</code></pre>\n`,
      table(token) {
        const row = (cells: readonly string[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
        const inline = (cells: typeof token.header) => cells.map((cell) => this.parser.parseInline(cell.tokens))
        const body = token.rows.map((cells) => row(inline(cells), 'td')).join('')
        const head = `<thead>${row(inline(token.header), 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</thead>`
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  const tokens = marked.lexer(text)
  for (const token of tokens) {
    if (token.type === 'heading') ids.set(token, freeId(idOf(token.text), taken))
  }
  const title = tokens.find((token) => token.type === 'heading' && token.depth === 1)
  const sections = sectionsOf(tokens, ids)
  return {
    slug,
    group,
    title: title?.type === 'heading' ? title.text : slug,
    opening: sections[0]?.text.slice(0, 220) ?? '',
    html: marked.parser(tokens),
    sections,
  }
}

function sectionsOf(tokens: readonly Token[], ids: WeakMap<object, string>): readonly Section[] {
  const sections: { id: string; title: string; depth: number; text: string }[] = []
  for (const token of tokens) {
    if (token.type === 'heading') {
      sections.push({ id: ids.get(token) ?? '', title: plainOf(token), depth: Number(token['depth']), text: '' })
      continue
    }
    const last = sections.at(-1)
    if (last !== undefined) last.text = `${last.text} ${plainOf(token)}`.trim()
  }
  return sections
}

/** The words of a token and of what is in it, without marks. */
function plainOf(token: Token): string {
  if (token.type === 'table') {
    const cells: readonly (readonly { readonly text: string }[])[] = [token['header'], ...token['rows']]
    return cells
      .flat()
      .map(({ text }) => bare(text))
      .join(' ')
  }
  if (token.type === 'list') return token['items'].map((item: Token) => plainOf(item)).join(' ')
  return 'text' in token && typeof token.text === 'string' ? bare(token.text) : ''
}

function bare(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** As the usual sites of repositories make them, so that links within the files hold here too. */
function idOf(heading: string): string {
  return bare(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function freeId(id: string, taken: Map<string, number>): string {
  const times = taken.get(id) ?? 0
  taken.set(id, times + 1)
  return times === 0 ? id : `${id}-${times}`
}

/** Files that are pages here become their addresses, all others are looked at where the source is. */
function linker(slugs: readonly string[]): (href: string) => string {
  return (href) => {
    if (/^(?:https?:|#)/.test(href)) return href
    const [file = '', part] = href.split('#')
    const anchor = part === undefined ? '' : `#${part}`
    const [, tool] = /^tools\/([\w-]+)\.md$/.exec(file) ?? []
    if (tool !== undefined) return `${catalogPaths.page}/${tool}`
    const name = file.replace(/\.md$/, '')
    if (slugs.includes(name) && !unlisted.has(name)) return `${docsPath}/${name}${anchor}`
    const { pathname } = new URL(file, 'https://source.example/docs/')
    return `${repositoryMark}${pathname}${anchor}`
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (mark) => entities[mark] ?? mark)
}
