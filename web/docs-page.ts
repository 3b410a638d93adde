import { html, raw } from 'hono/html'

import type { DescribeConfig } from '../src/describe/config.ts'
import { apiPath, docsPath, longestSearch } from './docs-paths.ts'
import { forPrograms, type Guide, loadGuides } from './guides.ts'
import { repositoryMark } from './docs-paths.ts'
import type { Hit } from './guide-search.ts'
import { type Markup, pageOf } from './page.ts'
import { cutAtWord } from './words.ts'

/** The guides, by whom they are for. */
export function docsPage(config: DescribeConfig): string {
  const guides = loadGuides()
  const groups = [...new Set(guides.map(({ group }) => group))]
  const body = html`<h1>Docs</h1>
    ${searchForm()}
    ${groups.map(
      (group) =>
        html`<section>
          <h2>${group}</h2>
          <ul class="grid">
            ${guides.filter((guide) => guide.group === group).map((guide) => guideCard(guide))}
          </ul>
        </section>`,
    )}
    <section>
      <h2>Reference</h2>
      <ul class="grid">
        <li class="card">
          <h3><a href="${apiPath}">API reference</a></h3>
          <p>Every address of this server: what goes in, what comes out, what it costs.</p>
        </li>
        ${forPrograms.map(
          ([path, words]) =>
            html`<li class="card">
              <h3><a href="${path}">${path.slice(path.lastIndexOf('/') + 1)}</a></h3>
              <p>${words}</p>
            </li>`,
        )}
      </ul>
    </section>`
  const description = 'How to buy, to sell your own tools, and to run this server.'
  return pageOf({ title: `Docs · ${config.serverName}`, description, config, at: 'docs', body })
}

/** One guide, with the way to the others. */
export function guidePage(guide: Guide, config: DescribeConfig): string {
  const parts = guide.sections.filter(({ depth }) => depth === 2)
  const body = html`<div class="guide">
    <article>
      <h1>${guide.title}</h1>
      ${
        parts.length < 3
          ? ''
          : html`<nav class="parts" aria-label="On this page">
              ${parts.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}
            </nav>`
      }
      ${raw(guide.html.replaceAll(`"${repositoryMark}`, `"${config.repository}/blob/main`))}
    </article>
    ${guideList(loadGuides(), guide.slug)}
  </div>`
  const title = `${guide.title} · ${config.serverName}`
  return pageOf({ title, description: guide.opening.slice(0, 160), config, at: 'docs', body })
}

/** What was found in the guides and tools for a question. */
export function searchPage(question: string, hits: readonly Hit[], config: DescribeConfig): string {
  const body = html`<h1>Search the docs</h1>
    ${searchForm(question)}
    <p class="soft" role="status">
      ${hits.length === 0 ? 'Nothing was found.' : `${hits.length} ${hits.length === 1 ? 'place' : 'places'} found.`}
      ${hits.length === 0 ? html`<a href="${docsPath}">All guides</a>` : ''}
    </p>
    <ol class="hits">
      ${hits.map(
        ({ path, title, where, text }) =>
          html`<li>
            <h2><a href="${path}">${title}</a> <span class="soft">${where}</span></h2>
            <p>${text}</p>
          </li>`,
      )}
    </ol>`
  return pageOf({ title: `Search · ${config.serverName}`, description: 'Search the docs.', config, at: 'docs', body })
}

/** The reference, drawn in the browser from this server's own OpenAPI document by the code at an address. */
export function apiPage(config: DescribeConfig, code: string): string {
  const body = html`<h1>API reference</h1>
    <p class="soft">
      Drawn from <a href="${forPrograms[0][0]}">${forPrograms[0][0]}</a>.
      <noscript
        >Drawing it needs JavaScript; the document itself and each <a href="/tools">tool’s page</a> do not.</noscript
      >
    </p>
    <div data-reference="${code}" data-document="${forPrograms[0][0]}"></div>`
  const title = `API reference · ${config.serverName}`
  return pageOf({ title, description: 'Every address of this server.', config, at: 'docs', body })
}

function guideCard({ slug, title, opening }: Guide): Markup {
  return html`<li class="card">
    <h3><a href="${docsPath}/${slug}">${title}</a></h3>
    <p>${cutAtWord(opening, 160)}</p>
  </li>`
}

function guideList(guides: readonly Guide[], current: string): Markup {
  const groups = [...new Set(guides.map(({ group }) => group))]
  return html`<nav class="guides" aria-label="Guides">
    ${searchForm()}
    <details open>
      <summary>All guides</summary>
      ${groups.map(
        (group) =>
          html`<p>${group}</p>
            <ul>
              ${guides
                .filter((guide) => guide.group === group)
                .map(
                  ({ slug, title }) =>
                    html`<li>
                      <a href="${docsPath}/${slug}" ${slug === current ? raw('aria-current="page"') : ''}>${title}</a>
                    </li>`,
                )}
            </ul>`,
      )}
      <p>Reference</p>
      <ul>
        <li><a href="${apiPath}">API reference</a></li>
      </ul>
    </details>
  </nav>`
}

function searchForm(question = ''): Markup {
  return html`<form class="filter" role="search" action="${docsPath}" method="get">
    <label class="grow"
      >Search the docs<input name="q" type="search" value="${question}" maxlength="${longestSearch}" required
    /></label>
    <button>Search</button>
  </form>`
}
