/** The operator's page: signs in, shows the books with what needs a person first, and writes down what was decided. */
import { html } from 'hono/html'

import { drawn } from '../drawings/draw.ts'
import type { OperatorData } from '../operator-page.ts'
import { find, isRecord, type Json, parsed, show, type Text, textOf } from './dom.ts'
import { type Exchange, exchange, failureOf } from './exchange.ts'
import { save } from './texts.ts'
import { injectedWallets, playWallet, signIn, type Wallet } from './wallets.ts'

const data = operatorData()
const ways = find('[data-ways]', HTMLElement)
const said = find('[data-said]', HTMLElement)
const books = find('[data-books]', HTMLElement)
let authorization: string | undefined

function operatorData(): OperatorData {
  const value = parsed(find('#operator-data', HTMLElement).textContent)
  if (!isOperatorData(value)) throw new Error('The page does not hold what its code needs.')
  return value
}

function isOperatorData(value: unknown): value is OperatorData {
  return isRecord(value) && typeof value['payTo'] === 'string' && Array.isArray(value['playWallets'])
}

/** Does something that may fail, and says so. */
function doing(work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    said.textContent = error instanceof Error ? error.message : 'That did not work.'
  })
}

async function offerWallets(): Promise<void> {
  const all = [...(await injectedWallets()), ...data.playWallets.map(({ name, address }) => playWallet(name, address))]
  show(
    ways,
    all.length === 0
      ? html`<p>
          No wallet was found in this browser. The same is told by <code>tollgate payments</code> in a terminal.
        </p>`
      : html`<ul class="ways">
          ${all.map(({ id, name }, index) => html`<li><button type="button" class="${index === 0 ? 'main' : ''}" data-wallet="${id}">Sign in with ${name}</button></li>`)}
        </ul>`,
  )
  for (const button of ways.querySelectorAll('button')) {
    const wallet = all.find(({ id }) => id === button.dataset['wallet'])
    if (wallet !== undefined) button.addEventListener('click', () => doing(() => enter(wallet)))
  }
}

const tokenForm = document.querySelector<HTMLFormElement>('[data-token]')
if (tokenForm !== null) {
  tokenForm.hidden = false
  tokenForm.addEventListener('submit', (event) => {
    event.preventDefault()
    authorization = `Bearer ${find('[name=token]', HTMLInputElement, tokenForm).value}`
    doing(showBooks)
  })
}

async function enter(wallet: Wallet): Promise<void> {
  const place = { origin: data.origin, uri: `${data.origin}/operator`, chainId: data.chainId }
  authorization = await signIn(wallet, place, 'Show me the books of this server.')
  await showBooks()
}

async function ask(method: 'GET' | 'POST', what: string, body?: Json): Promise<Exchange> {
  const sent = { ...(authorization === undefined ? {} : { authorization }), 'content-type': 'application/json' }
  const answer = await exchange(
    method,
    `/operator/${what}`,
    sent,
    body === undefined ? undefined : JSON.stringify(body),
  )
  const failure = failureOf(answer)
  if (failure !== undefined) throw new Error(`${failure.message} ${failure.nextStep}`)
  return answer
}

const rowsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

async function showBooks(): Promise<void> {
  const found = parsed((await ask('GET', 'data')).text)
  if (!isRecord(found)) throw new Error('The books could not be read.')
  ways.hidden = true
  if (tokenForm !== null) tokenForm.hidden = true
  find('#sign-title', HTMLElement).textContent = 'Signed in'
  said.textContent = ''
  const revenue = isRecord(found['revenue']) ? found['revenue'] : {}
  const usage = isRecord(found['usage']) ? rowsOf(found['usage']['rows']) : []
  const attention = rowsOf(found['attention'])
  const payments = rowsOf(found['payments'])
  show(
    books,
    html`<h2>To look after</h2>
      <p class="row">
        <button type="button" data-act="recheck">Ask the chain again now</button>
        ${attention.length === 0 ? html`<span class="soft">Nothing is open: no payment is unknown, lost or owed back.</span>` : ''}
      </p>
      <ul class="findings">
        ${attention.map(caseOf)}
      </ul>
      <h2>Earned in 30 days</h2>
      <h3>By tool</h3>
      ${drawn(brief(revenue['tool'], ['key', 'payments', 'usd', 'draws'], 'tool'))}
      <h3>By day</h3>
      ${drawn(brief(revenue['day'], ['key', 'payments', 'usd', 'draws'], 'day'))}
      <h3>By way in</h3>
      ${drawn(brief(revenue['entry'], ['key', 'payments', 'usd', 'draws'], 'way in'))}
      <h3>By payer</h3>
      ${drawn(brief(revenue['payer'], ['key', 'payments', 'usd', 'draws'], 'payer'))}
      <h2>From price to payment</h2>
      ${drawn(brief(usage, ['key', 'challenges', 'paid', 'conversion', 'pass', 'free'], 'tool'))}
      <h2>Payments</h2>
      <p><button type="button" data-csv>Save as CSV</button></p>
      ${drawn(brief(payments, ['time', 'state', 'tool', 'usd', 'payer', 'transaction']))}
      <details>
        <summary>Credit or mark one of them as sent back</summary>
        <ul class="findings">
          ${payments
            .filter(({ state }) => state === 'SETTLED' || state === 'CONFIRMED')
            .slice(0, 20)
            .map(caseOf)}
        </ul>
      </details>
      <h2>Credits and refunds</h2>
      ${drawn(rowsOf(found['credits']))}
      <p>
        ${Array.isArray(found['faults']) && found['faults'].length > 0 ? `It does not add up: ${found['faults'].join(' ')}` : 'It adds up.'}
      </p>
      <h2>What it needs, now</h2>
      ${drawn(servicesOf(found['services']))}
      <h2>In force</h2>
      ${drawn(found['settings'])}`,
  )
  find('[data-csv]', HTMLButtonElement, books).addEventListener('click', () =>
    save('payments.csv', csvOf(payments), 'text/csv'),
  )
  for (const button of books.querySelectorAll<HTMLButtonElement>('[data-act]')) {
    button.addEventListener('click', () => doing(() => act(button)))
  }
}

async function act(button: HTMLButtonElement): Promise<void> {
  const { act: what = '', payment = '' } = button.dataset
  const field = (name: string): string =>
    button.closest('li')?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? ''
  const answer = await ask('POST', what, { payment, reason: field('reason'), transaction: field('transaction') })
  const body = parsed(answer.text)
  await showBooks()
  said.textContent = isRecord(body) ? textOf(body['done']) : ''
  said.scrollIntoView({ block: 'nearest' })
}

/** A payment that needs a person, with what may be done about it. */
function caseOf(row: Json): Text {
  const state = textOf(row['state'])
  const id = textOf(row['id'])
  const isPaid = state === 'SETTLED' || state === 'CONFIRMED'
  return html`<li class="finding" data-level="${isPaid ? 'warning' : 'high'}" data-case="${id}">
    <p class="head"><span class="level">${state}</span>$${textOf(row['usd'])} for ${textOf(row['tool'])}</p>
    <p>${textOf(row['advice'])}</p>
    <dl class="fields">
      <dt>payer</dt>
      <dd><code>${textOf(row['payer'])}</code></dd>
      <dt>transaction</dt>
      <dd><code>${textOf(row['transaction']) || 'none known'}</code></dd>
      <dt>called</dt>
      <dd>${textOf(row['time'])}</dd>
      ${
        textOf(row['nextLook']) === ''
          ? ''
          : html`<dt>next look</dt>
              <dd>${textOf(row['nextLook'])}</dd>`
      }
    </dl>
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
        : html`<p class="row"><button type="button" data-act="recheck">Ask the chain again</button></p>`
    }
  </li>`
}

/** The outside services, the facilitators and the ledger, a row each. */
function servicesOf(health: unknown): readonly Json[] {
  if (!isRecord(health)) return []
  const { upstreams, facilitator, ledger } = health
  const facilitators = isRecord(facilitator) ? rowsOf(facilitator['list']) : []
  const rows: readonly (readonly [string, unknown])[] = [
    ['ledger', ledger],
    ...facilitators.map((one) => [textOf(one['name']) || 'facilitator', one] as const),
    ...(isRecord(upstreams) ? Object.entries(upstreams) : []),
  ]
  return rows.map(([service, state]) => {
    const facts = isRecord(state)
      ? Object.entries(state).filter(
          ([name, value]) => name !== 'status' && name !== 'name' && typeof value !== 'object',
        )
      : []
    return {
      service,
      now: isRecord(state) ? textOf(state['status']) : '',
      more: facts.map(([name, value]) => `${name} ${String(value)}`).join(', '),
    }
  })
}

/** @param key what stands under `key` is called so. */
function brief(rows: unknown, names: readonly string[], key = 'key'): readonly Json[] {
  return rowsOf(rows).map((row) =>
    Object.fromEntries(names.map((name) => [name === 'key' ? key : name, row[name] ?? null])),
  )
}

function csvOf(rows: readonly Json[]): string {
  const names = Object.keys(rows[0] ?? {})
  const cell = (value: unknown): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
    // A table program takes what begins so for a formula.
    const plain = /^[=+\-@\t]/.test(text) ? `'${text}` : text
    return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
  }
  return [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))].join('\n')
}

doing(offerWallets)
