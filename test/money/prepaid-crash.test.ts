import { join } from 'node:path'

import { expect, it } from 'vitest'

import { drawFailpoints, type FailpointName } from '../../src/platform/failpoint.ts'
import { openSqliteBooks } from '../../src/store/open-books.ts'
import { type Accepts, freshKey, pay } from './payer.ts'
import { type ServerProcess, spawnServer, until } from './server.ts'
import { sold } from './surroundings.ts'
import { surroundingsOfTests } from './surroundings-of-tests.ts'
import { callTool, richWallet } from './test-server.ts'

const { around, start: startIn } = surroundingsOfTests()

const path = '/api/agentic/balance'
type Balance = {
  readonly balance: { readonly usd: string }
  readonly reserved: { readonly usd: string }
  readonly taken: { readonly usd: string }
}

const start = (name: string): Promise<ServerProcess> => startIn({ env: around().envOf(name) })

async function topUp(url: string): Promise<string> {
  const wallet = richWallet(around())
  const terms = (await (await fetch(url + path, { method: 'POST' })).json()) as { accepts: readonly Accepts[] }
  const [accepts] = terms.accepts
  if (accepts === undefined) throw new Error('No terms.')
  const { header } = await pay(wallet, accepts)
  const paid = await fetch(url + path, { method: 'POST', headers: { 'payment-signature': header } })
  const body = (await paid.json()) as { session?: { token: string } }
  if (body.session === undefined) throw new Error(JSON.stringify(body))
  return body.session.token
}

async function balanceOf(url: string, token: string): Promise<Balance> {
  return (await (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json()) as Balance
}

/** What is there when a server has died at each place, before anybody asks again. */
const left: Readonly<Record<(typeof drawFailpoints)[number], string>> = {
  'after-reserve': '1.00',
  'before-take': '1.00',
  'after-take': '0.99',
}

async function dieAt(name: string, failpoint: FailpointName, headers: Record<string, string>): Promise<void> {
  const server = spawnServer({ env: { ...around().envOf(name), TOLLGATE_FAILPOINT: failpoint } })
  const url = await server.ready
  if (url === undefined) throw new Error(server.log())
  try {
    await expect(callTool(url, sold, { blocks: 1 }, headers)).rejects.toThrow()
    await until(`the death at ${failpoint}`, async () => (server.hasEnded() ? true : undefined))
    expect((await server.ended).signal).toBe('SIGKILL')
  } finally {
    await server.kill()
  }
}

it.each(drawFailpoints)(
  'a server that is killed at %s takes nothing without an answer, and for an answer once',
  async (failpoint) => {
    const first = await start(failpoint)
    const token = await topUp(first.url)
    await first.kill()
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': freshKey() }
    await dieAt(failpoint, failpoint, headers)
    const second = await start(failpoint)
    // What the dead server had set aside is given back by itself.
    const seen = await until('what was set aside', async () => {
      const balance = await balanceOf(second.url, token)
      return balance.reserved.usd === '0.00' ? balance : undefined
    })
    expect(seen.balance.usd).toBe(left[failpoint])
    const answers = [
      await callTool(second.url, sold, { blocks: 1 }, headers),
      await callTool(second.url, sold, { blocks: 1 }, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect(await balanceOf(second.url, token)).toMatchObject({ balance: { usd: '0.99' }, taken: { usd: '0.01' } })
    const books = await openSqliteBooks(join(around().folder, failpoint, 'ledger.db'))
    expect(await books?.accountFaults()).toEqual([])
    await books?.close()
    await second.kill()
  },
)
