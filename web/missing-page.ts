import { html } from 'hono/html'

import type { DescribeConfig } from '../src/describe/config.ts'
import { pageOf } from './page.ts'
import type { FactsOf } from './tool-facts.ts'
import { card, type Offered } from './tools-page.ts'

const most = 5

/** What a browser is shown where no tool has the name it asked for: those with names near to it. */
export function missingToolPage(slug: string, offered: Offered, config: DescribeConfig, factsOf: FactsOf): string {
  const all = [...offered.agentic, ...offered.site]
  const near = all
    .map((tool) => ({ tool, shared: sharedOf(pairsOf(slug.toLowerCase()), pairsOf(tool.slug)) }))
    .filter(({ shared }) => shared > 0.2)
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, most)
  const body = html`<h1>There is no tool of this name</h1>
    <p class="lead">Nothing here is called <code>${slug.slice(0, 80)}</code>.</p>
    ${
      near.length === 0
        ? html`<p><a href="/tools">All tools</a></p>`
        : html`<h2>Near names</h2>
            <ul class="grid">
              ${near.map(({ tool }) => card(tool, factsOf))}
            </ul>`
    }`
  const description = 'There is no tool of this name.'
  return pageOf({ title: `Not found · ${config.serverName}`, description, config, at: 'tools', body })
}

function pairsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)))
}

/** Dice's coefficient of two sets. */
function sharedOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((one) => b.has(one)).length
  return a.size + b.size === 0 ? 0 : (2 * both) / (a.size + b.size)
}
