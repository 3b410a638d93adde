import { html } from 'hono/html'

import { drawn } from './draw.ts'
import type { Drawn } from './pen.ts'
import { isFields, type Markup, visible } from './values.ts'

/** An answer that is longer is given whole and not drawn: to draw it would stop the page for seconds. */
const mostDrawn = 400_000

/**
 * An answer that came as text, drawn, and as JSON below it. What cannot be drawn is said in words, and given as it
 * came.
 */
export function answerOf(text: string, parts: Drawn = {}): Markup {
  if (text.length > mostDrawn) {
    return html`<p>
      The answer is ${Math.round(text.length / 1_000).toLocaleString('en-US')} kB long, too large to draw. Nothing of it
      is lost: it is given whole.
    </p>`
  }
  const value = parsed(text)
  if (value === undefined) {
    return html`<p>The answer is not JSON, so there is nothing to draw. This is what came:</p>
      <pre tabindex="0">${visible(text)}</pre>`
  }
  return html`${picture(value, parts)}
    <details>
      <summary>The answer as JSON</summary>
      <pre tabindex="0"><code>${visible(JSON.stringify(value, null, 2))}</code></pre>
    </details>`
}

function picture(value: unknown, parts: Drawn): Markup {
  if (isFields(value) && Object.keys(value).length === 0) return html`<p>The answer has nothing in it.</p>`
  try {
    return drawn(value, parts)
  } catch {
    // A picture is a convenience; an answer that was paid for is shown whatever shape it has.
    return html`<p>The answer has a shape that could not be drawn. It is here as JSON.</p>`
  }
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
