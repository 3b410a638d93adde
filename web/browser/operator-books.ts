/** What the operator's page shows of the books, once somebody has signed in. */
import { html } from 'hono/html'

import { nothingCharged } from '../../src/errors.ts'
import { table } from '../table.ts'
import { isRecord, type Json, type Text, textOf } from './dom.ts'

export const rowsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const partOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)
const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value))
/** `2026-11-22 17:05`, in UTC. */
const timeOf = (value: unknown): Text => html`<time>${textOf(value).slice(0, 16).replace('T', ' ')}</time>`
const hexOf = (value: unknown): Text => {
  const text = textOf(value)
  return text === '' ? html`–` : html`<code title="${text}">${text.slice(0, 8)}…${text.slice(-6)}</code>`
}

export function booksOf(found: Json): Text {
  const attention = rowsOf(found['attention'])
  const payments = rowsOf(found['payments'])
  const faults = Array.isArray(found['faults']) ? found['faults'].map(String) : []
  return html`<section class="try" aria-labelledby="open-title">
      <h2 id="open-title">To look after</h2>
      <p class="row">
        <button type="button" data-act="recheck">Ask the chain again now</button>
        ${attention.length === 0 ? html`<span class="soft">Nothing is open: no payment is unknown, lost or owed back.</span>` : ''}
      </p>
      <ul class="findings">
        ${attention.map(caseOf)}
      </ul>
    </section>
    <h2>Payments by state</h2>
    ${table(
      'Payments by state',
      ['State', 'Payments', 'What it means, and what to do'],
      rowsOf(found['states']).map((row) => [textOf(row['state']), shown(row['payments']), textOf(row['advice'])]),
    )}
    <h2>Newest payments</h2>
    ${paymentsOf(payments)}
    <h2>Credits and refunds</h2>
    ${creditsOf(rowsOf(found['credits']))}
    <p>${faults.length > 0 ? html`<b>It does not add up:</b> ${faults.join(' ')}` : 'It adds up.'}</p>
    <h2>Earned in 30 days</h2>
    ${earnedOf(found['revenue'])}
    <h2>From price to payment, 30 days</h2>
    ${usageOf(rowsOf(partOf(found['usage'], 'rows')))}
    <h2>Quotas</h2>
    ${quotasOf(found)}
    <h2>What it needs, now</h2>
    ${servicesOf(found['services'])}
    <h2>In force</h2>
    <dl class="fields">
      ${Object.entries(isRecord(found['settings']) ? found['settings'] : {}).map(
        ([name, value]) =>
          html`<dt>${name.replaceAll(/([A-Z])/g, ' $1').toLowerCase()}</dt>
            <dd>${shown(value)}</dd>`,
      )}
    </dl>`
}

function paymentsOf(payments: readonly Json[]): Text {
  if (payments.length === 0) return html`<p class="soft">There is none yet.</p>`
  const states = [...new Set(payments.map(({ state }) => textOf(state)))].sort()
  const rows = payments.map((row) => [
    timeOf(row['time']),
    html`<span data-state="${textOf(row['state'])}">${textOf(row['state'])}</span>`,
    textOf(row['tool']),
    `$${textOf(row['usd'])}`,
    hexOf(row['payer']),
    hexOf(row['transaction']),
    html`<button type="button" data-look="${textOf(row['id'])}">Look</button>`,
  ])
  return html`<div class="filter">
      <label
        >State<select data-states>
          <option value="">all</option>
          ${states.map((state) => html`<option>${state}</option>`)}
        </select></label
      >
      <button type="button" data-csv>Save as CSV</button>
    </div>
    <ul class="findings" data-looked></ul>
    ${table('Newest payments', ['When (UTC)', 'State', 'Tool', 'Price', 'Payer', 'Transaction', 'Act'], rows)}`
}

/** A payment with what may be done about it in its state. */
export function caseOf(row: Json): Text {
  const state = textOf(row['state'])
  const id = textOf(row['id'])
  const isPaid = state === 'SETTLED' || state === 'CONFIRMED'
  const isOver = isPaid || state === 'FAILED' || state === 'ABORTED'
  const fact = (name: string, value: unknown): Text | '' =>
    shown(value) === ''
      ? ''
      : html`<dt>${name}</dt>
          <dd>${shown(value)}</dd>`
  return html`<li class="finding ${isPaid ? 'warn' : isOver ? '' : 'bad'}" data-case="${id}">
    <p class="head">
      <span class="level ${isOver ? '' : 'bad'}">${state}</span>$${textOf(row['usd'])} for ${textOf(row['tool'])}
    </p>
    <p>${textOf(row['advice'])}</p>
    <dl class="fields">
      <dt>payer</dt>
      <dd><code>${textOf(row['payer'])}</code></dd>
      <dt>transaction</dt>
      <dd><code>${textOf(row['transaction']) || 'none known'}</code></dd>
      ${fact('called', row['time'])} ${fact('reason', row['reason'])} ${fact('facilitator', row['facilitator'])}
      ${fact('next look', row['nextLook'])}
    </dl>
    <p class="row">
      <button type="button" data-act="recheck" data-payment="${id}">Ask the chain about it</button>
    </p>
    ${
      isPaid
        ? html`<p class="row">
              <label>Why <input name="reason" maxlength="300" /></label>
              <button type="button" data-act="credit" data-payment="${id}">Give a credit</button>
            </p>
            <p class="row">
              <label>Transaction <input name="transaction" class="mono" placeholder="0x…" /></label>
              <button type="button" data-act="refunded" data-payment="${id}">Mark as sent back</button>
            </p>`
        : html`<p class="soft">${noMoney(state)}</p>`
    }
  </li>`
}

/** Why nothing is given back for a payment in a state. */
function noMoney(state: string): string {
  if (state === 'LOST') return 'The money never arrived, so there is nothing to give back.'
  if (state === 'FAILED' || state === 'ABORTED') return `${nothingCharged} So there is nothing to give back.`
  return 'Whether it was paid is not known yet: a credit or a refund comes after that.'
}

function creditsOf(credits: readonly Json[]): Text {
  if (credits.length === 0) return html`<p class="soft">There are none.</p>`
  const names = [...new Set(credits.flatMap((row) => Object.keys(row)))]
  const cell = (value: unknown): string | Text => {
    const text = shown(value)
    return /^0x[0-9a-f]{30,}$|^[0-9a-f]{64}$/i.test(text) ? hexOf(text) : text
  }
  return table(
    'Credits and refunds',
    names,
    credits.map((row) => names.map((name) => cell(row[name]))),
  )
}

function earnedOf(revenue: unknown): Text {
  const part = (called: string, by: string): Text => {
    const title = `By ${called.toLowerCase()}`
    const rows = rowsOf(partOf(revenue, by)).map((row) => [
      by === 'payer' ? hexOf(row['key']) : textOf(row['key']),
      shown(row['payments']),
      `$${textOf(row['usd'])}`,
      shown(row['draws']),
    ])
    return html`<section>
      <h3>${title}</h3>
      ${rows.length === 0 ? html`<p class="soft">Nothing yet.</p>` : table(title, [called, 'Payments', 'Earned', 'Calls from balances'], rows)}
    </section>`
  }
  return html`<div class="two">
    ${part('Tool', 'tool')} ${part('Day', 'day')} ${part('Way in', 'entry')} ${part('Payer', 'payer')}
  </div>`
}

function usageOf(rows: readonly Json[]): Text {
  if (rows.length === 0) return html`<p class="soft">Nobody called yet.</p>`
  const share = (value: unknown): string => (typeof value === 'number' ? `${(value * 100).toFixed(1)} %` : '–')
  return table(
    'From price to payment',
    ['Tool', '402s', 'Paid', 'Conversion', 'With a pass', 'Free'],
    rows.map((row) => [
      textOf(row['key']),
      shown(row['challenges']),
      shown(row['paid']),
      share(row['conversion']),
      shown(row['pass']),
      String(Number(row['free'] ?? 0) + Number(row['quota'] ?? 0)),
    ]),
  )
}

/** What is given away, what is limited, and how often each was used or met in thirty days. */
function quotasOf({ quotas, usage }: Json): Text {
  const used = (tool: string): number =>
    rowsOf(partOf(usage, 'rows'))
      .filter(({ key }) => key === tool)
      .reduce((sum, { quota, free }) => sum + Number(quota ?? 0) + Number(free ?? 0), 0)
  const met = (limit: string): string => shown(partOf(partOf(usage, 'limits'), limit)) || '0'
  const free = rowsOf(partOf(quotas, 'freeCalls'))
  const credits = rowsOf(partOf(quotas, 'credits'))
  return html`<div class="two">
    <section>
      <h3>Free calls</h3>
      ${
        free.length === 0
          ? html`<p class="soft">No tool gives any away.</p>`
          : table(
              'Free calls',
              ['Tool', 'A day for each caller', 'Used, 30 days'],
              free.map((row) => [textOf(row['tool']), shown(row['perDay']), String(used(textOf(row['tool'])))]),
            )
      }
      ${
        credits.length === 0
          ? ''
          : html`<h3>Credits at facilitators</h3>
              ${table(
                'Credits at facilitators',
                ['Facilitator', 'Left', 'Now'],
                credits.map((row) => [
                  textOf(row['facilitator']),
                  shown(row['remaining']),
                  row['isShort'] === true ? 'running out' : 'enough',
                ]),
              )}`
      }
    </section>
    <section>
      <h3>Limits of an address</h3>
      ${table(
        'Limits of an address',
        ['Limit', 'A second', 'At once', 'Met, 30 days'],
        rowsOf(partOf(quotas, 'limits')).map((row) => [
          textOf(row['limit']),
          shown(row['perSecond']),
          shown(row['burst']),
          met(textOf(row['limit'])),
        ]),
      )}
    </section>
  </div>`
}

/** The outside services, the facilitators and the ledger, a row each. */
function servicesOf(health: unknown): Text {
  const rows: readonly (readonly [string, unknown])[] = [
    ['ledger', partOf(health, 'ledger')],
    ...rowsOf(partOf(partOf(health, 'facilitator'), 'list')).map(
      (one) => [`facilitator ${textOf(one['name'])}`, one] as const,
    ),
    ...Object.entries(isRecord(health) && isRecord(health['upstreams']) ? health['upstreams'] : {}),
  ]
  return table(
    'What it needs',
    ['Service', 'Now', 'More'],
    rows.map(([service, state]) => {
      const facts = isRecord(state)
        ? Object.entries(state).filter(
            ([name, value]) => name !== 'status' && name !== 'name' && typeof value !== 'object',
          )
        : []
      return [
        service,
        textOf(partOf(state, 'status')),
        facts.map(([name, value]) => `${name} ${String(value)}`).join(', '),
      ]
    }),
  )
}
