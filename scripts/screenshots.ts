/**
 * Takes pictures of every kind of page and of answers with much in them, in both themes and at two widths:
 * npm run screenshots [-- --out folder]
 * The sandbox is started for it; a browser has to be on the machine.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import type { Page } from 'playwright-core'

import { crowdedAnswers, crowdedInput } from '../test/harness/crowded-answers.ts'
import { openPage, startBrowser } from '../test/browser/browser.ts'
import { startSandboxProcess } from '../test/harness/sandbox-process.ts'
import { loadTools } from '../tools/load.ts'
import { answerPage } from '../web/answer-page.ts'

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'screenshots' }, all: { type: 'boolean', default: false } },
})
const slugs = values.all ? (await loadTools()).map(({ slug }) => slug) : ['base-gas-tracker', 'mcp-security-scanner']
const paths = ['/', '/tools', '/tools/no-such-tool', ...slugs.map((slug) => `/tools/${slug}`)]

/** Pays for the example, so that the steps and the answer are on the picture too. */
async function tryIt(page: Page): Promise<void> {
  await page.click('[data-run]:enabled')
  const next = page.locator('[data-pay][data-wallet=payer], [data-pass][data-wallet=holder], [data-result] h2').first()
  await next.waitFor({ state: 'attached' })
  if ((await page.locator('[data-result] h2').count()) === 0) await next.click()
  await page.locator('[data-result] h2').waitFor({ timeout: 60_000 })
}

await mkdir(values.out, { recursive: true })
const [sandbox, browser] = await Promise.all([startSandboxProcess(), startBrowser()])
try {
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [360, 1_440]) {
      for (const path of paths) {
        const { page, problems, close } = await openPage(browser, sandbox.baseUrl, { width, theme })
        await page.goto(path)
        const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')
        if (slugs.some((slug) => path.endsWith(slug))) await tryIt(page)
        await page.screenshot({ path: join(values.out, `${name}-${width}-${theme}.png`), fullPage: true })
        for (const problem of problems) console.error(`${path}: ${problem}`)
        await close()
      }
      for (const [name, answer] of Object.entries(crowdedAnswers)) {
        const { page, problems, close } = await openPage(browser, sandbox.baseUrl, { width, theme })
        const parts = { tool: { slug: name, name }, input: crowdedInput, answer: JSON.stringify(answer) }
        await page.setContent(answerPage({ ...parts, at: new Date() }))
        await page.screenshot({ path: join(values.out, `drawn-${name}-${width}-${theme}.png`), fullPage: true })
        for (const problem of problems) console.error(`${name}: ${problem}`)
        await close()
      }
    }
  }
} finally {
  await browser.close()
  await sandbox.stop()
}
console.log(`Pictures are in ${values.out}.`)
