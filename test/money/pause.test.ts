import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { describe, expect, it } from 'vitest'

import { program } from '../harness/sandbox-process.ts'
import { callTool, richWallet } from './test-server.ts'
import { freshKey, pay, siweOf } from './payer.ts'
import { spawnServer, until } from './server.ts'
import { sold } from './surroundings.ts'
import { surroundingsOfTests } from './surroundings-of-tests.ts'

const { around, start } = surroundingsOfTests()

/** Runs a command of the real program. @returns what it wrote to either stream. */
async function command(name: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [program, name], { env: { PATH: process.env['PATH'], ...env } })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code, text).toBe(0)
  return text
}

const readyOf = async (url: string) => {
  const answer = await fetch(`${url}/ready`)
  return { status: answer.status, body: (await answer.json()) as { readonly reason?: string } }
}

describe('tollgate pause and tollgate resume', () => {
  it('stop new payments in clear words and charge nobody, while what was paid for is still given out', async () => {
    const env = around().envOf('pause')
    const server = await start({ env })
    const bought = await around().buy(server.url)
    expect(bought.answer.status).toBe(200)
    const accepts = await around().acceptsOf(server.url)

    expect(await command('pause', env)).toMatch(/Paused/)
    await until('the server to notice', async () => {
      const { status, body } = await readyOf(server.url)
      return status === 503 ? body : undefined
    })
    expect((await readyOf(server.url)).body.reason).toBe('The operator has paused new payments.')
    const asked = around().facilitator.calls().length

    // No caller is invited to pay.
    const unpaid = await callTool(server.url, sold, { blocks: 1 })
    expect(unpaid.status).toBe(503)
    expect(unpaid.headers.get('payment-required')).toBeNull()
    // A caller who still pays is told why not, and that nothing was taken.
    const wallet = richWallet(around())
    const payment = await pay(wallet, accepts, { validBefore: BigInt(Math.floor(Date.now() / 1_000) + 600) })
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    const refused = await callTool(server.url, sold, { blocks: 1 }, headers)
    for (const { body, text } of [unpaid, refused]) {
      expect(body.error, text).toMatchObject({
        code: 'facilitator_unavailable',
        message: 'The operator has paused new payments.',
        charged: false,
      })
      expect(text).toMatch(/Sign nothing now/)
    }
    expect(refused.headers.get('payment-required')).toBeNull()
    expect(around().facilitator.calls()).toHaveLength(asked)
    expect(around().chain.transfersOf(payment.nonce)).toHaveLength(0)

    // The same payment and key get the same bytes; so does the payer's own look.
    const again = await callTool(server.url, sold, { blocks: 1 }, bought.headers)
    expect([again.status, again.text]).toEqual([200, bought.answer.text])
    const look = await fetch(`${server.url}/api/agentic/payments/${bought.payment.id}`, {
      headers: { authorization: await siweOf(bought.wallet, server.url) },
    })
    expect(await look.json()).toMatchObject({ charged: true, result: bought.answer.body })

    // A restart does not end it; the other command does.
    await server.kill()
    const restarted = await start({ env })
    expect((await callTool(restarted.url, sold, { blocks: 1 }, headers)).status).toBe(503)
    await command('resume', env)
    const served = await until('payments to be taken', async () => {
      const answer = await callTool(restarted.url, sold, { blocks: 1 }, headers)
      return answer.status === 200 ? answer : undefined
    })
    expect(served.status).toBe(200)
    expect(around().chain.transfersOf(payment.nonce)).toHaveLength(1)
    expect((await readyOf(restarted.url)).status).toBe(200)
  })
})

describe('a wallet that is not the one that this ledger was paid to', () => {
  it('is refused at the start until the change is confirmed, once', async () => {
    const env = around().envOf('pay-to')
    const first = await start({ env })
    await first.kill()
    const changed = { ...env, TOLLGATE_PAY_TO: `0x${'3'.repeat(40)}` }
    const refused = spawnServer({ env: changed })
    expect(await refused.ready).toBeUndefined()
    expect((await refused.ended).code).toBe(2)
    expect(refused.log()).toMatch(/TOLLGATE_PAY_TO.*start once with --confirm/s)

    const confirmed = await start({ env: changed, args: ['--confirm'] })
    expect(confirmed.log()).toContain('pay-to.changed')
    const accepts = await around().acceptsOf(confirmed.url)
    expect(accepts.payTo).toBe(changed.TOLLGATE_PAY_TO)
    await confirmed.kill()
    // From now on it is the one that this ledger is paid to.
    const later = await start({ env: changed })
    expect((await around().buy(later.url)).answer.status).toBe(200)
    const back = spawnServer({ env })
    expect(await back.ready).toBeUndefined()
  })
})
