import { setTimeout as sleep } from 'node:timers/promises'

import type { Page } from 'playwright-core'

import { openPage, startBrowser } from '../../test/browser/browser.ts'
import { startSandboxProcess } from '../../test/harness/sandbox-process.ts'

/** Notes, in the page, when its largest part is seen and how long each interaction takes until the next picture. */
const observer = `
globalThis.seen = 0
globalThis.felt = 0
new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) seen = startTime
}).observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries()) if (interactionId > 0) felt = Math.max(felt, duration)
}).observe({ type: 'event', durationThreshold: 16, buffered: true })
`
const rounds = 5

/**
 * The median of what the browser itself says of pages of a sandbox, each in a new tab that has loaded nothing before.
 */
export async function seenAndFelt(): Promise<readonly [string, string][]> {
  const [sandbox, browser] = await Promise.all([startSandboxProcess(), startBrowser()])
  const measure = async (path: string, use?: (page: Page) => Promise<void>): Promise<[number, number]> => {
    const seen: number[] = []
    const felt: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { page, close } = await openPage(browser, sandbox.baseUrl)
      await page.addInitScript(observer)
      await page.goto(path)
      await page.waitForLoadState('load')
      await use?.(page)
      // Not by the driver's own waiting: it evaluates text inside the page, which the policy of our pages refuses.
      for (let tries = 0; tries < 100 && (await page.evaluate<number>('seen')) === 0; tries += 1) await sleep(20)
      // Two frames: what is measured is told after the picture that ends it.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      seen.push(await page.evaluate<number>('seen'))
      felt.push(await page.evaluate<number>('felt'))
      await close()
    }
    return [median(seen), median(felt)]
  }
  try {
    const rows: [string, string][] = []
    for (const path of ['/', '/tools', '/tools/base-gas-tracker', '/tools/repo-health-for-agents']) {
      rows.push([`largest part of ${path} seen after`, ms((await measure(path))[0])])
    }
    const [, typed] = await measure('/tools', async (page) => {
      await page.locator('[name=q]').pressSequentially('gas')
    })
    rows.push(['a letter in the search of /tools, until shown', ms(typed)])
    const [, filled] = await measure('/tools/base-gas-tracker', async (page) => {
      await page.locator('[data-run]:enabled').waitFor()
      await page.locator('#field-blocks').pressSequentially('12')
    })
    rows.push(['a letter in the form of a tool, until shown', ms(filled)])
    const [, drawn] = await measure('/tools/repo-health-for-agents', async (page) => {
      await page.click('[data-run]:enabled')
      await page.locator('[data-result] h2').waitFor()
      await page.locator('[data-result] summary').last().click()
    })
    rows.push(['a click on Run, and on the JSON of a long answer', ms(drawn)])
    return rows
  } finally {
    await browser.close()
    await sandbox.stop()
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The browser tells of no interaction that is shown within a frame. */
function ms(value: number): string {
  return value === 0 ? 'under 16 ms' : `${Math.round(value)} ms`
}
