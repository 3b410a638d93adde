import { html } from 'hono/html'

import type { DescribeConfig } from '../src/describe/config.ts'
import { isPriced, usdOf } from '../src/tool/access.ts'
import type { Tool } from '../src/tool/tool.ts'
import { pageDataOf, type PlayWallet } from './page-data.ts'
import { copyable, dataElement, pageOf } from './page.ts'
import { toolPagePath } from './tools-page.ts'

/** A call that waits to be paid for. */
export type WaitingCall = {
  readonly tool: Tool
  readonly page: {
    readonly id: string
    readonly input: Readonly<Record<string, unknown>>
    readonly expiresAt: number
    readonly isDelivered: boolean
  }
}

/** Where a person pays for exactly one call that a program of theirs asked for. */
export function payPage(
  waiting: WaitingCall | undefined,
  config: DescribeConfig,
  playWallets: readonly PlayWallet[],
): string {
  const title = `Pay for a call · ${config.serverName}`
  const description = 'Pay for one call that your MCP client asked for.'
  if (waiting === undefined || waiting.page.isDelivered) {
    const body = html`<h1>Nothing waits here</h1>
      <p class="lead">This call was answered, or its time is up. Nothing can be charged on this page.</p>
      <p>Ask again in the program that sent you here; it then gives a new address.</p>`
    return pageOf({ title, description, config, at: 'tools', body })
  }
  const { tool, page } = waiting
  const until = new Date(page.expiresAt).toISOString().slice(11, 16)
  const body = html`<h1>Pay for a call of ${tool.name}</h1>
    <p class="lead">
      Your MCP client asked ${config.serverName} for this, and it costs
      ${isPriced(tool.access) ? html`<b>$${usdOf(tool.access)}</b>` : 'something'}. Pay here with a wallet, and go back:
      the client then gets the answer.
    </p>
    <ul class="facts">
      <li><b>Tool</b><a href="${toolPagePath(tool)}">${tool.name}</a></li>
      <li><b>Paid to</b><code>${config.payTo}</code></li>
      <li><b>Can be paid until</b>${until} UTC</li>
    </ul>
    <h2>What it asks</h2>
    ${copyable('Input', JSON.stringify(page.input, null, 2))}
    <section class="try" aria-labelledby="try-title" data-pay-page>
      <h2 id="try-title">Pay</h2>
      <p class="soft" data-start>Asking for the price …</p>
      <noscript><p>Paying here needs JavaScript, because your wallet signs in this browser.</p></noscript>
      <ol class="steps" data-steps aria-live="polite" aria-label="Steps of the payment"></ol>
      <div data-result></div>
    </section>
    <p class="soft">
      Did nobody of yours ask for this? Then close the page: a payment here pays for somebody else’s call.
    </p>
    ${dataElement('page-data', { ...pageDataOf(tool, config, playWallets), opensWithPass: false, path: `/pay/${page.id}` })}`
  return pageOf({ title, description, config, at: 'tools', body })
}
