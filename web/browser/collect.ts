import { html } from 'hono/html'

import { nothingCharged } from '../../src/errors.ts'
import type { PageData } from '../page-data.ts'
import { showAnswer } from './answer.ts'
import { isRecord, parsed, textOf } from './dom.ts'
import { type Exchange, failureOf, NoAnswerError, receiptOf } from './exchange.ts'
import { forget, keep, type Kept, keptAt } from './kept.ts'
import { type Steps, wire } from './steps.ts'
import { dollars, termsOf } from './terms.ts'
import { failureText, paidText, receiptFile, refusalWords, save } from './texts.ts'

/** Sends an input, with the headers of a payment or a sign-in. @throws NoAnswerError */
export type Send = (input: string, headers?: Readonly<Record<string, string>>, query?: string) => Promise<Exchange>

export type CollectParts = {
  readonly data: PageData
  /** The name under which a payment is kept in this tab. */
  readonly place: string
  readonly steps: Steps
  readonly result: HTMLElement
  readonly send: Send
  readonly wrong: (field: string, message: string) => void
  readonly onClick: (step: ParentNode, selector: string, work: (button: HTMLButtonElement) => Promise<void>) => void
  /** Said where a payment was answered. */
  readonly answered: string | undefined
  /** Offers to pay with another wallet, after a refusal. */
  readonly offer: (input: string, asked: Exchange, challenge: unknown, title: string) => void
}

export type Collector = {
  /** Sends a payment that was signed, and shows what came of it. */
  readonly collect: (payment: Kept) => Promise<void>
  /** Shows an answer, or why there is none. */
  readonly settle: (answer: Exchange, title: string, input: string, payment?: Kept) => void
  readonly resume: () => void
}

/** What happens to a payment once it is signed. */
export function createCollector(parts: CollectParts): Collector {
  const { data, place, steps, result, send, wrong, onClick, offer, answered } = parts

  /** Sends a payment that was signed, for the first time or again; the same one is taken once. */
  const collect = async (payment: Kept): Promise<void> => {
    const headers = { 'payment-signature': payment.header, 'idempotency-key': payment.key }
    let answer: Exchange
    try {
      answer = await send(payment.input, headers)
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      again('No answer came', error.message, payment)
      return
    }
    const failure = failureOf(answer)
    if (answer.status === 402) {
      forget(place)
      refused(payment, answer)
      return
    }
    if (failure !== undefined) {
      if (failure.charged === 'no') forget(place)
      else {
        again('The answer is not here yet', `${failure.message} ${failure.nextStep}`, payment, answer)
        return
      }
    } else keep(place, { ...payment, isAnswered: true })
    settle(answer, 'Settled and answered', payment.input, payment)
  }

  const refused = (payment: Kept, answer: Exchange): void => {
    const challenge = parsed(answer.text)
    const receipt = receiptOf(answer)
    const reason = textOf(receipt?.['errorReason'] ?? (isRecord(challenge) ? challenge['error'] : ''))
    const terms = termsOf(challenge)
    const isDearer = terms !== undefined && dollars(terms.amount) !== payment.usd
    const words = isDearer
      ? `The price changed meanwhile: it is $${dollars(terms.amount)} now, and you signed $${payment.usd}.`
      : refusalWords(reason)
    steps.add(
      'The payment was refused',
      html`<p>${words} ${nothingCharged}</p>
        ${wire(answer)}`,
      'bad',
    )
    offer(payment.input, answer, challenge, 'Try again with another wallet')
  }

  const again = (title: string, words: string, payment: Kept, answer?: Exchange): void => {
    const step = steps.add(
      title,
      html`<p>${words}</p>
        <p>
          Whether the $${payment.usd} were taken is not known here. The same payment can be sent again: it is taken at
          most once.
        </p>
        ${answer === undefined ? '' : wire(answer)}
        <button type="button" class="main" data-again>Fetch the answer with the same payment</button>`,
      'bad',
    )
    onClick(step, '[data-again]', () => collect(payment))
  }

  const settle = (answer: Exchange, title: string, input: string, payment?: Kept): void => {
    const failure = failureOf(answer)
    if (failure !== undefined) {
      if (failure.field !== undefined) wrong(failure.field, failure.message)
      // What failed before anything was taken can be sent once more as it is, while the signature is good.
      const isWorth = payment !== undefined && answer.status >= 500
      const once = html`<p><button type="button" data-again>Try again with the same payment</button></p>`
      const failed = html`${failureText(failure)}${isWorth ? once : ''}${wire(answer)}`
      const step = steps.add('Not answered', failed, 'bad')
      if (payment !== undefined) onClick(step, '[data-again]', () => collect(payment))
      return
    }
    const receipt = receiptOf(answer)
    const note = answered === undefined ? '' : html`<p><b>${answered}</b></p>`
    const step = steps.add(title, html`${note}${paidText(answer, receipt, payment)}${wire(answer)}`, 'good')
    if (payment !== undefined) onClick(step, '[data-again]', () => collect(payment))
    const saver = step.querySelector<HTMLButtonElement>('[data-receipt]')
    saver?.addEventListener('click', () => save(`receipt-${data.slug}.json`, receiptFile(data, payment, receipt)))
    void showAnswer(result, data.slug, answer.text, input)
  }

  const resume = (): void => {
    const payment = keptAt(place)
    if (payment === undefined) return
    const words = payment.isAnswered
      ? html`<p>You paid $${payment.usd} here for an answer. It can be shown again at no cost.</p>`
      : html`<p>
          A payment of $${payment.usd} was signed here and its answer has not been seen. The same payment fetches it; it
          is taken at most once.
        </p>`
    const step = steps.add(
      payment.isAnswered ? 'Your last answer' : 'An answer is waiting',
      html`${words}
        <p class="row">
          <button type="button" class="main" data-again>
            ${payment.isAnswered ? 'Show it again' : 'Fetch the answer'}
          </button>
          <button type="button" data-forget>Forget it</button>
        </p>`,
    )
    onClick(step, '[data-again]', () => collect(payment))
    onClick(step, '[data-forget]', async () => {
      forget(place)
      step.remove()
    })
  }

  return { collect, settle, resume }
}
