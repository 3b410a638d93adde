import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { playSign } from '../../sandbox/play.ts'
import { usdcBalance } from '../../sandbox/sign.ts'
import { walletOf, type WalletName } from '../../sandbox/wallets.ts'
import { toAtomic } from '../../src/payments/terms.ts'
import { isPassOnly, usdOf } from '../../src/tool/access.ts'
import { loadTools } from '../../tools/load.ts'
import { type SandboxProcess, startSandboxProcess } from '../harness/sandbox-process.ts'
import { siweOf } from '../harness/sign-in.ts'
import { accessFaults } from './axe.ts'
import { browserPath, type Look, openPage, startBrowser, type WatchedPage } from './browser.ts'

const hasBrowser = browserPath !== undefined
if (!hasBrowser) console.log('There is no browser on this machine: the tests of the pages in one are skipped.')

const tools = await loadTools()
const gas = '/tools/base-gas-tracker'
const gasPrice = 10_000n
const operatorToken = 'a-token-that-only-the-operator-has'

let sandbox: SandboxProcess
let browser: Browser
const tabs: WatchedPage[] = []

beforeAll(async () => {
  if (hasBrowser)
    [sandbox, browser] = await Promise.all([
      startSandboxProcess({ TOLLGATE_OPERATOR_TOKEN: operatorToken }),
      startBrowser(),
    ])
})
afterEach(async () => {
  await Promise.all(tabs.splice(0).map((tab) => tab.close()))
})
afterAll(async () => {
  if (!hasBrowser) return
  await browser.close()
  await sandbox.stop()
})

async function open(path: string, look: Look = {}, prepare?: (page: Page) => Promise<void>): Promise<WatchedPage> {
  const tab = await openPage(browser, sandbox.baseUrl, look)
  tabs.push(tab)
  await prepare?.(tab.page)
  await tab.page.goto(path)
  return tab
}

const balanceOf = (name: WalletName): Promise<bigint> => usdcBalance(sandbox.chain.rpcUrl, walletOf(name).address)

/** Presses the button of the form, and waits for what the price leads to. */
async function ask(page: Page): Promise<void> {
  const asked = page.locator('[data-pay], [data-pass]').first()
  // A facilitator that has used up its allowance is let rest for a second.
  for (let tries = 0; tries < 60 && (await asked.count()) === 0; tries += 1) {
    await page.click('[data-run]:enabled')
    await page.locator('[data-pay], [data-pass], .step.bad').first().waitFor({ state: 'attached' })
  }
}

const payWith = (page: Page, wallet: string): Promise<void> =>
  page.locator(`[data-pay][data-wallet="${wallet}"]`).first().dispatchEvent('click')

const answered = (page: Page): Promise<unknown> => page.waitForSelector('[data-result] h2', { timeout: 60_000 })

const steps = (page: Page): Promise<string> => page.locator('[data-steps]').innerText()

const said = (page: Page, words: string | RegExp): Promise<void> =>
  page.locator('.step h3, .step p', { hasText: words }).last().waitFor({ timeout: 60_000 })

describe.skipIf(!hasBrowser)('the pages in a browser', () => {
  it.each([
    '/',
    '/tools',
    gas,
    '/tools/mcp-security-scanner',
    '/tools/no-such-tool',
    '/status',
    '/docs',
    '/docs/ledger',
    '/docs?q=prepaid',
  ])('%s asks nobody else, breaks no rule of its policy, fits a telephone and is accessible', async (path) => {
    const { page, problems } = await open(path, { width: 360, height: 800 })
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect([theme, beyond, await accessFaults(page), problems]).toEqual([theme, 0, [], []])
    }
  })

  it('say on the first page how the server is at this moment', async () => {
    const { page, problems } = await open('/')
    await page
      .locator('[data-live]', { hasText: /^(everything works|something does not work as it should)$/ })
      .waitFor()
    expect(problems).toEqual([])
  })

  it('draw the API reference from the document of this server, and ask nobody else', { timeout: 120_000 }, async () => {
    const { page, problems } = await open('/docs/api', { width: 360, height: 800, theme: 'dark' })
    await page.locator('[data-reference] h1').waitFor({ timeout: 60_000 })
    expect(await page.locator('[data-reference]').textContent()).toContain('polymarket')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    // Every operation is drawn alike: a few tell what all would, in a tenth of the time.
    await page.evaluate(`[...document.querySelectorAll('[data-section-id]')].slice(4).forEach((one) => one.remove())`)
    expect([await accessFaults(page), problems]).toEqual([[], []])
  })

  it('are whole without JavaScript', async () => {
    const { page } = await open(gas, { script: false })
    expect(await page.locator('main').innerText()).toContain('needs JavaScript')
    expect(await page.locator('h2').allInnerTexts()).toEqual(expect.arrayContaining(['Input', 'Example', 'Output']))
  })

  it('are used by keyboard', async () => {
    const { page } = await open('/tools/repo-health-for-agents')
    await page.locator('[data-run]:enabled').waitFor()
    await page.locator('[data-field] input').first().focus()
    await page.keyboard.press('Enter')
    await answered(page)
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Answer')
  })
})

describe.skipIf(!hasBrowser)('every tool tried in a browser', () => {
  let tab: WatchedPage | undefined
  afterAll(() => tab?.close())

  it.each(tools.map((tool) => [tool.slug, tool] as const))(
    '%s answers the example of its form',
    async (slug, tool) => {
      // One tab for all: what a page leaves behind must not trouble the next.
      tab ??= await openPage(browser, sandbox.baseUrl)
      const { page, problems } = tab
      await page.goto(`/tools/${slug}`)
      const isFree = toAtomic(usdOf(tool.access)) === 0n && !isPassOnly(tool.access)
      if (isFree || tool.access.mode === 'tiered') await page.click('[data-run]:enabled')
      else {
        await ask(page)
        if (isPassOnly(tool.access)) await page.locator('[data-pass][data-wallet=holder]').click()
        else await payWith(page, 'payer')
      }
      await answered(page)
      expect(await page.locator('.step.bad').count()).toBe(0)
      expect(problems).toEqual([])
    },
    60_000,
  )
})

describe.skipIf(!hasBrowser)('a payment from a page', () => {
  it('is shown step by step with what was really sent, and leaves a receipt', async () => {
    const before = await balanceOf('payer')
    const { page } = await open(gas)
    await ask(page)
    expect(await steps(page)).toContain('This call costs $0.01 in USDC')
    await payWith(page, 'payer')
    await answered(page)
    expect(before - (await balanceOf('payer'))).toBe(gasPrice)
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => one.setAttribute('open', ''))`)
    const shown = await steps(page)
    for (const header of ['payment-signature: ', 'payment-response: ', 'payment-required: ', 'idempotency-key: '])
      expect(shown).toContain(header)
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('[data-receipt]')])
    expect(file.suggestedFilename()).toBe('receipt-base-gas-tracker.json')
    await page.locator('.step [data-again]').last().click()
    await said(page, 'nothing more was charged')
    expect(before - (await balanceOf('payer'))).toBe(gasPrice)
  })

  it('opens with a pass instead, and moves no money', async () => {
    const before = await balanceOf('holder')
    const { page } = await open('/tools/collection-stats')
    await ask(page)
    await page.locator('[data-pass][data-wallet=holder]').click()
    await answered(page)
    expect(await balanceOf('holder')).toBe(before)
  })

  it('of a wallet that fails on purpose ends in words that say what was charged', async () => {
    // Its settlement never answers, which takes the server a quarter of a minute to be sure of.
    const { page: waiting } = await open(gas)
    await ask(waiting)
    await payWith(waiting, 'settle_timeout')
    const { page } = await open(gas)
    const ends: readonly (readonly [WalletName, RegExp])[] = [
      ['insufficient_funds', /does not hold enough USDC.*Nothing was charged/],
      ['expired', /too old.*Nothing was charged/],
      ['facilitator_down', /Nothing was charged/],
      ['out_of_credits', /Nothing was charged/],
      // The block is gone a second later, and whoever pays next must not feel it.
      ['reorg', /Charged \$0\.01/],
      ['payer', /Charged \$0\.01/],
    ]
    for (const [name, words] of ends) {
      await page.reload()
      const before = await balanceOf(name)
      await ask(page)
      await payWith(page, name)
      await said(page, words)
      if (words.source.includes('Nothing')) expect([name, await balanceOf(name)]).toEqual([name, before])
    }
    await said(waiting, 'not known here')
    await waiting.click('[data-run]:enabled')
    await said(waiting, 'An answer is waiting')
    // Where a payment may still be taken, no other is offered.
    expect(await waiting.locator('[data-pay]').count()).toBe(0)
  }, 120_000)

  it('whose settlement is lost is fetched again with the same payment', async () => {
    const before = await balanceOf('settle_then_drop')
    const { page } = await open(gas)
    await ask(page)
    await payWith(page, 'settle_then_drop')
    for (let tries = 0; tries < 30; tries += 1) {
      const again = page.locator('.step.bad [data-again]:enabled').last()
      await Promise.race([answered(page), again.waitFor({ timeout: 60_000 })])
      if ((await page.locator('[data-result] h2').count()) > 0) break
      await again.click()
      await page.locator('[data-run]:enabled').waitFor({ timeout: 60_000 })
    }
    await answered(page)
    expect(before - (await balanceOf('settle_then_drop'))).toBe(gasPrice)
  }, 90_000)

  it('is never made twice where the page is loaded again in the middle', async () => {
    const before = await balanceOf('payer')
    const { page } = await open(gas)
    // The answer of the paid request is lost on its way.
    await page.route('**/api/agentic/tools/base-gas-tracker', async (route) => {
      if (route.request().headers()['payment-signature'] === undefined) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await ask(page)
    await payWith(page, 'payer')
    await said(page, 'No answer came')
    await page.unroute('**/api/agentic/tools/base-gas-tracker')
    await page.goto('/tools')
    await page.goBack()
    await said(page, 'An answer is waiting')
    await page.reload()
    await said(page, 'An answer is waiting')
    // Asking anew leads to the payment that is there already.
    await page.click('[data-run]:enabled')
    await said(page, 'An answer is waiting')
    await page.locator('[data-again]').last().click()
    await answered(page)
    expect(before - (await balanceOf('payer'))).toBe(gasPrice)
  })
})

/** Runs in the page. */
const injectedWallet = `({ address, chain, declines }) => {
  const refuse = (code, words) => { throw Object.assign(new Error(words), { code }) }
  const provider = {
    request: async ({ method, params }) => {
      if (method === 'eth_requestAccounts') return [address]
      if (method === 'eth_chainId') return chain
      if (method === 'wallet_switchEthereumChain') return refuse(4902, 'unknown chain')
      return declines ? refuse(4001, 'User rejected') : signWithKey(method, params)
    },
  }
  const info = { uuid: 'test-wallet', name: 'Key <b>Wallet</b>', icon: 'data:image/svg+xml,<svg/>', rdns: 'test' }
  const detail = Object.freeze({ info, provider })
  addEventListener('eip6963:requestProvider', () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })))
}`

/** A wallet of the browser that announces itself (EIP-6963) and signs with a key. */
async function inject(page: Page, { chain = '0x2105', declines = false } = {}): Promise<void> {
  await page.exposeFunction('signWithKey', (method: string, params: readonly unknown[]) =>
    playSign('payer', method, params),
  )
  await page.addInitScript(
    `(${injectedWallet})(${JSON.stringify({ address: walletOf('payer').address, chain, declines })})`,
  )
}

describe.skipIf(!hasBrowser)('a wallet of the browser', () => {
  it('is found by its announcement, signs in its own words, and pays', async () => {
    const before = await balanceOf('payer')
    const { page, problems } = await open(gas, {}, (page) => inject(page))
    await ask(page)
    expect(await steps(page)).toContain('Pay $0.01 with Key <b>Wallet</b>')
    await payWith(page, 'test-wallet')
    await answered(page)
    expect(before - (await balanceOf('payer'))).toBe(gasPrice)
    expect(problems).toEqual([])
  })

  it.each([
    ['on another network', { chain: '0x1' }, /network 1;.*network 8453.*Nothing was charged/],
    ['whose owner declines', { declines: true }, /You declined.*nothing was charged/],
  ])('%s is told apart, and nothing is charged', async (_what, wallet, words) => {
    const before = await balanceOf('payer')
    const { page } = await open(gas, {}, (page) => inject(page, wallet))
    await ask(page)
    await payWith(page, 'test-wallet')
    await said(page, words)
    expect(await balanceOf('payer')).toBe(before)
    // What was shown stays, so that another wallet can be chosen.
    expect(await page.locator('[data-pay]:enabled').count()).toBeGreaterThan(0)
  })
})

describe.skipIf(!hasBrowser)('what is wrong with an input', () => {
  it('is said at its field before anything is sent', async () => {
    const { page } = await open('/tools/wallet-portfolio')
    await page.fill('#field-address', '0x12')
    await page.click('[data-run]:enabled')
    expect(await page.innerText('#field-address-wrong')).toContain('0x and 40 hexadecimal digits')
    expect(await page.locator('.step').count()).toBe(0)
  })

  it('is said at its field where only the server can tell', async () => {
    const { page } = await open('/tools/wallet-portfolio')
    await page.fill('#field-address', '0xD8DA6BF26964aF9D7eEd9e03E53415D37aA96045')
    await page.click('[data-run]:enabled')
    await page.locator('#field-address-wrong:visible').waitFor()
    expect(await steps(page)).toContain('Nothing was charged')
  })

  it('is said on the page that a browser gets at the address of a paid tool', async () => {
    const { page, problems } = await open('/api/agentic/tools/base-gas-tracker?blocks=99')
    expect(await page.inputValue('#field-blocks')).toBe('99')
    expect(await page.locator('#field-blocks-wrong').isVisible()).toBe(true)
    await page.goto('/api/agentic/tools/base-gas-tracker?blocks=7')
    expect(await page.inputValue('#field-blocks')).toBe('7')
    await ask(page)
    expect(problems).toEqual([])
  })
})

/** Pays on the page that a client was sent to. */
async function payAt(url: string): Promise<WatchedPage> {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9a-f]{35}$/)
  const tab = await open(new URL(url).pathname)
  await tab.page.locator('[data-pay]').first().waitFor({ state: 'attached' })
  expect(await tab.page.locator('main').innerText()).toContain('"blocks": 4')
  await payWith(tab.page, 'payer')
  return tab
}

describe.skipIf(!hasBrowser)('a page that a client of MCP sends its user to', () => {
  const call = { name: 'base-gas-tracker', arguments: { blocks: 4 } }

  it('is paid on, and the call that is asked again is answered once', async () => {
    const before = await balanceOf('payer')
    const newClient = async (): Promise<Client> => {
      const client = new Client({ name: 'older', version: '1' }, { capabilities: { elicitation: { url: {} } } })
      await client.connect(new StreamableHTTPClientTransport(new URL(sandbox.mcpUrl)))
      return client
    }
    const urlOf = async (client: Client): Promise<string> => {
      const error: unknown = await client.callTool(call).then(
        (result) => expect.fail(`answered without a payment: ${JSON.stringify(result).slice(0, 200)}`),
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ code: -32_042, data: { elicitations: [{ mode: 'url' }] } })
      return (error as { readonly data: { readonly elicitations: readonly [{ readonly url: string }] } }).data
        .elicitations[0].url
    }
    const client = await newClient()
    const stranger = await newClient()
    try {
      const url = await urlOf(client)
      const { page, problems } = await payAt(url)
      await answered(page)
      expect(await steps(page)).toContain('Go back to your client')
      expect(problems).toEqual([])
      // Nobody else gets what was paid for.
      expect(await urlOf(stranger)).not.toBe(url)
      const result = await client.callTool(call)
      expect(result.isError).not.toBe(true)
      expect(result._meta?.['x402/payment-response']).toMatchObject({ success: true })
      expect(before - (await balanceOf('payer'))).toBe(gasPrice)
      await page.goto(new URL(url).pathname)
      expect(await page.locator('main').innerText()).toContain('Nothing can be charged on this page')
      expect(await urlOf(client)).not.toBe(url)
    } finally {
      await Promise.all([client.close(), stranger.close()])
    }
  }, 60_000)

  it('is paid on while a client of 2026 waits for its answer', async () => {
    const before = await balanceOf('payer')
    const client = new NewerClient(
      { name: 'newer', version: '1' },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode === 'url') await payAt(params.url)
      return { action: 'accept' }
    })
    await client.connect(new NewerTransport(new URL(sandbox.mcpUrl)))
    try {
      const result = await client.callTool(call, { timeout: 50_000 })
      expect(result.isError).not.toBe(true)
      expect(before - (await balanceOf('payer'))).toBe(gasPrice)
    } finally {
      await client.close()
    }
  }, 60_000)
})

describe.skipIf(!hasBrowser)('the page of the operator', () => {
  it('shows a stranger nothing', async () => {
    const data = (headers: Readonly<Record<string, string>>) => fetch(`${sandbox.baseUrl}/operator/data`, { headers })
    expect((await data({})).status).toBe(401)
    expect((await data({ authorization: await siweOf(walletOf('payer'), sandbox.baseUrl) })).status).toBe(403)
    const owner = await siweOf(walletOf('payTo'), sandbox.baseUrl)
    expect((await data({ authorization: owner })).status).toBe(200)
    // Behind a proxy there is no such page, whoever asks.
    expect((await data({ authorization: owner, 'x-forwarded-for': '127.0.0.1' })).status).toBe(404)
    expect((await fetch(`${sandbox.baseUrl}/operator/credit`, { method: 'POST', body: '{}' })).status).toBe(401)
  })

  it('opens to the token of the operator, to no other, and only on this machine', async () => {
    const data = (token: string, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${sandbox.baseUrl}/operator/data`, { headers: { authorization: `Bearer ${token}`, ...more } })
    expect((await data(operatorToken)).status).toBe(200)
    for (const wrong of ['', operatorToken.slice(1), `${operatorToken}x`, operatorToken.toUpperCase()])
      expect((await data(wrong)).status).toBe(wrong === '' ? 401 : 403)
    expect((await data(operatorToken, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404)
    const { page, problems } = await open('/operator')
    await page.fill('[name=token]', 'not-the-token-of-this-server')
    await page.click('[data-token] button')
    await page.locator('[data-said]', { hasText: 'This is not the token' }).waitFor()
    await page.fill('[name=token]', operatorToken)
    await page.click('[data-token] button')
    await page.locator('[data-books] h2', { hasText: 'What it needs, now' }).waitFor()
    expect(await page.locator('[data-books]').innerText()).toContain('ledger')
    expect([await accessFaults(page), problems]).toEqual([[], []])
  })

  it('shows who is paid the payments, and puts one right without a terminal', async () => {
    const { page: buyer } = await open(gas)
    await ask(buyer)
    await payWith(buyer, 'holder')
    await answered(buyer)
    const { page, problems } = await open('/operator', { width: 360 })
    await page.click('[data-wallet=payTo]')
    await page.locator('[data-books] h2').first().waitFor()
    expect(await page.locator('[data-books]').innerText()).toContain('base-gas-tracker')
    expect(await page.locator('[data-books] h2').first().innerText()).toBe('To look after')
    const holder = walletOf('holder').address.toLowerCase()
    await page.locator('[data-books] > details > summary').first().click()
    const payment = page.locator('li[data-case]', { hasText: holder }).first()
    await payment.locator('[name=transaction]').fill('0x12')
    await payment.getByText('Mark as sent back').click()
    await page.locator('[data-said]', { hasText: 'Give the hash of the transfer' }).waitFor()
    await payment.locator('[name=transaction]').fill(`0x${'ab'.repeat(32)}`)
    await payment.getByText('Mark as sent back').click()
    await page.locator('[data-said]', { hasText: '$0.01 are marked as sent back' }).waitFor()
    expect(await page.locator('[data-books]').innerText()).toContain('It adds up.')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect([await accessFaults(page), problems]).toEqual([[], []])
  }, 60_000)
})

describe.skipIf(!hasBrowser)('what went wrong, on the page of the operator', () => {
  it('stands first with what to do; the chain is asked again, and who paid is given a credit', async () => {
    // Its settlement never answers: the server cannot know whether the money moved.
    const { page: buyer } = await open(gas)
    await ask(buyer)
    await payWith(buyer, 'settle_timeout')
    const { page: other } = await open(gas)
    await ask(other)
    await payWith(other, 'payer')
    await answered(other)

    const { page, problems } = await open('/operator')
    await page.click('[data-wallet=payTo]')
    const first = page.locator('[data-books] > .findings').first()
    const unknown = first.locator('li', { hasText: walletOf('settle_timeout').address.toLowerCase() }).first()
    for (let tries = 0; tries < 120; tries += 1) {
      await page.locator('[data-books] [data-act=recheck]').first().click()
      await page.locator('[data-said]', { hasText: /./ }).waitFor({ timeout: 60_000 })
      if ((await unknown.filter({ hasText: 'UNKNOWN' }).count()) > 0) break
      await page.waitForTimeout(500)
    }
    expect(await unknown.innerText()).toMatch(/UNKNOWN: \S+/)

    await page.locator('[data-books] > details > summary').first().click()
    const paid = page.locator('li[data-case]', { hasText: walletOf('payer').address.toLowerCase() }).first()
    await paid.locator('[name=reason]').fill('the answer was of no use')
    await paid.getByText('Give a credit').click()
    await page.locator('[data-said]', { hasText: /\$0\.01/ }).waitFor()
    expect(await page.locator('[data-books]').innerText()).toContain('the answer was of no use')
    expect(problems).toEqual([])
  }, 180_000)
})

describe.skipIf(!hasBrowser)('the list of tools', () => {
  it('is filtered at once, in the address', async () => {
    const { page } = await open('/tools')
    const shown = (): Promise<number> => page.locator('[data-tool]:visible').count()
    const all = await shown()
    await page.fill('[name=q]', 'gas')
    expect(await shown()).toBeLessThan(all)
    expect(new URL(page.url()).searchParams.get('q')).toBe('gas')
    const some = await shown()
    await page.reload()
    expect(await shown()).toBe(some)
  })
})
