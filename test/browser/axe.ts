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
 * The accessibility faults of a page: serious and critical ones only, each with the first place it was found.
 * @param rules the only rules to run; all of them unless given.
 */
export async function accessFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Runs through the debugger, which the page's policy does not restrict.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source)
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) }
  const findings = await page.evaluate<readonly Finding[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200) ?? ''}`)
}
