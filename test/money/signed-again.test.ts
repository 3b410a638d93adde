import { afterEach, describe, expect, it } from 'vitest'

import { callTool, richWallet, startTestHouse, type TestHouse } from './house.ts'
import { freshKey, pay } from './payer.ts'

const open: TestHouse[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((house) => house.stop()))
})

describe('a payment whose tool failed and that is signed again with the same nonce and a longer life', () => {
  it('is not given up by the end of the first signature (I5, I9)', async () => {
    const house = await startTestHouse()
    open.push(house)
    const wallet = richWallet(house)
    const accepts = await house.acceptsOf('probe')
    const now = Math.floor(house.clock.now() / 1_000)
    const nonce = `0x${'ab'.repeat(32)}` as const
    const short = await pay(wallet, accepts, { nonce, validBefore: BigInt(now + 25) })
    const long = await pay(wallet, accepts, { nonce, validBefore: BigInt(now + 600) })

    let fail = true
    house.probes.onRun = () => {
      if (fail) throw new Error('first run fails')
    }
    const key = freshKey()
    const first = await callTool(
      house.url,
      'probe',
      { text: 'x' },
      { 'payment-signature': short.header, 'idempotency-key': key },
    )
    expect(first.status).toBe(500)

    fail = false
    house.chain.hold()
    house.facilitator.script('settle', ['drop-after-broadcast'])
    const headers = { 'payment-signature': long.header, 'idempotency-key': key }
    const second = await callTool(house.url, 'probe', { text: 'x' }, headers)
    expect(second.status).toBe(503)

    // The transfer waits to be mined; the second authorization is good for minutes yet.
    house.clock.advance(70_000)
    house.facilitator.choose('settle', () => 'down')
    await house.served.server.ledger.sweep()
    expect((await house.store.payments.get(long.id))?.state).toBe('UNKNOWN')
    for (let i = 0; i < 3; i += 1) {
      house.clock.advance(35_000)
      await house.served.server.ledger.sweep()
    }
    house.chain.mine()
    house.clock.advance(35_000)
    await house.served.server.ledger.sweep()
    const last = await callTool(house.url, 'probe', { text: 'x' }, headers)
    expect(house.chain.transfersOf(nonce)).toHaveLength(1)
    expect(last.status, last.text).toBe(200)
  }, 60_000)
})
