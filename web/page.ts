import { createHash } from 'node:crypto'

import { html, raw } from 'hono/html'

import type { DescribeConfig } from '../src/describe/config.ts'
import { catalogPaths } from '../src/describe/documents.ts'
import { paths } from '../src/tool/urls.ts'
import { loadAssets } from './assets.ts'
import { style } from './style.ts'

/** A piece of a page; every text in it is escaped already. */
export type Markup = ReturnType<typeof html>

/** Pieces one behind the other. */
export function joined(parts: readonly Markup[]): Markup {
  return html`${parts}`
}

/** Where the modules are that pages load on use. */
export const assetsPath = '/assets/'

/** A text of the page as a policy names it. */
export const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The one script that stands in every page; it loads the others where a page asks for them. */
function inlineScript(): string {
  const { files, entries } = loadAssets()
  const modules = [
    ['form[data-try]', entries['try']],
    ['[data-pay-page]', entries['pay']],
    ['[data-operator]', entries['operator']],
    ['[data-reference]', entries['reference']],
  ].map(([selector, file]) => [selector, `${assetsPath}${file}`])
  // An element that a script adds is trusted as the script is; what it imports on its own is not.
  const load = `const s=document.createElement('script');s.type='module';s.src=address;document.head.append(s)`
  const loop = `for(const [selector,address] of ${JSON.stringify(modules)})if(document.querySelector(selector)){${load}}`
  return `${files[entries['page'] ?? '']?.trim() ?? ''}${loop}`
}

let known: { readonly script: string; readonly policy: string } | undefined

/**
 * The script, and what a browser may do on a page: the one style and the one script stand in it, by their hashes, and
 * that script alone may load others. Browsers that do not know `strict-dynamic` take modules of this server.
 */
function scriptAndPolicy(): { readonly script: string; readonly policy: string } {
  if (known !== undefined) return known
  const script = inlineScript()
  const policy = [
    `default-src 'none'`,
    `style-src ${sourceHash(style)}`,
    `script-src ${sourceHash(script)} 'strict-dynamic' 'self'`,
    `connect-src 'self'`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')
  known = { script, policy }
  return known
}

export function contentSecurityPolicy(): string {
  return scriptAndPolicy().policy
}

/**
 * The style of the scroll bars that the renderer of the API reference brings; another release of it may have another.
 */
const scrollBars = `'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='`

/**
 * The policy of the API reference: its renderer fills a style element of its own, which is empty when it is put into
 * the page (the hash is that of no text), and searches in a thread that it makes from its own code.
 */
export function referencePolicy(): string {
  const styles = `style-src ${sourceHash('')} ${scrollBars} `
  return `${scriptAndPolicy().policy.replace('style-src ', styles)}; worker-src blob:`
}

/** A mark in the server's colours, as a data URL so that no request is needed. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6f54"/><path d="M7 11h18v3h-7v11h-4V14H7z" fill="#fff"/></svg>',
)}`

export type PageParts = {
  readonly title: string
  readonly description: string
  readonly config: DescribeConfig
  /** Which entry of the navigation the page is under. */
  readonly at: 'home' | 'tools' | 'docs' | 'status' | 'operator'
  readonly body: Markup
}

/** A whole page, as text. */
export function pageOf({ title, description, config, at, body }: PageParts): string {
  const current = (place: PageParts['at']) => (place === at ? raw(' aria-current="page"') : '')
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <link rel="icon" href="${icon}" />
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <div class="wide">
            <a class="mark" href="/" ${current('home')}>${config.serverName}</a>
            <nav aria-label="Pages">
              <a href="${catalogPaths.page}" ${current('tools')}>Tools</a><a href="/docs" ${current('docs')}>Docs</a
              ><a href="/status" ${current('status')}>Status</a>
            </nav>
          </div>
        </header>
        ${config.sandbox ? html`<p class="banner" role="note">This is a sandbox: you pay with play money, and its data is made up.</p>` : ''}
        <main id="main" class="wide">${body}</main>
        <footer>
          <div class="wide">
            <p>
              ${config.ownerName} · version ${config.version} ·
              <a href="${config.supportUrl}" rel="noopener">Support</a> ·
              <a href="${config.repository}" rel="noopener">Source</a> · <a href="${paths.rootOpenapi}">OpenAPI</a> ·
              <a href="${paths.llms}">llms.txt</a>
            </p>
          </div>
        </footer>
        ${raw(`<script type="module">${scriptAndPolicy().script}</script>`)}
      </body>
    </html> `
  return textOf(page)
}

/** Data for the code of a page; nothing in it can end the element that holds it. */
export function dataElement(id: string, value: unknown): Markup {
  const text = JSON.stringify(value).replaceAll('<', '\\u003c')
  return html`${raw(`<script type="application/json" id="${id}">${text}</script>`)}`
}

/** The text of a piece. @throws where it waits for something: pages are made from what is known. */
export function textOf(markup: Markup): string {
  if (markup instanceof Promise) throw new TypeError('A page must not wait for anything.')
  // It is an object around a string.
  return markup.toString()
}

/** Text to be copied as it stands. */
export function copyable(label: string, code: string, sample?: string): Markup {
  const data = sample === undefined ? '' : html` data-sample="${sample}"`
  return html`<figure class="code" ${data}>
    <figcaption>${label}<button type="button" data-copy hidden>Copy</button></figcaption>
    <pre tabindex="0" class="${code.includes('\n') ? '' : 'line'}"><code>${code}</code></pre>
  </figure>`
}
