import { type Address, encodeAbiParameters } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { callTool, richWallet, startTestHouse, type TestHouse } from './house.ts'
import { encode, freshKey, pay } from './payer.ts'

const open: TestHouse[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((house) => house.stop()))
})

describe('a signature that only a contract could tell', () => {
  it('of somebody who is not the payer takes none of the calls that the payer may have under way', async () => {
    const house = await startTestHouse()
    open.push(house)
    const victim = richWallet(house)
    const accepts = await house.acceptsOf('probe')
    house.facilitator.slowness(3_000)
    house.facilitator.script('verify', ['slow', 'slow', 'slow', 'slow'])
    // Nobody's signature, in the form of a wallet that is not deployed yet (ERC-6492).
    const wrapped = encodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      [accepts.payTo as Address, '0xabcd', '0xef'],
    )
    const signature = `${wrapped}${'6492'.repeat(16)}`
    const strangers = Array.from({ length: 4 }, async (_, index) => {
      const authorization = {
        from: victim.address,
        to: accepts.payTo,
        value: accepts.amount,
        validAfter: '0',
        validBefore: String(Math.floor(house.clock.now() / 1_000) + 60),
        nonce: `0x${String(index).repeat(64)}`,
      }
      const header = encode({ x402Version: 2, accepted: accepts, payload: { authorization, signature } })
      return callTool(house.url, 'probe', { text: 'x' }, { 'payment-signature': header })
    })
    await new Promise((resolve) => {
      setTimeout(resolve, 500)
    })
    const payment = await pay(victim, accepts)
    const answer = await callTool(
      house.url,
      'probe',
      { text: 'x' },
      { 'payment-signature': payment.header, 'idempotency-key': freshKey() },
    )
    await Promise.all(strangers)
    expect(answer.status, answer.text).toBe(200)
  })
})
