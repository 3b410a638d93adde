import { html } from 'hono/html'

import type { DescribeConfig } from '../src/describe/config.ts'
import { chainIdOf, chainNameOf, type PlayWallet } from './page-data.ts'
import { dataElement, pageOf } from './page.ts'

/** What the page of the operator needs before anybody has signed in: nothing of the books. */
export type OperatorData = {
  readonly origin: string
  readonly chainId: number
  readonly payTo: string
  readonly playWallets: readonly PlayWallet[]
}

/** Where the owner of the wallet that is paid sees the money and puts right what went wrong. */
export function operatorPage(config: DescribeConfig, playWallets: readonly PlayWallet[], hasToken: boolean): string {
  const { baseUrl, payTo } = config
  const data: OperatorData = { origin: baseUrl, chainId: chainIdOf(config), payTo, playWallets }
  const body = html`<h1>Operator</h1>
    <section class="try" data-operator aria-labelledby="sign-title">
      <h2 id="sign-title">Sign in</h2>
      <p data-who>
        This page is for whoever owns <code>${payTo}</code> on ${chainNameOf(config)}, the wallet that is paid. Signing
        in is a signed message; it moves no money.
      </p>
      <noscript
        ><p>
          Signing in needs JavaScript. The same is told by <code>tollgate payments</code> and
          <code>tollgate revenue</code>.
        </p></noscript
      >
      <div data-ways></div>
      ${
        hasToken
          ? html`<form class="row" data-token hidden>
              <label>or the operator’s token <input name="token" type="password" autocomplete="off" required /></label>
              <button>Show the books</button>
            </form>`
          : ''
      }
      <p data-said role="status"></p>
    </section>
    <div data-books></div>
    ${dataElement('operator-data', data)}`
  const title = `Operator · ${config.serverName}`
  return pageOf({ title, description: 'The money of this server.', config, at: 'operator', body })
}
