import { html } from 'hono/html'

import { answerOf } from './drawings/answer.ts'
import { layOut } from './drawings/graph-layout.ts'
import { visible } from './drawings/values.ts'
import { oneFilePage } from './one-file-page.ts'
import { style } from './style.ts'

export type AnswerPageParts = {
  readonly tool: { readonly name: string; readonly slug: string }
  readonly input: unknown
  /** The answer as JSON. */
  readonly answer: string
  readonly at: Date
}

/** An answer as a page of its own that needs no server, no network and no script. */
export function answerPage({ tool, input, answer, at }: AnswerPageParts): string {
  const body = html`<main id="main" class="wide">
    <p class="soft"><code>${tool.slug}</code></p>
    <h1>${tool.name}</h1>
    <p class="soft">Answered on this machine, ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>
    <h2>What was asked</h2>
    <pre tabindex="0"><code>${visible(JSON.stringify(input, null, 2))}</code></pre>
    <h2>Answer</h2>
    ${answerOf(answer, { input, layOut })}
  </main>`
  return oneFilePage({ title: `Answer of ${tool.name}`, style, body })
}
