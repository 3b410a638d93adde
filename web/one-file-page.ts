import { html, raw } from 'hono/html'

import { type Markup, sourceHash, textOf } from './page.ts'

type OneFilePageParts = {
  readonly title: string
  readonly style: string
  /** Run by the page itself; without, it runs none. */
  readonly script?: string
  readonly body: Markup
}

/**
 * A page in one file: it may show itself and run its own script, and reaches nobody, from whatever place it is opened.
 */
export function oneFilePage({ title, style, script, body }: OneFilePageParts): string {
  const policy = [
    `default-src 'none'`,
    `style-src ${sourceHash(style)}`,
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        ${body} ${script === undefined ? '' : raw(`<script>${script}</script>`)}
      </body>
    </html>`
  return textOf(page)
}
