import { afterEach, describe, expect, it } from 'vitest'

import { storeKinds } from '../harness/stores.ts'
import { callTool, richWallet, startTestServer, type TestServer } from './test-server.ts'
import { freshKey, freshWallet, pay } from './payer.ts'
import type { Wallet } from '../../sandbox/wallets.ts'

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

const stores = storeKinds(cleanups)

/** A signed payment for the probe, as headers. */
async function headersOf(server: TestServer, wallet: Wallet = richWallet(server)) {
  const validBefore = BigInt(Math.floor(server.clock.now() / 1_000) + 60)
  const payment = await pay(wallet, await server.acceptsOf('probe'), { validBefore })
  return { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
}

describe.each(stores)('a restart on $name', ({ opener }) => {
  /** A server, and what starts it anew on the same ledger and the same chain. */
  const startServers = async () => {
    const openStore = await opener()
    let server = await startTestServer({ store: await openStore() })
    cleanups.push(() => server.stop())
    return {
      server,
      restart: async (): Promise<TestServer> => {
        const { chain, clock } = server
        await server.stop()
        server = await startTestServer({ store: await openStore(), chain, clock })
        return server
      },
    }
  }

  it('does not make a facilitator believed that the chain has contradicted, until that is long ago', async () => {
    const { server: before, restart } = await startServers()
    before.facilitator.script('settle', ['lie-success'])
    expect((await callTool(before.url, 'probe', { text: 'a' }, await headersOf(before))).status).toBe(200)
    before.clock.advance(31_000)
    await before.served.server.ledger.sweep()

    const after = await restart()
    expect(after.lines.join('\n')).toContain('ledger.distrust')
    after.facilitator.script('settle', ['lie-success'])
    expect((await callTool(after.url, 'probe', { text: 'b' }, await headersOf(after))).status).toBe(503)
    // An honest caller is answered at once, as before.
    expect((await callTool(after.url, 'probe', { text: 'c' }, await headersOf(after))).status).toBe(200)

    after.clock.advance(31 * 24 * 3_600_000)
    const later = await restart()
    later.facilitator.script('settle', ['lie-success'])
    expect((await callTool(later.url, 'probe', { text: 'd' }, await headersOf(later))).status).toBe(200)
  })

  it('does not let a payer begin anew whose runs were refused, until the time for that is over', async () => {
    const { server: before, restart } = await startServers()
    const wallet = richWallet(before)
    const fails = async (server: TestServer): Promise<number> =>
      (await callTool(server.url, 'probe', { text: 'missing' }, await headersOf(server, wallet))).status
    for (let call = 0; call < 9; call += 1) expect(await fails(before)).toBe(400)
    const after = await restart()
    expect(await fails(after)).toBe(400)
    expect(await fails(after)).toBe(429)
    const last = await restart()
    expect(await fails(last)).toBe(429)
    expect((await callTool(last.url, 'probe', { text: 'x' }, await headersOf(last))).status).toBe(200)
    last.clock.advance(601_000)
    expect((await callTool(last.url, 'probe', { text: 'x' }, await headersOf(last, wallet))).status).toBe(200)
  })

  it('knows the payers who have paid here before', async () => {
    const { server: before, restart } = await startServers()
    const regular = richWallet(before)
    expect((await callTool(before.url, 'probe', { text: 'x' }, await headersOf(before, regular))).status).toBe(200)

    const after = await restart()
    // Wallets without the money use up what strangers may ask of the facilitator.
    let refused = 0
    while (refused < 5) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () =>
          callTool(after.url, 'probe', { text: 'x' }, await headersOf(after, freshWallet())),
        ),
      )
      refused += answers.filter(({ status }) => status === 429).length
    }
    expect((await callTool(after.url, 'probe', { text: 'y' }, await headersOf(after, regular))).status).toBe(200)
  })
})
