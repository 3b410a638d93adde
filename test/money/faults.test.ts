import { describe, expect, it } from 'vitest'

import { servePublicNodes } from '../../sandbox/public-nodes.ts'
import { facilitatorFaults } from './faulty-facilitator.ts'
import {
  type Answer,
  callTool,
  callUntilDone,
  payTo,
  richWallet,
  rowsOf,
  startTestServer,
  type TestServer,
} from './test-server.ts'
import { serversOfTests } from './servers-of-tests.ts'
import { freshKey, pay, siweOf, type SignedPayment } from './payer.ts'

const startServer = serversOfTests()

async function signed(server: TestServer, slug = 'probe') {
  const wallet = richWallet(server)
  const payment = await pay(wallet, await server.acceptsOf(slug), {
    validBefore: BigInt(Math.floor(server.clock.now() / 1_000) + 300),
  })
  const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
  return { wallet, payment, headers }
}

/** What I11 says: the sum of what is settled is the sum of what arrived. */
async function expectLedgerEqualsChain(server: TestServer): Promise<void> {
  await server.settleAll()
  const { settledAtomic } = await server.store.payments.totals()
  const arrived = server.chain.transfersTo(payTo).reduce((sum, one) => sum + one.value, 0n)
  expect(settledAtomic).toBe(arrived)
}

async function stateOf(server: TestServer, payment: SignedPayment): Promise<string | undefined> {
  return (await server.store.payments.get(payment.id))?.state
}

describe.concurrent('a facilitator that fails while it settles (I1, I5, I9, I11)', () => {
  // An honest refusal is no fault; what follows from it is below.
  const faults = facilitatorFaults.filter((fault) => fault !== 'refuse')
  it.each(faults)('%s: the payer is charged once, gets the answer, and is never asked to sign again', async (fault) => {
    const server = await startTestServer()
    try {
      const { payment, headers } = await signed(server)
      server.facilitator.script('settle', [fault])
      const { last, statuses } = await callUntilDone(server, 'probe', { text: fault }, headers)
      expect(last.status, `${last.text}\n${server.lines.join('\n')}`).toBe(200)
      expect(statuses).not.toContain(402)
      const again = await callTool(server.url, 'probe', { text: fault }, headers)
      expect(again.text).toBe(last.text)
      await expectLedgerEqualsChain(server)
      expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
      expect(server.probes.runs()).toBe(1)
    } finally {
      await server.stop()
    }
  })
})

/** The payment is refused for that reason, and another one is asked for. */
async function expectRefused(
  server: TestServer,
  headers: Readonly<Record<string, string>>,
  reason: string,
): Promise<Answer> {
  const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
  expect([answer.status, answer.body['error']]).toEqual([402, reason])
  return answer
}

/** Lets enough blocks pass for a refusal to be believed. */
async function passTwoBlocks(server: TestServer): Promise<void> {
  server.clock.advance(8_000)
  await server.served.server.ledger.sweep()
}

describe('a facilitator that fails while it verifies', () => {
  it.each(['down', 'reset', 'status-500', 'status-429', 'garbage'] as const)(
    '%s: the call is refused with 503 and Retry-After, and nothing is claimed',
    async (fault) => {
      const server = await startServer()
      const { payment, headers } = await signed(server)
      server.facilitator.choose('verify', () => fault)
      const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.body.error).toMatchObject({ code: 'facilitator_unavailable', charged: false, retryable: true })
      expect(await rowsOf(server.store)).toBe(0)
      expect(server.probes.runs()).toBe(0)
      // The very same payment is good afterwards.
      server.facilitator.choose('verify', () => 'none')
      server.clock.advance(6_000)
      expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
      expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
    },
  )

  it('an honest no is a 402 with the reason, and leaves no row', async () => {
    const server = await startServer()
    const { headers } = await signed(server)
    server.facilitator.script('verify', ['refuse'])
    await expectRefused(server, headers, 'insufficient_funds')
    expect(await rowsOf(server.store)).toBe(0)
  })

  it('a verification that names another payer is not believed', async () => {
    const server = await startServer()
    const { headers } = await signed(server)
    server.facilitator.script('verify', ['wrong-payer'])
    const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(answer.status).toBe(503)
    expect(server.probes.runs()).toBe(0)
    expect(await rowsOf(server.store)).toBe(0)
  })

  it('a yes for a wallet without money leads to a run, but to no answer', async () => {
    const server = await startServer()
    const accepts = await server.acceptsOf('probe')
    const payment = await pay(richWallet(server, 1n), accepts)
    server.facilitator.script('verify', ['lie-success'])
    const answer = await callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': payment.header })
    // Its no is no proof: a 402 before two blocks have passed could make the payer pay twice.
    expect(answer.status).toBe(503)
    expect(answer.text).not.toContain('"run"')
    await passTwoBlocks(server)
    expect(await stateOf(server, payment)).toBe('FAILED')
    const known = await callTool(server.url, 'probe', { text: 'x' }, { 'payment-signature': payment.header })
    expect(known.status).toBe(402)
  })

  it('after five failures nobody is invited to pay, and MCP and HTTP say so alike', async () => {
    const server = await startServer()
    await server.acceptsOf('probe')
    server.facilitator.choose('verify', () => 'status-500')
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { headers } = await signed(server)
      expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
    }
    for (const input of [{}, { text: 'x' }]) {
      const probe = await callTool(server.url, 'probe', input)
      expect(probe.status).toBe(503)
      expect(probe.headers.get('retry-after')).toBe('5')
      expect(probe.headers.get('payment-required')).toBeNull()
    }
    server.clock.advance(5_100)
    expect((await callTool(server.url, 'probe', {})).status).toBe(402)
  })
})

describe('what happens on the chain meanwhile', () => {
  it('a payment that is cancelled during the run is refused, and nothing is delivered', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.probes.onRun = () => {
      server.chain.cancel(payment.authorization.from, payment.nonce)
    }
    const answer = await expectRefused(server, headers, 'authorization_canceled')
    expect(answer.text).not.toContain('"run"')
    expect(await stateOf(server, payment)).toBe('FAILED')
    await expectLedgerEqualsChain(server)
  })

  it('a payment that somebody else submits first is still the payment of this call', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.probes.onRun = () => {
      server.chain.submit(payment.authorization)
    }
    const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(answer.status, answer.text).toBe(200)
    expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
    await expectLedgerEqualsChain(server)
  })

  it('a payment that somebody submitted before the call is no reason to sign again, and opens nothing', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.chain.submit(payment.authorization)
    const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(answer.status, answer.text).toBe(409)
    expect(answer.body.error).toMatchObject({ code: 'payment_used', charged: true })
    expect(server.probes.runs()).toBe(0)
    expect(await rowsOf(server.store)).toBe(0)
  })

  it('a payment that was cancelled before the call may be signed anew', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.chain.cancel(payment.authorization.from, payment.nonce)
    await expectRefused(server, headers, 'authorization_canceled')
  })

  it('a nonce that was spent on a transfer to somebody else pays for nothing', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.probes.onRun = () => {
      server.chain.submit({ ...payment.authorization, to: '0x2222222222222222222222222222222222222222' })
    }
    await expectRefused(server, headers, 'nonce_spent_elsewhere')
    await expectLedgerEqualsChain(server)
  })

  it('a wallet that is emptied between verify and settle gets a 402, and its payment never reaches settle again (I7)', async () => {
    const server = await startServer()
    const { wallet, payment, headers } = await signed(server)
    server.probes.onRun = () => {
      server.chain.mint(wallet.address, -1_000_000_000n)
    }
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
    await passTwoBlocks(server)
    await expectRefused(server, headers, 'insufficient_funds')
    server.chain.mint(wallet.address, 1_000_000_000n)
    await server.settleAll()
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(402)
    expect(server.facilitator.settlesOf(payment.nonce)).toBe(1)
    expect(server.chain.transfersOf(payment.nonce)).toHaveLength(0)
  })

  it('a payment that was never broadcast fails when its time is over, and only then', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.facilitator.choose('settle', () => 'reset')
    const first = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(first.status).toBe(503)
    expect(first.body.error).toMatchObject({ code: 'settlement_pending', charged: 'unknown' })
    server.clock.advance(290_000)
    await server.served.server.ledger.sweep()
    expect(await stateOf(server, payment)).toBe('UNKNOWN')
    server.clock.advance(60_000)
    await server.served.server.ledger.sweep()
    expect(await stateOf(server, payment)).toBe('FAILED')
    await expectRefused(server, headers, 'authorization_expired_unused')
  })

  it('a transfer that waits to be mined is not given up because a second submission is refused (I9)', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.chain.hold()
    server.facilitator.script('settle', ['drop-after-broadcast', 'refuse', 'refuse'])
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
    for (let round = 0; round < 2; round += 1) {
      server.clock.advance(3_000)
      await server.served.server.ledger.sweep()
      expect(await stateOf(server, payment)).toBe('UNKNOWN')
    }
    server.chain.mine()
    const { last, statuses } = await callUntilDone(server, 'probe', { text: 'x' }, headers)
    expect(last.status).toBe(200)
    expect(statuses).not.toContain(402)
    await expectLedgerEqualsChain(server)
  })

  it.each(['down', 'error', 'wrong'] as const)(
    'a node that is %s delays the answer, and never makes it a 402',
    async (fault) => {
      const server = await startServer()
      const { payment, headers } = await signed(server)
      server.rpc.set(fault)
      server.facilitator.script('settle', ['drop-after-broadcast'])
      server.facilitator.choose('settle', () => 'status-500')
      expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
      server.rpc.set('none')
      // Long enough for the node's circuit to be tried again.
      server.clock.advance(40_000)
      const { last, statuses } = await callUntilDone(server, 'probe', { text: 'x' }, headers)
      expect(last.status, server.lines.join('\n')).toBe(200)
      expect(statuses).not.toContain(402)
      expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
    },
  )

  it('a node that lags a minute behind delays the answer, and never makes it a 402', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.chain.lag(60_000)
    server.facilitator.script('settle', ['drop-after-broadcast'])
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
    server.clock.advance(4_000)
    await server.served.server.ledger.sweep()
    expect(await stateOf(server, payment)).toBe('UNKNOWN')
    server.chain.lag(0)
    const { last } = await callUntilDone(server, 'probe', { text: 'x' }, headers)
    expect(last.status).toBe(200)
    expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
  })

  it('a block that is dropped again is noticed, and the same payment is handed in anew', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    const answer = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(answer.status).toBe(200)
    server.chain.reorganise(1, false)
    expect(server.chain.transfersTo(payTo)).toHaveLength(0)
    await expectLedgerEqualsChain(server)
    expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
    expect(await stateOf(server, payment)).toBe('CONFIRMED')
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).text).toBe(answer.text)
  })

  it('a payment that landed while the server was away for ten days is found', async () => {
    const server = await startServer()
    const { wallet, payment, headers } = await signed(server)
    server.rpc.set('down')
    server.facilitator.script('settle', ['drop-after-broadcast'])
    server.facilitator.choose('settle', () => 'reset')
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
    server.clock.advance(10 * 86_400_000)
    server.rpc.set('none')
    await server.served.server.ledger.sweep()
    expect(await stateOf(server, payment)).toBe('SETTLED')
    const view = await fetch(`${server.url}/api/agentic/payments/${payment.id}`, {
      headers: { authorization: await siweOf(wallet, server.url, { now: server.clock.now() }) },
    })
    expect(await view.json()).toMatchObject({ charged: true, result: { text: 'x' } })
  })
})

describe('a facilitator that lies', () => {
  it('is found out by the audit, and believed no more', async () => {
    const server = await startServer()
    const { payment, headers } = await signed(server)
    server.facilitator.choose('settle', () => 'lie-success')
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(200)
    server.clock.advance(31_000)
    await server.served.server.ledger.sweep()
    expect(server.lines.join('\n')).toContain('ledger.chain_mismatch')
    // From now on nothing is answered on its word alone.
    const second = await signed(server)
    const answer = await callTool(server.url, 'probe', { text: 'y' }, second.headers)
    expect(answer.status).toBe(503)
    // What never lands is written off when its time is over, and is not counted as income.
    server.clock.advance(400_000)
    await server.settleAll()
    expect(await stateOf(server, payment)).toBe('LOST')
    await expectLedgerEqualsChain(server)
  })

  it('is read back at once where more than a few cents are at stake', async () => {
    const server = await startServer()
    const { headers } = await signed(server, 'probe-dear')
    server.facilitator.script('settle', ['lie-success'])
    const answer = await callTool(server.url, 'probe-dear', { text: 'x' }, headers)
    expect(answer.status).toBe(503)
    expect(answer.text).not.toContain('"run"')
    const { last } = await callUntilDone(server, 'probe-dear', { text: 'x' }, headers)
    expect(last.status).toBe(200)
    await expectLedgerEqualsChain(server)
  })

  it('that hides a transfer is found out when the transfer lands, and the payer can fetch the answer', async () => {
    const server = await startServer()
    const { wallet, payment, headers } = await signed(server)
    server.chain.hold()
    server.facilitator.script('settle', ['lie-failure'])
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(503)
    // Its word and blocks without the transfer are all there is: this 402 cannot be avoided.
    await passTwoBlocks(server)
    expect((await callTool(server.url, 'probe', { text: 'x' }, headers)).status).toBe(402)
    server.chain.mine()
    // No payer is asked a second time without another look at the chain.
    const again = await callTool(server.url, 'probe', { text: 'x' }, headers)
    expect(again.status, again.text).toBe(200)
    expect(await stateOf(server, payment)).toBe('SETTLED')
    expect(server.lines.join('\n')).toContain('facilitator.contradiction')
    const view = await fetch(`${server.url}/api/agentic/payments/${payment.id}`, {
      headers: { authorization: await siweOf(wallet, server.url, { now: server.clock.now() }) },
    })
    expect(await view.json()).toMatchObject({ state: 'settled', charged: true, result: { text: 'x' } })
    await expectLedgerEqualsChain(server)
  })
})

describe('a settle answer that is lost, behind nodes with the limits of the public ones', () => {
  it.each(['drop-after-broadcast', 'slow'] as const)('%s: the payment is found soon', async (fault) => {
    const server = await startServer({ nodes: servePublicNodes })
    // The chain has run for a day, so that no node returns all of it at once.
    server.clock.advance(86_400_000)
    const { payment, headers } = await signed(server)
    server.facilitator.script('settle', [fault])
    const startedAt = server.clock.now()
    const { last, statuses } = await callUntilDone(server, 'probe', { text: fault }, headers)
    expect(last.status, `${last.text}\n${server.lines.join('\n')}`).toBe(200)
    expect(statuses).not.toContain(402)
    // By a clock on which the time that a busy machine takes goes on as well; it is found in half of a minute.
    expect(server.clock.now() - startedAt).toBeLessThanOrEqual(120_000)
    await expectLedgerEqualsChain(server)
    expect(server.chain.transfersOf(payment.nonce)).toHaveLength(1)
  })
})
