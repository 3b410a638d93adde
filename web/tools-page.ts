import { html } from 'hono/html'

import type { DescribeConfig } from '../src/describe/config.ts'
import { catalogPaths } from '../src/describe/documents.ts'
import { priceTextOf } from '../src/describe/price-text.ts'
import { isPriced, opensWithPass, usdOf } from '../src/tool/access.ts'
import type { Tool } from '../src/tool/tool.ts'
import { type Markup, pageOf } from './page.ts'
import { durationOf, type FactsOf, freshnessWords, stateOf } from './tool-facts.ts'

/** Tools as pages show them: only what this server offers. */
export type Offered = { readonly agentic: readonly Tool[]; readonly site: readonly Tool[] }

/** Path of a tool's own page. */
export function toolPagePath({ slug }: Pick<Tool, 'slug'>): string {
  return `${catalogPaths.page}/${slug}`
}

/** The list of all tools, with a filter that lives in the address. */
export function toolsPage(offered: Offered, config: DescribeConfig, factsOf: FactsOf): string {
  const all = [...offered.agentic, ...offered.site]
  const body = html`<h1>Tools</h1>
    <p class="lead">${all.length} tools for agents. Call one at its address; an unpaid call says what it costs.</p>
    <form class="filter" data-filter hidden role="search">
      <label class="grow"
        >Search<input name="q" type="search" autocomplete="off" placeholder="gas, allowance, repository …"
      /></label>
      ${choice('access', 'Access', [
        ['free', 'free'],
        ['paid', 'paid'],
        ['pass', 'with a pass'],
      ])}
      ${choice('price', 'Price a call', [
        ['0', 'free'],
        ['0.01', 'up to $0.01'],
        ['0.05', 'up to $0.05'],
        ['0.1', 'up to $0.10'],
      ])}
      ${choice(
        'category',
        'About',
        [...new Set(all.map(categoryOf))].toSorted().map((name) => [name, name.replaceAll('-', ' ')] as const),
      )}
      ${choice('freshness', 'Freshness', [
        ['live', 'read anew'],
        ['cached', 'kept a while'],
        ['static', 'does not change'],
      ])}
      <button type="reset">Clear</button>
      <output class="soft" data-count>${all.length} tools</output>
    </form>
    <p data-none hidden>No tool fits all of this. Clear the filter, or search for another word.</p>
    ${group('Paid per call', offered.agentic, factsOf)}
    ${group('On the site, for money or with the access pass', offered.site, factsOf)}`
  const title = `Tools · ${config.serverName}`
  return pageOf({ title, description: `${all.length} tools for AI agents, with prices.`, config, at: 'tools', body })
}

function group(title: string, tools: readonly Tool[], factsOf: FactsOf): Markup {
  if (tools.length === 0) return html``
  return html`<section data-group>
    <h2>${title}</h2>
    <ul class="grid">
      ${tools.map((tool) => card(tool, factsOf))}
    </ul>
  </section>`
}

type Choice = readonly (readonly [value: string, label: string])[]

function choice(name: string, label: string, options: Choice): Markup {
  return html`<label
    >${label}<select name="${name}">
      <option value="">all</option>
      ${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
    </select></label
  >`
}

/** What a tool is about: its category, or the tag that stands first. */
function categoryOf(tool: Tool): string {
  return tool.family === 'agentic' ? tool.category : (tool.tags[0] ?? 'other')
}

/** One tool in a list. */
export function card(tool: Tool, factsOf: FactsOf): Markup {
  const facts = factsOf(tool)
  const text = [tool.slug, tool.name, tool.description, ...tool.tags].join(' ').toLowerCase()
  return html`<li
    class="card"
    data-tool
    data-access="${accessOf(tool)}"
    data-usd="${usdOf(tool.access)}"
    data-category="${categoryOf(tool)}"
    data-freshness="${tool.freshness.mode}"
    data-text="${text}"
  >
    <h3><a href="${toolPagePath(tool)}">${tool.name}</a></h3>
    <p class="price">${priceTextOf(tool.access)}</p>
    <p>${tool.description}</p>
    <p class="foot">${stateOf(facts)} · ${durationOf(facts, tool)} · ${freshnessWords[tool.freshness.mode]}</p>
  </li>`
}

function accessOf({ access }: Tool): string {
  if (access.mode === 'paid') return 'paid'
  if (opensWithPass(access)) return 'pass'
  return isPriced(access) ? 'paid' : 'free'
}
