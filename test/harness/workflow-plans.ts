import { readFileSync } from 'node:fs'

import type { z } from 'zod'

import { NotFoundError } from '../../src/errors.ts'
import { type Fixture, runTool } from './run-tool.ts'
import type { CatalogEntry } from '../../src/tool/tool.ts'
import tool from '../../tools/agentic/multi-agent-workflow-designer/tool.ts'

export type Input = z.input<typeof tool.input>
export type Output = z.output<typeof tool.output>

export const fixture = JSON.parse(
  readFileSync(
    new URL('../../tools/agentic/multi-agent-workflow-designer/fixtures/whole-catalog.json', import.meta.url),
    'utf8',
  ),
) as Fixture & { readonly catalog: readonly CatalogEntry[] }

/** The project's own token, as the sandbox has it. */
const native = { symbol: 'TOLL', contract: '0x1111111111111111111111111111111111111111', pools: [] }

/** Plans over the registry of the fixture, or another one, at the fixture's time. */
export async function plan(input: Input, catalog: readonly CatalogEntry[] = fixture.catalog): Promise<Output> {
  return (await runTool(tool, input, fixture, { catalog, settings: { native } })).output
}

/** The plan, or undefined where no tool of the catalog does what the goal asks for. */
export async function planOrNone(input: Input, catalog?: readonly CatalogEntry[]): Promise<Output | undefined> {
  return await plan(input, catalog).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined
    throw error
  })
}

/** The same registry at another address. */
export function catalogAt(origin: string): readonly CatalogEntry[] {
  return fixture.catalog.map((entry) => ({ ...entry, endpoint: origin + new URL(entry.endpoint).pathname }))
}

export const slugsOf = ({ steps }: Output) => steps.map(({ tool_slug }) => tool_slug)

/** Goals that would hurt whoever pastes them into a shell, a JSON text or a URL. */
export const hostileGoals: readonly string[] = [
  `gas'; touch "$PWNED"; echo ' odds $(touch "$PWNED") of \`touch "$PWNED"\``,
  'will $(touch $PWNED) happen?\ntouch $PWNED\n; odds of it & touch $PWNED',
  "polymarket odds '\\''$(touch $PWNED)'\\'' | touch $PWNED || ${PWNED:?} !!",
  'floor of the collection "$(touch $PWNED)" and the collection \'`touch $PWNED`\'',
  "odds that EOF\nEOF\n'EOF'\n#!/bin/sh\ntouch $PWNED",
  'launch a token called "$(touch $PWNED)" with symbol $TOUCH; rm -rf "$HOME/nothing"',
  "audit my x402 endpoint https://a.example/$(touch%20$PWNED)?x=`id`&y=$PWNED#' and check a/$(id)",
  "workflow: '; touch $PWNED #\u0000\u0007\u202e\u2028 \ud800 then people search for <(touch $PWNED)",
  'probability of rain on polymarket \\(env) \\u0027; touch $PWNED \\',
  '%s%n%x odds $IFS$9 ~root * ? [a-z] {a,b} <<< $PWNED',
]
