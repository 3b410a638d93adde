import { html } from 'hono/html'

import type { Tool } from '../src/tool/tool.ts'
import { loadApp } from './assets.ts'
import { oneFilePage } from './one-file-page.ts'
import { style, themeStyle } from './style.ts'

/** Inside a host there is little room around an answer, and the host says which theme it has. */
const appStyle = `${style}${themeStyle}body{background:transparent;font-size:15px}main.wide{padding:.75rem}.wide{max-width:none}h2{margin-top:0}`

/** The page that a host of MCP shows beside an answer: it waits to be told the answer, and draws it. */
export function appPage({ name }: Pick<Tool, 'name'>): string {
  const body = html`<main id="main" class="wide" aria-live="polite">
    <p class="soft">Waiting for the answer of ${name} …</p>
  </main>`
  return oneFilePage({ title: `Answer of ${name}`, style: appStyle, script: loadApp(), body })
}
