import { join } from 'node:path'

import { expect, it } from 'vitest'

import { drawFailpoints, type FailpointName } from '../../src/platform/failpoint.ts'
import { openSqliteBooks } from '../../src/store/open-books.ts'
import { freshKey } from './payer.ts'
import { type ServerProcess, spawnServer, until } from './server.ts'
import { sold, topUp } from './surroundings.ts'
import { surroundingsOfTests } from './surroundings-of-tests.ts'
import { callTool } from './test-server.ts'

const { around, start: startIn } = surroundingsOfTests()

const path = '/api/agentic/balance'
type Balance = {
  readonly balance: { readonly usd: string }
  readonly reserved: { readonly usd: string }
  readonly taken: { readonly usd: string }
}

const start = (name: string): Promise<ServerProcess> => startIn({ env: around().envOf(name) })

async function balanceOf(url: string, headers: { readonly authorization: string }): Promise<Balance> {
  return (await (await fetch(url + path, { headers })).json()) as Balance
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
    const bearer = await topUp(around(), first.url)
    await first.kill()
    const headers = { ...bearer, 'idempotency-key': freshKey() }
    await dieAt(failpoint, failpoint, headers)
    const second = await start(failpoint)
    // What the dead server had set aside is given back by itself.
    const seen = await until('what was set aside', async () => {
      const balance = await balanceOf(second.url, bearer)
      return balance.reserved.usd === '0.00' ? balance : undefined
    })
    expect(seen.balance.usd).toBe(left[failpoint])
    const answers = [
      await callTool(second.url, sold, { blocks: 1 }, headers),
      await callTool(second.url, sold, { blocks: 1 }, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect(await balanceOf(second.url, bearer)).toMatchObject({ balance: { usd: '0.99' }, taken: { usd: '0.01' } })
    const books = await openSqliteBooks(join(around().folder, failpoint, 'ledger.db'))
    expect(await books?.accountFaults()).toEqual([])
    await books?.close()
    await second.kill()
  },
)
