import { html } from 'hono/html'

import { mcpClientsOf } from '../src/describe/code-samples.ts'
import type { DescribeConfig } from '../src/describe/config.ts'
import { addressesOf, catalogPaths, summary } from '../src/describe/documents.ts'
import { isPriced, usdOf } from '../src/tool/access.ts'
import { endpointOf } from '../src/tool/urls.ts'
import { copyable, type Markup, pageOf } from './page.ts'
import { card, type Offered } from './tools-page.ts'

/** What this server is in one screen, and the two ways in. */
export function homePage(offered: Offered, config: DescribeConfig): string {
  const all = [...offered.agentic, ...offered.site]
  const prices = all.filter(({ access }) => isPriced(access)).map(({ access }) => usdOf(access))
  const free = all.length - prices.length
  const [first] = offered.agentic
  const body = html`<h1>${config.serverName}: tools that agents pay for by the call</h1>
    <p class="lead">${summary}</p>
    <ul class="facts">
      <li><b>Tools</b>${all.length}, of which ${free} ask for no money</li>
      ${prices.length === 0 ? '' : html`<li><b>Prices</b>$${cheapest(prices)} to $${dearest(prices)} a call</li>`}
      <li><b>Paid in</b>USDC on ${config.networkName}, by x402</li>
      <li><b>Charged for nothing</b>never: a call that fails costs nothing</li>
    </ul>
    <div class="two">
      <section>
        <h2>By MCP</h2>
        ${copyable('Claude Code', mcpClientsOf(config).claudeCode)}${copyable('Cursor and others', JSON.stringify(mcpClientsOf(config).cursor, null, 2))}${deepLinks(config)}
      </section>
      <section>
        <h2>By HTTP</h2>
        ${first === undefined ? '' : copyable('What a call costs', `curl -i -X POST ${endpointOf(first, config.baseUrl)}`)}
        <p>
          The answer is 402 with the terms. A client of x402 signs them and calls again; the second answer is what was
          paid for, with a receipt.
        </p>
        <p><a href="${catalogPaths.page}">Every tool has a page</a> with code that pays for it.</p>
      </section>
    </div>
    <h2>Tools</h2>
    <ul class="grid">
      ${all.slice(0, 6).map(card)}
    </ul>
    <p><a href="${catalogPaths.page}">All ${all.length} tools</a></p>`
  return pageOf({ title: config.serverName, description: summary, config, at: 'home', body })
}

/** Addresses that the editors themselves understand; nothing is loaded from anywhere. */
function deepLinks(config: DescribeConfig): Markup {
  const { mcp } = addressesOf(config)
  const cursor = Buffer.from(JSON.stringify({ url: mcp })).toString('base64')
  const code = encodeURIComponent(JSON.stringify({ name: config.npmName, type: 'http', url: mcp }))
  return html`<p>
    Install in
    <a
      href="cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(config.npmName)}&config=${encodeURIComponent(cursor)}"
      >Cursor</a
    >
    or <a href="vscode:mcp/install?${code}">VS Code</a>.
  </p>`
}

const byValue = (a: string, b: string): number => Number(a) - Number(b)

function cheapest(prices: readonly string[]): string {
  return prices.toSorted(byValue)[0] ?? ''
}

function dearest(prices: readonly string[]): string {
  return prices.toSorted(byValue).at(-1) ?? ''
}
