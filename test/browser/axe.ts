import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Finding = {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * What keeps people from using the page who see, hear or move otherwise: serious findings only, each with its first
 * place.
 * @param rules the only ones that are looked at; all of them unless given.
 */
export async function accessFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // By the browser's own debugger, which no policy of the page concerns.
  await page.evaluate(source)
  const findings = await page.evaluate<readonly Finding[]>(
    `axe.run(${JSON.stringify(rules === undefined ? {} : { runOnly: rules })}).then(({ violations }) => violations)`,
  )
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200) ?? ''}`)
}
