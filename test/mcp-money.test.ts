import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callMcp, callTool, richWallet, startTestHouse, type TestHouse } from './money/house.ts'
import { pay } from './money/payer.ts'

let house: TestHouse
beforeAll(async () => {
  house = await startTestHouse()
})
afterAll(() => house.stop())

const input = { text: 'hello' }

describe('a settlement that does not end as it should', () => {
  it('is finished and kept for a caller who has gone, and charged once', async () => {
    const wallet = richWallet(house, 10_000n)
    const payment = await pay(wallet, await house.acceptsOf('probe'), { validBefore: validBefore() })
    const key = randomUUID()
    const meta = { 'x402/payment': payment.v2, 'x402/idempotency-key': key }
    // The facilitator takes its time over this one; the caller does not.
    house.facilitator.slowness(400)
    house.facilitator.script('settle', ['slow'])
    const gone = new AbortController()
    const lost = fetch(`${house.url}/api/agentic/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'probe', arguments: input, _meta: meta },
      }),
      signal: gone.signal,
    })
    const failed = expect(lost).rejects.toThrow()
    while (house.facilitator.settlesOf(payment.nonce) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    gone.abort()
    await failed
    const runs = house.probes.runs()

    let answer = await callMcp(house.url, 'probe', input, meta)
    while (answer.isError) {
      expect(answer.result['structuredContent']).toBeUndefined()
      await new Promise((resolve) => setTimeout(resolve, 50))
      answer = await callMcp(house.url, 'probe', input, meta)
    }
    expect(answer.result['_meta']).toMatchObject({ 'x402/payment-response': { success: true } })
    expect(house.probes.runs()).toBe(runs)
    expect(house.chain.transfersOf(payment.nonce)).toEqual([
      expect.objectContaining({ from: expect.stringMatching(new RegExp(wallet.address, 'i')), value: 10_000n }),
    ])
  })

  it('is never answered with a request to pay while a transfer may be on its way', async () => {
    const wallet = richWallet(house, 10_000n)
    const payment = await pay(wallet, await house.acceptsOf('probe'), { validBefore: validBefore() })
    house.facilitator.script('settle', ['drop-after-broadcast'])
    house.rpc.set('down')
    const pending = await callMcp(house.url, 'probe', input, { 'x402/payment': payment.v2 })
    expect(pending.isError).toBe(true)
    expect(pending.result['structuredContent']).toBeUndefined()
    expect(pending.result['_meta']).toBeUndefined()
    const { error } = JSON.parse(pending.text) as { readonly error: unknown }
    const overHttp = await callTool(house.url, 'probe', input, { 'payment-signature': payment.header })
    expect(error).toMatchObject({ code: 'settlement_pending', charged: 'unknown' })
    expect(overHttp.status).not.toBe(402)
    house.rpc.set('none')
  })
})

/** An authorization that is good for a minute of the clock of the house. */
function validBefore(): bigint {
  return BigInt(Math.floor(house.clock.now() / 1_000) + 60)
}
