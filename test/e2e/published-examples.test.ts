import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { walletOf } from '../../sandbox/wallets.ts'
import { toAtomic } from '../../src/payments/terms.ts'
import { isPassOnly, usdOf } from '../../src/tool/access.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { endpointOf } from '../../src/tool/urls.ts'
import { loadTools } from '../../tools/load.ts'
import { isEmptyAnswer, shapeDifferences, valueAt } from '../harness/same-shape.ts'
import { type SandboxProcess, startSandboxProcess } from '../harness/sandbox-process.ts'
import { siweOf } from '../harness/sign-in.ts'
import { sampleOf } from '../harness/samples.ts'

const tools = await loadTools()
let sandbox: SandboxProcess

beforeAll(async () => {
  sandbox = await startSandboxProcess()
})
afterAll(() => sandbox.stop())

/** Asks a tool as a buyer does who copied the example: with money, or with the pass where money opens nothing. */
async function ask(tool: Tool, input: unknown) {
  const pay = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [
      { network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(walletOf('payer').privateKey)) },
    ],
  })
  const withPass = isPassOnly(tool.access)
  const response = await (withPass ? fetch : pay)(endpointOf(tool, sandbox.baseUrl), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(withPass ? { authorization: await siweOf(walletOf('holder'), sandbox.baseUrl) } : {}),
    },
    body: JSON.stringify(input),
  })
  const receipt = response.headers.get('payment-response')
  return {
    status: response.status,
    answer: await response.json(),
    isPaid: receipt !== null && decodePaymentResponseHeader(receipt).success,
  }
}

const cases = tools.flatMap((tool) =>
  tool.examples.map((example, index) => ({ name: `${tool.slug} ${index}`, tool, example })),
)

describe('in the sandbox, the published example of', () => {
  it.each(cases)('$name is answered as it is published, and not with nothing', async ({ tool, example }) => {
    const { input, published = {} } = await sampleOf(tool)
    const { sandbox: exact = [], mayDiffer = [], elsewhere = false } = published
    const { status, answer, isPaid } = await ask(tool, elsewhere ? input : example.input)
    expect([status, answer]).toEqual([200, expect.anything()])
    // A tiered tool answers with its free part unless the caller pays.
    expect(isPaid).toBe(toAtomic(usdOf(tool.access)) > 0n && tool.access.mode !== 'tiered')
    expect(isEmptyAnswer(answer)).toBe(false)
    const differences = shapeDifferences(example.output, answer)
    expect(differences.filter((one) => !mayDiffer.some((place) => one.startsWith(place)))).toEqual([])
    for (const pointer of exact) {
      expect([pointer, valueAt(answer, pointer)]).toEqual([pointer, valueAt(example.output, pointer)])
    }
  })
})

describe('the comparison', () => {
  it.each([
    ['a member that is gone', { a: 1 }, { b: 1 }],
    ['another kind of value', { a: 1 }, { a: '1' }],
    ['an empty list', { a: [{ b: 1 }] }, { a: [] }],
    ['an item of another shape', { a: [{ b: 1 }] }, { a: [{ c: 1 }] }],
  ])('notices %s', (_what, published, found) => {
    expect(shapeDifferences(published, found)).not.toEqual([])
    expect(shapeDifferences(published, published)).toEqual([])
  })

  it('counts null, empty text and empty lists as empty', () => {
    expect([{}, [], null, { a: null, b: [{ c: '' }] }].map(isEmptyAnswer)).toEqual([true, true, true, true])
    expect([{ a: 0 }, [false]].map(isEmptyAnswer)).toEqual([false, false])
  })
})
