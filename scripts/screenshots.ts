/**
 * Takes pictures of every kind of page and of answers with much in them, in both themes and at two widths:
 * npm run screenshots [-- --out folder] [--all] [--only part of a name]
 * The sandbox is started for it; a browser has to be on the machine.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from 'playwright-core'

import { crowdedAnswers, crowdedInput } from '../test/harness/crowded-answers.ts'
import { openPage, startBrowser } from '../test/browser/browser.ts'
import { startSandboxProcess } from '../test/harness/sandbox-process.ts'
import { loadTools } from '../tools/load.ts'
import { answerPage } from '../web/answer-page.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})
const slugs = values.all ? (await loadTools()).map(({ slug }) => slug) : ['base-gas-tracker', 'mcp-security-scanner']

/** Pays for the example, so that the steps and the answer are on the picture too. */
async function tryIt(page: Page): Promise<void> {
  await page.click('[data-run]:enabled')
  const next = page.locator('[data-pay][data-wallet=payer], [data-pass][data-wallet=holder], [data-result] h2').first()
  await next.waitFor({ state: 'attached' })
  if ((await page.locator('[data-result] h2').count()) === 0) await next.click()
  await page.locator('[data-result] h2').waitFor({ timeout: 60_000 })
}

/** Asks for the price, and stops where a person chooses a wallet. */
async function askPrice(page: Page): Promise<void> {
  await page.locator('[data-run]:enabled, [data-pay]').first().waitFor({ state: 'attached' })
  if ((await page.locator('[data-run]').count()) > 0) await page.click('[data-run]:enabled')
  await page.locator('[data-pay]').first().waitFor({ state: 'attached' })
}

async function fail(page: Page): Promise<void> {
  await askPrice(page)
  await page.locator('[data-pay][data-wallet=insufficient_funds]').first().dispatchEvent('click')
  await page.locator('.step.bad').waitFor({ timeout: 60_000 })
}

async function signIn(page: Page): Promise<void> {
  await page.click('[data-wallet=payTo]')
  await page.locator('[data-books] h2').first().waitFor({ timeout: 60_000 })
}

type Shot = { readonly name: string; readonly path: string; readonly prepare?: (page: Page) => Promise<unknown> }

/** A page as it is when it opens, and in each of the states that a person meets. */
const shotsOf = (payPath: string): readonly Shot[] => [
  ...slugs.map((slug) => ({ name: `tool-${slug}`, path: `/tools/${slug}`, prepare: tryIt })),
  { name: 'home', path: '/' },
  { name: 'tools', path: '/tools' },
  { name: 'tools-none', path: '/tools?q=nothing+of+the+kind' },
  { name: 'tool-missing', path: '/tools/base-gas' },
  { name: 'tool-price', path: '/tools/wallet-portfolio', prepare: askPrice },
  { name: 'tool-failed', path: '/tools/base-gas-tracker', prepare: fail },
  { name: 'tool-wrong', path: '/api/agentic/tools/base-gas-tracker?blocks=99' },
  { name: 'pay', path: payPath, prepare: askPrice },
  { name: 'pay-over', path: `/pay/${'0'.repeat(35)}` },
  { name: 'docs', path: '/docs' },
  { name: 'docs-guide', path: '/docs/sell-your-own-tool' },
  { name: 'docs-found', path: '/docs?q=refund' },
  {
    name: 'docs-api',
    path: '/docs/api',
    prepare: (page) => page.locator('[data-reference] h1').waitFor({ timeout: 60_000 }),
  },
  { name: 'status', path: '/status' },
  { name: 'operator-stranger', path: '/operator', prepare: (page) => page.locator('[data-wallet=payTo]').waitFor() },
  { name: 'operator', path: '/operator', prepare: signIn },
]

/** An address that a client sends its user to. */
async function waitingCall(mcpUrl: string): Promise<string> {
  const client = new Client({ name: 'pictures', version: '1' }, { capabilities: { elicitation: { url: {} } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl)))
  try {
    await client.callTool({ name: 'base-gas-tracker', arguments: { blocks: 4 } })
    throw new Error('It was answered without a payment.')
  } catch (error) {
    const found = /\/pay\/[0-9a-f]{35}/.exec(JSON.stringify(error, ['data', 'elicitations', 'url']))
    if (found === null) throw error
    return found[0]
  } finally {
    await client.close()
  }
}

await mkdir(values.out, { recursive: true })
const [sandbox, browser] = await Promise.all([startSandboxProcess(), startBrowser()])
try {
  const shots = shotsOf(await waitingCall(sandbox.mcpUrl)).filter(({ name }) => name.includes(values.only))
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [360, 1_440]) {
      for (const { name, path, prepare } of shots) {
        const { page, problems, close } = await openPage(browser, sandbox.baseUrl, { width, theme })
        await page.goto(path)
        await prepare?.(page)
        const file = join(values.out, `${name}-${width}-${theme}.png`)
        // The API reference is as long as everything together; its top shows how it looks.
        await page.screenshot({ path: file, fullPage: name !== 'docs-api' })
        for (const problem of problems) console.error(`${path}: ${problem}`)
        await close()
      }
      for (const [name, answer] of Object.entries(crowdedAnswers).filter(([one]) =>
        `drawn-${one}`.includes(values.only),
      )) {
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
