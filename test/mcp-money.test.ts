import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callMcp, callTool, richWallet, startTestServer, type TestServer } from './money/test-server.ts'
import { pay, paidInMeta } from './money/payer.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const input = { text: 'hello' }

describe('a settlement that does not end as it should', () => {
  it('is finished and kept for a caller who has gone, and charged once', async () => {
    const wallet = richWallet(server, 10_000n)
    const payment = await pay(wallet, await server.acceptsOf('probe'), { validBefore: validBefore() })
    const key = randomUUID()
    const meta = paidInMeta(key, payment.v2)
    // The facilitator takes its time over this one; the caller does not.
    server.facilitator.slowness(400)
    server.facilitator.script('settle', ['slow'])
    const gone = new AbortController()
    const lost = fetch(`${server.url}/api/agentic/mcp`, {
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
    while (server.facilitator.settlesOf(payment.nonce) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    gone.abort()
    await failed
    const runs = server.probes.runs()

    let answer = await callMcp(server.url, 'probe', input, meta)
    while (answer.isError) {
      expect(answer.result['structuredContent']).toBeUndefined()
      await new Promise((resolve) => setTimeout(resolve, 50))
      answer = await callMcp(server.url, 'probe', input, meta)
    }
    expect(answer.result['_meta']).toMatchObject({ 'x402/payment-response': { success: true } })
    expect(server.probes.runs()).toBe(runs)
    expect(server.chain.transfersOf(payment.nonce)).toEqual([
      expect.objectContaining({ from: expect.stringMatching(new RegExp(wallet.address, 'i')), value: 10_000n }),
    ])
  })

  it('is never answered with a request to pay while a transfer may be on its way', async () => {
    const wallet = richWallet(server, 10_000n)
    const payment = await pay(wallet, await server.acceptsOf('probe'), { validBefore: validBefore() })
    server.facilitator.script('settle', ['drop-after-broadcast'])
    server.rpc.set('down')
    const pending = await callMcp(server.url, 'probe', input, { 'x402/payment': payment.v2 })
    expect(pending.isError).toBe(true)
    expect(pending.result['structuredContent']).toBeUndefined()
    expect(pending.result['_meta']).toBeUndefined()
    const { error } = JSON.parse(pending.text) as { readonly error: unknown }
    const overHttp = await callTool(server.url, 'probe', input, { 'payment-signature': payment.header })
    expect(error).toMatchObject({ code: 'settlement_pending', charged: 'unknown' })
    expect(overHttp.status).not.toBe(402)
    server.rpc.set('none')
  })
})

/** An authorization that is good for a minute of the clock of the server. */
function validBefore(): bigint {
  return BigInt(Math.floor(server.clock.now() / 1_000) + 60)
}
