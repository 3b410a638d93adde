import { html, raw } from 'hono/html'

import type { Tool } from '../src/tool/tool.ts'
import { loadApp } from './assets.ts'
import { sourceHash, textOf } from './page.ts'
import { style, themeStyle } from './style.ts'

/** Inside a host there is little room around an answer, and the host says which theme it has. */
const appStyle = `${style}${themeStyle}body{background:transparent;font-size:15px}main.wide{padding:.75rem}.wide{max-width:none}h2{margin-top:0}`

/** The page that a host of MCP shows beside an answer: it waits to be told the answer, and draws it. */
export function appPage({ name }: Pick<Tool, 'name'>): string {
  const script = loadApp()
  const policy = [
    `default-src 'none'`,
    `style-src ${sourceHash(appStyle)}`,
    `script-src ${sourceHash(script)}`,
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
        <title>Answer of ${name}</title>
        ${raw(`<style>${appStyle}</style>`)}
      </head>
      <body>
        <main id="main" class="wide" aria-live="polite"><p class="soft">Waiting for the answer of ${name} …</p></main>
        ${raw(`<script>${script}</script>`)}
      </body>
    </html>`
  return textOf(page)
}
