import { html } from 'hono/html'

import { mcpClientsOf } from '../src/describe/code-samples.ts'
import type { DescribeConfig } from '../src/describe/config.ts'
import { addressesOf, catalogPaths, summary } from '../src/describe/documents.ts'
import { priceTextOf } from '../src/describe/price-text.ts'
import { inputSchemaOf } from '../src/describe/schemas.ts'
import { isPriced, probeNeedsPayment, usdOf } from '../src/tool/access.ts'
import type { Tool } from '../src/tool/tool.ts'
import { endpointOf, paths } from '../src/tool/urls.ts'
import { copyable, type Markup, pageOf } from './page.ts'
import { listOf } from './json.ts'
import { chainNameOf, type PlayWallet } from './page-data.ts'
import { type Offered, toolPagePath } from './tools-page.ts'
import { table } from './table.ts'

/** What this server is in one screen, and the two ways in. */
export function homePage(offered: Offered, config: DescribeConfig, playWallets: readonly PlayWallet[] = []): string {
  const all = [...offered.agentic, ...offered.site]
  const prices = all.filter(({ access }) => isPriced(access)).map(({ access }) => usdOf(access))
  const free = all.length - prices.length
  const [first] = offered.agentic
  // The cheapest that asks for nothing but its price is the quickest to try.
  const easiest =
    all
      .filter(({ access }) => isPriced(access))
      .toSorted((a, b) => Number(usdOf(a.access)) - Number(usdOf(b.access)))
      .find((tool) => probeNeedsPayment(tool.access) && listOf(inputSchemaOf(tool)['required']).length === 0) ?? first
  const body = html`<h1>${config.serverName}: tools that agents pay for by the call</h1>
    <p class="lead">${summary}</p>
    <ul class="facts">
      <li><b>Tools</b>${all.length}, of which ${free} ask for no money</li>
      ${prices.length === 0 ? '' : html`<li><b>Prices</b>$${cheapest(prices)} to $${dearest(prices)} a call</li>`}
      <li><b>Paid in</b>USDC on ${chainNameOf(config)}, by x402</li>
      <li><b>A call that fails</b>costs nothing</li>
      <li><b>Now</b><a href="/status" data-live="${paths.health}">see the status</a></li>
    </ul>
    ${easiest === undefined ? '' : startOf(easiest, config)} ${playWallets.length === 0 ? '' : playOf(playWallets)}
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
    <h2>What there is, and what it costs</h2>
    ${priceList(all)}
    <p><a href="${catalogPaths.page}">Search all ${all.length} tools</a></p>`
  return pageOf({ title: config.serverName, description: summary, config, at: 'home', body })
}

function startOf(tool: Tool, config: DescribeConfig): Markup {
  const words = config.sandbox ? `Try ${tool.name} with play money` : `Try ${tool.name}`
  return html`<p>
    <a class="start" href="${toolPagePath(tool)}">${words}</a> <a href="${catalogPaths.page}">or look at all tools</a>
  </p>`
}

/** What a sandbox is for, and its wallets. */
function playOf(wallets: readonly PlayWallet[]): Markup {
  const rows = (isMagic: boolean): readonly (readonly [string, string])[] =>
    wallets.filter((one) => one.isMagic === isMagic).map(({ name, note }) => [name, note])
  return html`<section class="play" aria-labelledby="play-title">
    <h2 id="play-title">Play money, and magic wallets</h2>
    <p>
      Open any tool, press its button and pay with a demo wallet: nothing to install, and nothing is worth anything. The
      whole path is the real one, down to a transfer on a chain of this machine.
    </p>
    ${facts(rows(false))}
    <details>
      <summary>Magic wallets, whose payments always end in one way</summary>
      ${facts(rows(true))}
    </details>
  </section>`
}

function facts(rows: readonly (readonly [string, string])[]): Markup {
  return html`<dl class="fields">
    ${rows.map(
      ([name, note]) =>
        html`<dt><code>${name}</code></dt>
          <dd>${note}</dd>`,
    )}
  </dl>`
}

function priceList(tools: readonly Tool[]): Markup {
  return table(
    'Price list',
    ['Tool', 'Price', 'Answers within'],
    tools.map((tool) => [
      html`<a href="${toolPagePath(tool)}">${tool.name}</a>`,
      priceTextOf(tool.access),
      `${tool.latencySlaMs / 1_000} s`,
    ]),
  )
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
    or <a href="vscode:mcp/install?${code}">VS Code</a>. In
    <a href="https://claude.ai/settings/connectors" rel="noopener">Claude</a>, add a custom connector with the address
    <code>${mcp}</code>; Claude calls it from its own servers, so it must be one that they can reach.
  </p>`
}

const byValue = (a: string, b: string): number => Number(a) - Number(b)

function cheapest(prices: readonly string[]): string {
  return prices.toSorted(byValue)[0] ?? ''
}

function dearest(prices: readonly string[]): string {
  return prices.toSorted(byValue).at(-1) ?? ''
}
