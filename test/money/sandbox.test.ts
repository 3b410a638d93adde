import { describe, expect, it } from 'vitest'

import { rpc } from '../../sandbox/rpc.ts'
import { startSandbox } from '../../sandbox/start.ts'
import { createChainReads } from './chain-reads.ts'
import { forwardedBackend, serveFaultyFacilitator } from './faulty-facilitator.ts'
import { serveFaultyRpc } from './faulty-rpc.ts'
import { openFolder } from '../harness/opening.ts'
import { sharedByTests } from '../harness/shared.ts'
import { callTool } from './test-server.ts'
import { type Accepts, decode, freshKey, pay } from './payer.ts'
import { startServer } from './server.ts'

const tool = 'base-gas-tracker'
/** What the node was asked. */
const asked: string[] = []

/** The real server, chain and facilitator; only the wires to the last two go through here. */
const around = sharedByTests(async (atEnd) => {
  const sandbox = await startSandbox()
  atEnd(sandbox.stop)
  const facilitator = await serveFaultyFacilitator(forwardedBackend(sandbox.facilitatorUrl))
  atEnd(facilitator.close)
  const node = await serveFaultyRpc((method, params) => {
    asked.push(method)
    return rpc(sandbox.chain.rpcUrl, method, ...params)
  })
  atEnd(node.close)
  const server = await startServer({
    env: {
      ...sandbox.env,
      TOLLGATE_DATA_DIR: await openFolder(atEnd, 'tollgate-chain-'),
      TOLLGATE_FACILITATOR_URL: facilitator.url,
      TOLLGATE_BASE_RPC_URLS: node.url,
    },
  })
  atEnd(() => server.kill())
  const answer = await fetch(`${server.url}/api/agentic/tools/${tool}`, { method: 'POST' })
  const { accepts } = (await answer.json()) as { accepts: [Accepts] }
  const chain = createChainReads(sandbox.chain.rpcUrl, sandbox.chain.usdc)
  return { sandbox, chain, facilitator, server, accepts: accepts[0] }
})

describe('a client of x402 v1', () => {
  it('asks for terms that it can read, pays them in X-PAYMENT, and can read the receipt', async () => {
    const { sandbox, chain, server, accepts } = around()
    const path = `${server.url}/api/agentic/tools/${tool}`
    const headers = { 'content-type': 'application/json', 'x-402-version': '1' }
    for (const terms of [
      await fetch(path, { method: 'POST', headers }),
      await fetch(path, { method: 'POST', headers, body: '{"blocks":2}' }),
      await fetch(`${path}?x402Version=1`),
    ]) {
      expect(terms.status).toBe(402)
      expect(await terms.json()).toMatchObject({
        x402Version: 1,
        error: 'Payment required',
        accepts: [
          {
            scheme: 'exact',
            network: 'base',
            maxAmountRequired: '10000',
            resource: expect.stringContaining(`/api/agentic/tools/${tool}`),
            description: expect.any(String),
            mimeType: 'application/json',
            payTo: sandbox.payTo,
            maxTimeoutSeconds: 60,
            asset: sandbox.chain.usdc,
            extra: { name: 'USD Coin', version: '2' },
          },
        ],
      })
      // Newer clients read the header and are not disturbed.
      expect(decode(terms.headers.get('payment-required'))).toMatchObject({ x402Version: 2 })
    }
    const payment = await pay(sandbox.wallets.payer, accepts)
    const paid = await callTool(
      server.url,
      tool,
      { blocks: 2 },
      { 'x-payment': payment.headerV1, 'x-402-version': '1' },
    )
    expect(paid.status, paid.text).toBe(200)
    const receipt = decode(paid.headers.get('x-payment-response'))
    expect(receipt).toMatchObject({
      success: true,
      network: 'base',
      payer: payment.authorization.from.toLowerCase(),
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(decode(paid.headers.get('payment-response'))).toMatchObject({ network: 'eip155:8453' })
    expect(await chain.usesOf(payment.authorization.from, payment.nonce)).toEqual([receipt['transaction']])
  })
})

describe('on a real chain', () => {
  it('a settlement whose answer was lost is found there, and answered without a second one', async () => {
    const { sandbox, chain, facilitator, server, accepts } = around()
    const payment = await pay(sandbox.wallets.payer, accepts)
    facilitator.script('settle', ['drop-after-broadcast'])
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    const first = await callTool(server.url, tool, { blocks: 2 }, headers)
    expect(first.status, first.text).toBe(200)
    expect(facilitator.settlesOf(payment.nonce)).toBe(1)
    expect((await callTool(server.url, tool, { blocks: 2 }, headers)).text).toBe(first.text)
    expect(await chain.usesOf(payment.authorization.from, payment.nonce)).toHaveLength(1)
  })

  it('a facilitator that settles twice moves the money once', async () => {
    const { sandbox, chain, facilitator, server, accepts } = around()
    const payment = await pay(sandbox.wallets.payer, accepts)
    facilitator.script('settle', ['duplicate'])
    const answer = await callTool(server.url, tool, { blocks: 2 }, { 'payment-signature': payment.header })
    expect(answer.status, answer.text).toBe(200)
    expect(await chain.usesOf(payment.authorization.from, payment.nonce)).toHaveLength(1)
  })

  it('a wallet without money is refused before anything runs', async () => {
    const { sandbox, facilitator, server, accepts } = around()
    const payment = await pay(sandbox.wallets.stranger, accepts)
    const answer = await callTool(server.url, tool, { blocks: 2 }, { 'payment-signature': payment.header })
    expect(answer.status).toBe(402)
    expect(facilitator.settlesOf(payment.nonce)).toBe(0)
  })

  it('fifty replays of a payment at once move its money once', async () => {
    const { sandbox, chain, server, accepts } = around()
    const payment = await pay(sandbox.wallets.payer, accepts)
    const headers = { 'payment-signature': payment.header, 'idempotency-key': freshKey() }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => callTool(server.url, tool, { blocks: 2 }, headers)),
    )
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await chain.usesOf(payment.authorization.from, payment.nonce)).toHaveLength(1)
  })

  it('no tool has done anything on the chain but read (I8)', async () => {
    const { sandbox, server, accepts } = around()
    const payment = await pay(sandbox.wallets.payer, accepts)
    const answer = await callTool(
      server.url,
      'wallet-portfolio',
      { address: sandbox.wallets.payer.address },
      { 'payment-signature': payment.header },
    )
    expect(answer.status, answer.text).toBe(200)
    expect(asked.length).toBeGreaterThan(10)
    const reads =
      /^eth_(chainId|blockNumber|call|getBalance|getBlockByNumber|getCode|getLogs|getTransactionReceipt|feeHistory|gasPrice|maxPriorityFeePerGas)$/
    expect([...new Set(asked)].filter((method) => !reads.test(method))).toEqual([])
  })

  it('what was taken is what the payments route and the chain agree on (I11)', async () => {
    const { sandbox, chain } = around()
    const transfers = await chain.transfersTo(sandbox.payTo)
    expect(transfers.length).toBeGreaterThanOrEqual(5)
    expect(transfers.every((one) => one.value === 10_000n)).toBe(true)
    expect(new Set(transfers.map((one) => one.transaction)).size).toBe(transfers.length)
  })
})
