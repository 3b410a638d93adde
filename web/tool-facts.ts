import { html } from 'hono/html'

import type { Tool } from '../src/tool/tool.ts'
import type { Markup } from './page.ts'

/** What is known of a tool beside its definition: how it is now, and how long its last calls took. */
export type ToolFacts = {
  readonly isOpen: boolean
  /** Half of so many calls took no longer; undefined until there were some. */
  readonly latency: { readonly expectedMs: number; readonly calls: number } | undefined
}

export type FactsOf = (tool: Tool) => ToolFacts

export const freshnessWords = { live: 'read anew', cached: 'kept a while', static: 'does not change' } as const

/** Whether calls can be answered now. */
export function stateOf({ isOpen }: ToolFacts): Markup {
  return isOpen
    ? html`<span class="dot well"></span> open`
    : html`<span class="dot many"></span> closed for the moment, because something it needs is down`
}

/** How long a call takes: what real calls took, else what the tool is held to. */
export function durationOf({ latency }: ToolFacts, { latencySlaMs }: Pick<Tool, 'latencySlaMs'>): string {
  const most = `${latencySlaMs / 1_000} s`
  return latency === undefined ? `within ${most}` : `${msText(latency.expectedMs)} median, within ${most}`
}

function msText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}
