import { createHash, randomUUID } from 'node:crypto'

import { canonicalize } from 'json-canonicalize'
import { afterEach, describe, expect, it } from 'vitest'

import { formerPriceMs } from '../../src/server/prices.ts'
import { storeKinds } from '../harness/stores.ts'
import { callTool, type Edition, richWallet, startTestServer, type TestServer } from './test-server.ts'
import { freshKey, pay } from './payer.ts'

const cleanups: (() => Promise<unknown>)[] = []
const open: TestServer[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.stop()))
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

const stores = storeKinds(cleanups)

const first: Edition = { version: '1.0.0', usd: '0.01' }
const later: readonly (readonly [string, Edition])[] = [
  ['another version', { version: '1.0.1', usd: '0.01' }],
  ['a higher price', { version: '1.0.0', usd: '0.03' }],
  ['a lower price', { version: '2.0.0', usd: '0.005' }],
]

describe.each(stores)('an upgrade on $name', ({ opener }) => {
  /** Runs the first release, then another one on the same ledger and the same chain. */
  const withServers = async () => {
    const openStore = await opener()
    const before = await startTestServer({ edition: first, store: await openStore() })
    const upgrade = async (edition: Edition): Promise<TestServer> => {
      await before.stop()
      const after = await startTestServer({
        edition,
        store: await openStore(),
        chain: before.chain,
        clock: before.clock,
      })
      open.push(after)
      return after
    }
    return { before, upgrade }
  }

  it.each(later)('to %s gives what was paid for again, and takes nothing', async (_name, edition) => {
    const { before, upgrade } = await withServers()
    const payment = await pay(richWallet(before), await before.acceptsOf('probe'))
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    const bought = await callTool(before.url, 'probe', { text: 'x' }, headers)
    expect(bought.status).toBe(200)
    const after = await upgrade(edition)
    const again = await callTool(after.url, 'probe', { text: 'x' }, headers)
    expect(again.text).toBe(bought.text)
    expect(after.probes.runs()).toBe(0)
    expect(after.chain.transfersOf(payment.nonce)).toHaveLength(1)
    // It is still for that call only.
    const other = await callTool(after.url, 'probe', { text: 'y' }, headers)
    expect(other.body.error).toMatchObject({ code: 'payment_bound', charged: true })
  })

  it.each(later.slice(1))(
    'to %s still takes a payment of the price told a moment ago, and none later',
    async (_name, edition) => {
      const { before, upgrade } = await withServers()
      const accepts = await before.acceptsOf('probe')
      const buy = async (server: TestServer) => {
        const { header } = await pay(richWallet(before), accepts)
        return callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': header })
      }
      const after = await upgrade(edition)
      expect((await after.acceptsOf('probe')).amount).not.toBe(accepts.amount)
      const bought = await buy(after)
      expect(bought.status).toBe(200)
      expect(JSON.parse(Buffer.from(bought.headers.get('payment-response') ?? '', 'base64').toString())).toMatchObject({
        success: true,
      })
      const earned = () => after.chain.transfersTo(accepts.payTo).map(({ value }) => value)
      expect(earned()).toEqual([BigInt(accepts.amount)])
      after.clock.advance(formerPriceMs)
      expect((await buy(after)).status).toBe(402)
      expect(earned()).toHaveLength(1)
    },
  )

  it.each(later)('to %s runs what was claimed and not run, at the price that it was paid', async (_name, edition) => {
    const { before, upgrade } = await withServers()
    const payment = await pay(richWallet(before), await before.acceptsOf('probe'))
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    expect((await callTool(before.url, 'probe', { text: 'broken' }, headers)).status).toBe(500)
    const after = await upgrade(edition)
    after.probes.onRun = () => {}
    expect((await callTool(after.url, 'probe', { text: 'broken' }, headers)).status).toBe(500)
    const row = await after.store.payments.get(payment.id)
    expect(row).toMatchObject({ state: 'ABORTED', amount: '10000', attempts: 2 })
    // Another call is another operation, whatever it costs today.
    const other = await callTool(after.url, 'probe', { text: 'x' }, headers)
    expect(other.body.error).toMatchObject({ code: 'payment_bound', charged: false })
  })

  it('settles at the old price what the new release runs', async () => {
    const { before, upgrade } = await withServers()
    const payment = await pay(richWallet(before), await before.acceptsOf('probe'))
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    before.probes.onRun = () => {
      throw new Error('The first release fails.')
    }
    expect((await callTool(before.url, 'probe', { text: 'x' }, headers)).status).toBe(500)
    const after = await upgrade({ version: '1.1.0', usd: '0.03' })
    const answer = await callTool(after.url, 'probe', { text: 'x' }, headers)
    expect(answer.status, answer.text).toBe(200)
    expect(after.chain.transfersOf(payment.nonce).map(({ value }) => value)).toEqual([10_000n])
    // A caller without an earlier claim pays today's price.
    after.clock.advance(formerPriceMs)
    const stranger = await pay(richWallet(after), { ...(await after.acceptsOf('probe')), amount: '10000' })
    const refused = await callTool(after.url, 'probe', { text: 'x' }, { 'payment-signature': stranger.header })
    expect(refused.status).toBe(402)
  })

  it('knows what an earlier release wrote down with its version and price', async () => {
    const { before, upgrade } = await withServers()
    const payment = await pay(richWallet(before), await before.acceptsOf('probe'))
    const key = freshKey()
    const older = { v: 1, tool: 'probe', version: '1.0.0', price: '10000', args: { text: 'x', count: 1 } }
    const opHash = createHash('sha256').update(canonicalize(older)).digest('hex')
    const headers = { 'payment-signature': payment.header, 'idempotency-key': key }
    // Written as that release did: the claim is taken back and made again under the older name.
    const bought = await callTool(before.url, 'probe', { text: 'x' }, headers)
    const row = await before.store.payments.get(payment.id)
    if (row === undefined) throw new Error('There is no row.')
    const { state: _state, ...facts } = row
    const copy = await pay(richWallet(before), await before.acceptsOf('probe'))
    const now = before.clock.now()
    const claim = {
      ...facts,
      id: copy.id,
      payer: copy.authorization.from.toLowerCase(),
      opHash,
      now,
      nonce: copy.nonce,
    }
    const limits = { inFlight: 9, failures: 9, failuresSince: 0 }
    expect(await before.store.payments.claim({ ...claim, keyHash: null }, limits)).toEqual({ kind: 'claimed' })
    await before.store.payments.move({ as: 'abort', id: copy.id, now })
    const after = await upgrade({ version: '1.0.0', usd: '0.03' })
    const again = await callTool(
      after.url,
      'probe',
      { text: 'x' },
      { 'payment-signature': copy.header, 'idempotency-key': `upgrade-${randomUUID()}` },
    )
    expect(again.status, again.text).toBe(200)
    expect(again.body['text']).toBe(JSON.parse(bought.text).text)
    expect(after.chain.transfersOf(copy.nonce).map(({ value }) => value)).toEqual([10_000n])
  })
})
