/** The operator's page: signs in, shows the books with what needs a person first, and writes down what was decided. */
import { html } from 'hono/html'

import type { OperatorData } from '../operator-page.ts'
import { find, isRecord, type Json, parsed, show, textOf } from './dom.ts'
import { type Exchange, exchange, failureOf } from './exchange.ts'
import { booksOf, caseOf, rowsOf } from './operator-books.ts'
import { save } from './texts.ts'
import { injectedWallets, playWallet, signIn, type Wallet } from './wallets.ts'

const data = operatorData()
const ways = find('[data-ways]', HTMLElement)
const said = find('[data-said]', HTMLElement)
const books = find('[data-books]', HTMLElement)
let authorization: string | undefined
/** The payment that was looked at last: it stays open when the books are read again. */
let looked = ''

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

async function showBooks(): Promise<void> {
  const found = parsed((await ask('GET', 'data')).text)
  if (!isRecord(found)) throw new Error('The books could not be read.')
  ways.hidden = true
  if (tokenForm !== null) tokenForm.hidden = true
  find('[data-who]', HTMLElement).hidden = true
  find('#sign-title', HTMLElement).textContent = 'Signed in'
  said.textContent = ''
  const payments = rowsOf(found['payments'])
  show(books, booksOf(found))
  startActions(books)
  books.querySelector('[data-csv]')?.addEventListener('click', () => save('payments.csv', csvOf(payments), 'text/csv'))
  books.querySelector<HTMLSelectElement>('[data-states]')?.addEventListener('change', ({ target }) => {
    const wanted = target instanceof HTMLSelectElement ? target.value : ''
    for (const cell of books.querySelectorAll<HTMLElement>('[data-state]')) {
      const row = cell.closest('tr')
      if (row !== null) row.hidden = wanted !== '' && cell.dataset['state'] !== wanted
    }
  })
  for (const button of books.querySelectorAll<HTMLButtonElement>('[data-look]')) {
    button.addEventListener('click', () => {
      const row = payments.find(({ id }) => id === button.dataset['look'])
      if (row === undefined) return
      look(row)
      find('[data-looked] button', HTMLElement, books).focus()
    })
  }
  const again = payments.find(({ id }) => id === looked)
  if (again !== undefined) look(again)
}

/** Shows one payment with what may be done about it. */
function look(row: Json): void {
  looked = textOf(row['id'])
  const place = find('[data-looked]', HTMLElement, books)
  show(place, caseOf(row))
  startActions(place)
}

function startActions(place: HTMLElement): void {
  for (const button of place.querySelectorAll<HTMLButtonElement>('[data-act]')) {
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
