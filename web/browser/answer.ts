import { html } from 'hono/html'

import { mayHaveGraph } from '../drawings/pen.ts'
import { append, find, parsed, show, type Text } from './dom.ts'
import { save } from './texts.ts'

/** Fetches what draws answers, so that it is there once one comes. */
export function prepareToDraw(): void {
  // What fails here is said where an answer is to be drawn.
  import('../drawings/answer.ts').catch(() => {})
}

/** Shows an answer, drawn and as JSON, and gives it as a file to who wants one. */
export async function showAnswer(place: HTMLElement, slug: string, text: string, input: string): Promise<void> {
  const answer = await picture(text, input)
  show(
    place,
    html`<h2 tabindex="-1">Answer</h2>
      ${answer}`,
  )
  append(place, html`<p class="row"><button type="button" data-file>Save the answer</button></p>`)
  find('[data-file]', HTMLButtonElement, place).addEventListener('click', () => save(`${slug}.json`, text))
  find('h2', HTMLElement, place).focus({ preventScroll: true })
}

async function picture(text: string, input: string): Promise<Text> {
  try {
    const { answerOf } = await import('../drawings/answer.ts')
    const graphs = mayHaveGraph(text) ? await import('../drawings/graph-layout.ts') : undefined
    return answerOf(text, { input: parsed(input), layOut: graphs?.layOut })
  } catch {
    // The answer is here and may have been paid for; only the picture of it is not.
    return html`<p>What draws answers could not be loaded from the server. This is the answer as it came:</p>
      <pre tabindex="0"><code>${text.slice(0, 400_000)}</code></pre>`
  }
}
