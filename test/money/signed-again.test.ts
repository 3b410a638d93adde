import { describe, expect, it } from 'vitest'

import { callTool, richWallet } from './test-server.ts'
import { serversOfTests } from './servers-of-tests.ts'
import { freshKey, paidUnder, pay } from './payer.ts'

const startServer = serversOfTests()

describe('a payment whose tool failed and that is signed again with the same nonce and a longer life', () => {
  it('is not given up by the end of the first signature (I5, I9)', async () => {
    const server = await startServer()
    const wallet = richWallet(server)
    const accepts = await server.acceptsOf('probe')
    const now = Math.floor(server.clock.now() / 1_000)
    const nonce = `0x${'ab'.repeat(32)}` as const
    const short = await pay(wallet, accepts, { nonce, validBefore: BigInt(now + 25) })
    const long = await pay(wallet, accepts, { nonce, validBefore: BigInt(now + 600) })

    let fail = true
    server.probes.onRun = () => {
      if (fail) throw new Error('first run fails')
    }
    const key = freshKey()
    const first = await callTool(server.url, 'probe', { text: 'x' }, paidUnder(key, short))
    expect(first.status).toBe(500)

    fail = false
    server.chain.hold()
    server.facilitator.script('settle', ['drop-after-broadcast'])
    const headers = paidUnder(key, long)
    const second = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(second.status).toBe(503)

    // The transfer waits to be mined; the second authorization is good for minutes yet.
    server.clock.advance(70_000)
    server.facilitator.choose('settle', () => 'down')
    await server.served.server.ledger.sweep()
    expect((await server.store.payments.get(long.id))?.state).toBe('UNKNOWN')
    for (let i = 0; i < 3; i += 1) {
      server.clock.advance(35_000)
      await server.served.server.ledger.sweep()
    }
    server.chain.mine()
    server.clock.advance(35_000)
    await server.served.server.ledger.sweep()
    const last = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(server.chain.transfersOf(nonce)).toHaveLength(1)
    expect(last.status, last.text).toBe(200)
  })
})
