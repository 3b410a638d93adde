import { html } from 'hono/html'

import { append, type Text } from './dom.ts'
import type { Exchange } from './exchange.ts'

const longest = 4_000

/** The steps of a call, one below the other, each with what was really sent and what really came. */
export type Steps = {
  readonly clear: () => void
  readonly add: (title: string, words: Text, kind?: 'good' | 'bad' | 'plain') => HTMLElement
}

export function createSteps(list: HTMLElement): Steps {
  return {
    clear: () => list.replaceChildren(),
    add: (title, words, kind = 'plain') => {
      append(
        list,
        html`<li class="step ${kind}">
          <h3>${title}</h3>
          <div>${words}</div>
        </li>`,
      )
      const last = list.lastElementChild
      if (!(last instanceof HTMLElement)) throw new Error('A step was not added.')
      return last
    },
  }
}

/** A request and its answer as they went over the wire. */
export function wire({ method, path, sent, body, status, headers, text }: Exchange): Text {
  const lines = (all: readonly (readonly [string, string])[]): string =>
    all.map(([name, value]) => `${name}: ${cut(value, 300)}`).join('\n')
  const asked = [
    `${method} ${path}`,
    lines(Object.entries(sent)),
    ...(body === undefined ? [] : ['', cut(body, longest)]),
  ]
  const answered = [`HTTP ${status}`, lines(headers), '', cut(text, longest)]
  return html`<details>
    <summary>Request and answer</summary>
    <pre tabindex="0">${asked.join('\n')}</pre>
    <pre tabindex="0">${answered.join('\n')}</pre>
  </details>`
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} … (${text.length} characters)` : text
}
