import { html } from 'hono/html'

import type { DescribeConfig } from '../src/describe/config.ts'
import { type DayCalls, type Incident, incidentRule, statusDays } from '../src/describe/call-history.ts'
import { paths } from '../src/tool/urls.ts'
import { drawn } from './drawings/draw.ts'
import { objectOf } from './json.ts'
import { type Markup, pageOf } from './page.ts'
import { table } from './table.ts'
import { toolPagePath } from './tools-page.ts'
import { uptimeBars } from './uptime.ts'

/** How calls ended in thirty days. */
export type Called = {
  /** Share of the calls that were answered; null where nobody called. */
  readonly answered: number | null
  readonly calls: number
  /** The oldest first; none where nobody called. */
  readonly days: readonly DayCalls[]
}

export type ToolStatus = Called & { readonly slug: string; readonly name: string; readonly isOpen: boolean }

/** Something that tools or payments need, and how it is now in one word. */
export type ServiceStatus = Called & { readonly name: string; readonly now: string }

export type Status = {
  readonly health: unknown
  readonly tools: readonly ToolStatus[]
  /** Outside services, as calls of tools ask them. */
  readonly services: readonly ServiceStatus[]
  readonly facilitators: readonly ServiceStatus[]
  /** The chain, as payments ask it. */
  readonly chain: readonly ServiceStatus[]
  /** The newest first; null where what was counted cannot be read now. */
  readonly incidents: readonly Incident[] | null
}

const words: Readonly<Record<string, string>> = {
  ok: 'Everything works.',
  degraded: 'Something does not work as it should.',
  down: 'The server is stopping.',
}

/** How the server is now, and how it and what it needs answered in thirty days of real calls. */
export function statusPage(status: Status, config: DescribeConfig): string {
  const { health, tools, services, facilitators, chain, incidents } = status
  const { status: state, ledger, closed } = objectOf(health)
  const now = typeof state === 'string' ? state : 'unknown'
  const ledgerNow = objectOf(ledger)['status']
  const ledgerRow = { name: 'ledger', now: typeof ledgerNow === 'string' ? ledgerNow : 'unknown' }
  const body = html`<h1>Status</h1>
    <p class="lead">
      <span class="dot ${now === 'ok' ? 'well' : 'many'}"></span> ${words[now] ?? 'It is not known how the server is.'}
    </p>
    ${
      Array.isArray(closed) && closed.length > 0
        ? html`<h2>Closed for the moment</h2>
            <p class="soft">These ask for no payment until what they need answers again.</p>
            ${drawn(closed)}`
        : ''
    }
    <h2>Incidents of ${statusDays} days</h2>
    ${incidentsOf(incidents)}
    <h2>Tools</h2>
    <p class="soft key">
      Each bar is a day of real calls:
      <span><span class="dot well"></span> all answered</span>
      <span><span class="dot some"></span> some failed</span>
      <span><span class="dot many"></span> more than one in ten failed</span>
      <span><span class="dot none"></span> no calls</span>
    </p>
    <ul class="history">
      ${tools.map(({ slug, name, isOpen, ...called }) =>
        row({ name, link: toolPagePath({ slug }), now: isOpen ? 'open' : 'closed', ...called }),
      )}
    </ul>
    <h2>Services that tools ask</h2>
    <ul class="history">
      ${services.map(row)}
    </ul>
    <h2>Payments</h2>
    <ul class="history">
      ${facilitators.map((one) => row({ ...one, name: `facilitator ${one.name}` }))}
      ${chain.map((one) => row({ ...one, name: `chain (${one.name})` }))} ${row(ledgerRow)}
    </ul>
    <p class="soft">
      A call counts as failed where this server or something that it needs is to blame; what a caller has to correct
      does not. Counts are a minute old at most. The same for programs: <a href="/status">this address</a> without
      <code>Accept: text/html</code>, and <a href="${paths.health}">${paths.health}</a>.
    </p>`
  const title = `Status · ${config.serverName}`
  return pageOf({ title, description: 'How this server is, and how its tools answer.', config, at: 'status', body })
}

const fine: ReadonlySet<string> = new Set(['ok', 'open'])
const unsure: ReadonlySet<string> = new Set(['unknown', 'degraded'])

/** What is not called, but written to, has no calls. */
type Row = Partial<Called> & { readonly name: string; readonly now: string; readonly link?: string }

function row({ name, link, now, answered = null, calls, days = [] }: Row): Markup {
  const grade = fine.has(now) ? 'well' : unsure.has(now) ? 'some' : 'many'
  const share =
    answered === null
      ? calls === undefined
        ? ''
        : 'no calls yet'
      : `${(answered * 100).toFixed(2)} % of ${calls === 1 ? '1 call' : `${calls} calls`}`
  return html`<li>
    <span class="what">${link === undefined ? name : html`<a href="${link}">${name}</a>`}</span>
    <span class="now"><span class="dot ${grade}"></span> ${now}</span>
    ${days.length === 0 ? '' : uptimeBars(name, days)}
    <span class="share soft">${share}</span>
  </li>`
}

function incidentsOf(incidents: Status['incidents']): Markup {
  if (incidents === null) return html`<p>What was counted cannot be read at the moment.</p>`
  const rule = `An incident is an hour or more in which at least ${incidentRule.failed} calls, and one in ${1 / incidentRule.share}, failed.`
  if (incidents.length === 0) return html`<p class="soft">None. ${rule}</p>`
  const rows = incidents.map(({ kind, name, begin, end, failed, answered, affected }) => [
    html`${shownTime(begin)}<br />${end === null ? html`<b>goes on</b>` : html`to ${shownTime(end)}`}`,
    kind === 'service' || kind === 'tool' ? name : `${kind} ${name}`,
    `${failed} of ${failed + answered}`,
    affected.length === 0 ? 'no call of a tool failed for it' : affected.join(', '),
  ])
  return html`${table('Incidents', ['When (UTC)', 'What failed', 'Calls', 'Tools affected'], rows)}
    <p class="soft">Begin and end are the first and the last call that failed. ${rule}</p>`
}

/** `2026-11-22 17:05`. */
function shownTime(time: string): Markup {
  return html`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')}</time>`
}
