import { html } from 'hono/html'

import { nothingCharged } from '../../src/errors.ts'
import type { PageData } from '../page-data.ts'
import { parsed, type Text, textOf } from './dom.ts'
import type { Exchange, Failure } from './exchange.ts'
import type { Kept } from './kept.ts'
import { dollars, type Terms } from './terms.ts'
import type { Signed, Wallet } from './wallets.ts'

/** What a 402 asks, in words. */
export function termsText({ usd, isPriced, networkName, name }: PageData, terms: Terms | undefined): Text {
  if (terms === undefined || terms.amount === '0' || !isPriced) {
    return html`<p>
      <b>${name}</b> opens with a Tool Pass: sign in with the wallet that holds it. That moves no money.
    </p>`
  }
  const now = dollars(terms.amount)
  return html`<p>
      This call costs <b>$${now}</b> in USDC on ${networkName}, paid to <code>${terms.payTo}</code>.
      ${Number(now) === Number(usd) ? '' : html`<b>The price changed:</b> it was $${usd} when this page was made.`}
    </p>
    <p class="soft">
      Your wallet signs a transfer of exactly that amount, good for ${terms.maxTimeoutSeconds} seconds. It is taken only
      once the answer is there; a call that fails costs nothing.
    </p>`
}

/** The ways to pay or to sign in that there are. */
export function waysText(data: PageData, injected: readonly Wallet[], terms: Terms | undefined): Text {
  const canPay = terms !== undefined && terms.amount !== '0' && data.isPriced
  const cost = terms === undefined ? '' : `$${dollars(terms.amount)}`
  const demo = data.playWallets.filter(({ isMagic }) => !isMagic)
  const magic = data.playWallets.filter(({ isMagic }) => isMagic)
  const own = injected.map(({ id, name, icon }) => ({ id, name, icon, note: '' }))
  const play = demo.map(({ name, note }) => ({ id: name, name: `demo wallet “${name}”`, icon: undefined, note }))
  const all = [...own, ...play]
  const payButton = ({ id, name, icon, note }: (typeof all)[number], index: number): Text =>
    html`<li>
      <button type="button" class="${index === 0 ? 'main' : ''}" data-pay data-wallet="${id}">
        ${icon === undefined ? '' : html`<img src="${icon}" alt="" width="18" height="18" />`} Pay ${cost} with ${name}
      </button>
      ${note === '' ? '' : html`<span class="soft">${note}</span>`}
    </li>`
  return html`${
    canPay && all.length > 0
      ? html`<ul class="ways">
          ${all.map(payButton)}
        </ul>`
      : ''
  }${
    data.opensWithPass && all.length > 0
      ? html`<h4>${canPay ? 'Or sign in with a Tool Pass, and pay nothing' : 'Sign in with a Tool Pass'}</h4>
          <ul class="ways">
            ${all.map(({ id, name }) => html`<li><button type="button" data-pass data-wallet="${id}">Sign in with ${name}</button></li>`)}
          </ul>`
      : ''
  }${
    all.length === 0
      ? html`<p>
          <b>No wallet was found in this browser.</b> Install one that announces itself (EIP-6963), such as MetaMask or
          Rabby, and load the page again; or pay from code as shown below. ${nothingCharged}
        </p>`
      : ''
  }${
    magic.length > 0 && canPay
      ? html`<details>
          <summary>Wallets that fail on purpose, to see what then happens</summary>
          <ul class="ways">
            ${magic.map(({ name, note }) => html`<li><button type="button" data-pay data-wallet="${name}">${name}</button> <span class="soft">${note}</span></li>`)}
          </ul>
        </details>`
      : ''
  }`
}

/** What a wallet has signed, in words. */
export function signedText(wallet: Wallet, terms: Terms, { message, payer }: Signed): Text {
  return html`<p>
      ${wallet.name} (<code>${payer}</code>) signed a transfer of $${dollars(terms.amount)} to
      <code>${terms.payTo}</code>. Nobody else can take it, and nobody can take more.
    </p>
    <details>
      <summary>What was signed</summary>
      <pre tabindex="0">
${JSON.stringify({ domain: terms.domain.name, chainId: terms.chainId, TransferWithAuthorization: message }, null, 2)}</pre>
    </details>`
}

/** What an answer cost. */
export function paidText(
  answer: Exchange,
  receipt: Readonly<Record<string, unknown>> | undefined,
  payment?: Kept,
): Text {
  if (receipt === undefined) return html`<p>${nothingCharged}</p>`
  const isReplayed = answer.headers.some(([name, value]) => name === 'idempotent-replayed' && value === 'true')
  return html`<p>
      ${isReplayed ? 'The same answer again; nothing more was charged.' : html`Charged $${payment?.usd ?? ''}.`}
      Transaction
      <code>${textOf(receipt['transaction'])}</code>
    </p>
    <p class="row">
      <button type="button" data-receipt>Keep the receipt</button>
      ${payment === undefined ? '' : html`<button type="button" data-again>Fetch the same answer again</button>`}
    </p>`
}

/** A failure in words, with what became of the money. */
export function failureText({ code, message, nextStep, charged }: Failure): Text {
  const money =
    charged === 'no'
      ? nextStep.includes(nothingCharged)
        ? ''
        : nothingCharged
      : charged === 'yes'
        ? 'The payment was taken.'
        : 'Whether anything was charged is not known yet.'
  return html`<p>${message} ${nextStep} ${money}</p>
    <p class="soft">Code: <code>${code}</code></p>`
}

const refusals: readonly (readonly [RegExp, string])[] = [
  [/insufficient/, 'The wallet does not hold enough USDC.'],
  [/valid_before|expired/, 'The signature is too old.'],
  [/valid_after/, 'The signature is not valid yet; the clock of this computer may be wrong.'],
  [/nonce|used/, 'This payment was used before.'],
  [/signature/, 'The signature is not that of the wallet.'],
]

/** Why a payment was refused, as a person says it. */
export function refusalWords(reason: string): string {
  return (
    refusals.find(([pattern]) => pattern.test(reason))?.[1] ??
    `The payment was not accepted: ${reason || 'no reason was given'}.`
  )
}

/** What is worth keeping of a payment, as JSON. */
export function receiptFile(data: PageData, payment: Kept | undefined, receipt: unknown): string {
  const { usd, payer, key, input } = payment ?? {}
  const made = {
    tool: data.slug,
    server: data.origin,
    usd,
    payer,
    idempotencyKey: key,
    input: parsed(input ?? null),
    receipt,
  }
  return JSON.stringify(made, null, 2)
}

/** Gives a text to the person as a file. */
export function save(name: string, text: string, type = 'application/json'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
