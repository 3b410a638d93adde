import { html, raw } from 'hono/html'

import { answerOf } from './drawings/answer.ts'
import { layOut } from './drawings/graph-layout.ts'
import { visible } from './drawings/values.ts'
import { sourceHash, textOf } from './page.ts'
import { style } from './style.ts'

export type AnswerPageParts = {
  readonly tool: { readonly name: string; readonly slug: string }
  readonly input: unknown
  /** The answer as JSON. */
  readonly answer: string
  readonly at: Date
}

/** What a file may do that somebody opens from a disk: show itself, and nothing else. */
const policy = `default-src 'none'; style-src ${sourceHash(style)}; base-uri 'none'; form-action 'none'`

/** An answer as a page of its own that needs no server, no network and no script. */
export function answerPage({ tool, input, answer, at }: AnswerPageParts): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>Answer of ${tool.name}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        <main id="main" class="wide">
          <p class="soft"><code>${tool.slug}</code></p>
          <h1>${tool.name}</h1>
          <p class="soft">Answered on this machine, ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>
          <h2>What was asked</h2>
          <pre tabindex="0"><code>${visible(JSON.stringify(input, null, 2))}</code></pre>
          <h2>Answer</h2>
          ${answerOf(answer, { input, layOut })}
        </main>
      </body>
    </html>`
  return textOf(page)
}
