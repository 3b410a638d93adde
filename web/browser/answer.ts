import { html } from 'hono/html'

import { drawn } from '../draw.ts'
import { append, find, parsed, show } from './dom.ts'
import { save } from './texts.ts'

/** An answer that is longer is given as a file: to draw it would stop the page for seconds. */
const mostDrawn = 400_000

/** Shows an answer, drawn and as JSON, and gives it as a file to who wants one. */
export function showAnswer(place: HTMLElement, slug: string, text: string): void {
  const value = parsed(text)
  if (text.length > mostDrawn) {
    show(
      place,
      html`<h2 tabindex="-1">Answer</h2>
        <p>It is ${Math.round(text.length / 1_000)} kB long, too large to draw. You have it whole as a file.</p>`,
    )
  } else {
    show(
      place,
      html`<h2 tabindex="-1">Answer</h2>
        ${drawn(value)}
        <details>
          <summary>The answer as JSON</summary>
          <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>
        </details>`,
    )
  }
  append(place, html`<p class="row"><button type="button" data-file>Save the answer</button></p>`)
  find('[data-file]', HTMLButtonElement, place).addEventListener('click', () => save(`${slug}.json`, text))
  find('h2', HTMLElement, place).focus({ preventScroll: true })
}
