import { html } from 'hono/html'

import type { DescribeConfig } from '../src/describe/config.ts'
import { paths } from '../src/tool/urls.ts'
import { drawn } from './drawings/draw.ts'
import { objectOf } from './json.ts'
import { pageOf } from './page.ts'

export type ToolStatus = {
  readonly slug: string
  readonly name: string
  readonly isOpen: boolean
  /** Share of the calls of thirty days that were answered; null where nobody called. */
  readonly answered: number | null
}

export type Status = { readonly health: unknown; readonly tools: readonly ToolStatus[] }

const words: Readonly<Record<string, string>> = {
  ok: 'Everything works.',
  degraded: 'Something does not work as it should.',
  down: 'The server is stopping.',
}

/** How the server is now, and how its tools answered in thirty days of real calls. */
export function statusPage({ health, tools }: Status, config: DescribeConfig): string {
  const { status, facilitator, ledger, upstreams, closed } = objectOf(health)
  const state = typeof status === 'string' ? status : 'unknown'
  const body = html`<h1>Status</h1>
    <p class="lead">${words[state] ?? 'It is not known how the server is.'}</p>
    ${
      Array.isArray(closed) && closed.length > 0
        ? html`<h2>Closed for the moment</h2>
            ${drawn(closed)}`
        : ''
    }
    <h2>Tools</h2>
    <p class="soft">
      Answered: the share of the calls of thirty days that this server and what it needs let it answer.
    </p>
    ${drawn(
      tools.map(({ name, isOpen, answered }) => ({
        tool: name,
        now: isOpen ? 'open' : 'closed',
        answered: answered === null ? 'no calls yet' : `${(answered * 100).toFixed(2)} %`,
      })),
    )}
    <h2>Services that it needs</h2>
    ${drawn(Object.entries(objectOf(upstreams)).map(([service, one]) => ({ service, ...shortOf(one) })))}
    <h2>Payments</h2>
    ${drawn({ facilitator, ledger })}
    <p class="soft">
      The same for programs: <a href="/status">this address</a> without <code>Accept: text/html</code>, and
      <a href="${paths.health}">${paths.health}</a>.
    </p>`
  const title = `Status · ${config.serverName}`
  return pageOf({ title, description: 'How this server is, and how its tools answer.', config, at: 'status', body })
}

/** What of a service's state is short enough for a row. */
function shortOf(state: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(objectOf(state))
      .filter(([, value]) => typeof value !== 'object')
      .slice(0, 5),
  )
}
