import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { endpointOf } from '../../src/tool/urls.ts'
import { credentials, type Scene, unknownWallets } from './credentials.ts'
import { modes } from './mode-tool.ts'
import { type AccessServer, price, type Sent, startAccessServer, toolOf, ways } from './access-server.ts'

/** A word: 200, and the tool was told that its caller was let in this way; only `payment` costs. A number: refused. */
type Expected = 'free' | 'payment' | 'pass' | number
type Row = readonly [free: Expected, paid: Expected, paidOrPass: Expected, pass: Expected, tiered: Expected]

// Rows that many credentials share. The columns are the modes: free, paid, paid-or-pass, pass, tiered.
const nothing: Row = ['free', 402, 402, 402, 'free']
const paying: Row = ['free', 'payment', 'payment', 402, 'payment']
const badPayment: Row = ['free', 402, 402, 402, 402]
const holding: Row = ['free', 402, 'pass', 'pass', 'pass']
const notHolding: Row = ['free', 402, 402, 403, 'free']
const badProof: Row = ['free', 402, 401, 401, 401]
const silentChain: Row = ['free', 402, 503, 503, 503]

const table: Readonly<Record<keyof typeof credentials, Row>> = {
  none: nothing,
  'a forged x-pass-holder': nothing,
  'authorization of another kind': nothing,

  'a payment, v2': paying,
  'a payment, v1 in X-Payment': paying,
  'a payment of a contract wallet': paying,
  'a payment used before': ['free', 409, 409, 402, 409],
  'a payment of too little': badPayment,
  'a payment that has expired': badPayment,
  'a payment on another chain': badPayment,
  'a payment to somebody else': badPayment,
  'a payment without money': badPayment,
  'a malformed payment': ['free', 400, 400, 400, 400],
  'two different payments': [400, 400, 400, 400, 400],

  'a pass by SIWE': holding,
  'a pass by SIWE, used before': holding,
  'a pass by SIGN-IN-WITH-X': holding,
  'a pass by a zero-value proof, v2': holding,
  'a pass by a zero-value proof, v1 in X-Payment': holding,
  'a pass by a zero-value proof, v1 with a CAIP-2 network': holding,
  'a pass of a contract wallet by SIWE': holding,
  'a pass of a wallet that is not deployed yet': holding,
  'a pass of a wallet that is not deployed yet, signed by somebody else': badProof,
  'a pass of a contract wallet by a zero-value proof': holding,

  'SIWE without the pass': notHolding,
  'SIGN-IN-WITH-X without the pass': notHolding,
  'a zero-value proof without the pass': notHolding,
  'SIWE without the pass, and a forged X-Delegate-For': notHolding,

  'SIWE that has expired': badProof,
  'SIWE that never expires': badProof,
  'SIWE for two hours': badProof,
  'SIWE for a day, an hour before its end': badProof,
  'SIWE that is not valid yet': badProof,
  'SIWE for another domain': badProof,
  'SIWE for another address': badProof,
  'SIWE for another chain': badProof,
  'SIWE signed by somebody else': badProof,
  'malformed SIWE': badProof,
  'malformed SIGN-IN-WITH-X': badProof,
  'a zero-value proof used before': badProof,
  'a zero-value proof that has expired': badProof,
  'a zero-value proof for an hour': badProof,
  'a zero-value proof on another chain': badProof,
  'a zero-value proof made out to somebody else': badProof,
  'a zero-value proof signed by somebody else': badProof,

  // A free credential is tried before money, and one that is refused never turns into a charge.
  'a pass by SIWE, and a payment': ['free', 'payment', 'pass', 'pass', 'pass'],
  'SIWE without the pass, and a payment': ['free', 'payment', 'payment', 403, 'payment'],
  'malformed SIWE, and a payment': ['free', 'payment', 'payment', 401, 'payment'],
  'a pass by SIWE, and a malformed payment': ['free', 400, 'pass', 'pass', 'pass'],
}

const whileChainIsSilent: Readonly<Record<keyof typeof unknownWallets, Row>> = {
  'SIWE of a wallet nobody asked about': silentChain,
  'a zero-value proof of a wallet nobody asked about': silentChain,
  'SIWE of a contract wallet nobody asked about': silentChain,
  'SIWE of a wallet nobody asked about, and a payment': ['free', 'payment', 503, 503, 503],
}

let server: AccessServer
beforeAll(async () => {
  server = await startAccessServer()
})
afterAll(() => server.stop())

type Make = (scene: Scene) => Promise<Sent>

/** Every way and mode of one credential. Each cell has its own credential, and the money is counted around the call. */
async function play(make: Make, row: Row): Promise<void> {
  for (const way of ways) {
    for (const [column, mode] of modes.entries()) {
      const expected = row[column] ?? Number.NaN
      const url = endpointOf(toolOf(mode, way), server.url)
      const sent = await make({ url, way, before: (first) => server.call(mode, way, first) })
      const before = await server.earned()
      const { status, body, receipt } = await server.call(mode, way, sent)
      const after = await server.earned()
      const charge = expected === 'payment' ? price : 0n
      const seen = { way, mode, status, entry: body['entry'], charged: after.onChain - before.onChain }
      expect(seen).toEqual({
        way,
        mode,
        status: typeof expected === 'number' ? expected : 200,
        entry: typeof expected === 'number' ? undefined : expected,
        charged: charge,
      })
      expect(body['passHolder'] !== undefined).toBe(expected === 'pass')
      expect(after.inLedger - before.inLedger).toBe(charge)
      expect(receipt?.['success'] === true).toBe(charge > 0n)
    }
  }
}

describe('the access table, over GET, POST and MCP', () => {
  const rows = Object.entries(table).map(([name, row]) => ({
    name,
    row,
    make: credentials[name as keyof typeof table],
  }))

  it.each(rows)('$name: free, paid, paid-or-pass, pass, tiered → $row', async ({ make, row }) => {
    await play(make, row)
  })
})

describe('a caller with a zero-value proof', () => {
  it('gets in once only by a proof that it sends many times at once', async () => {
    const sent = await credentials['a pass by a zero-value proof, v2']()
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.call('pass', 'POST', sent)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(401)])
  })
})

// Last: for some seconds after it the server asks the node nothing, and what was known of a pass gets old meanwhile.
describe.each(['down', 'error'] as const)('the access table while the RPC is out of order (%s)', (fault) => {
  beforeAll(() => server.rpc.set(fault))
  afterAll(() => server.rpc.set('none'))

  const rows = Object.entries(whileChainIsSilent).map(([name, row]) => ({
    name,
    row,
    make: unknownWallets[name as keyof typeof whileChainIsSilent],
  }))

  it.each(rows)('$name: free, paid, paid-or-pass, pass, tiered → $row', { timeout: 120_000 }, async ({ make, row }) => {
    await play(make, row)
  })
})
