import { expect, it } from 'vitest'

import { decodeAggregate3 } from '../../src/upstream/chain/multicall.ts'
import { httpFixture, rpcFixture } from './fixtures.ts'
import { createReplay } from './run-tool.ts'

const token = '0x1111111111111111111111111111111111111111'
const decimals = { to: token, read: 'function decimals() view returns (uint8)', returns: 18 }

async function ask(fixture: Parameters<typeof createReplay>[0], params: readonly unknown[]): Promise<unknown> {
  const { fetch } = createReplay(fixture)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const response = await fetch('https://base-rpc.example/', { method: 'POST', body })
  return ((await response.json()) as { readonly result: unknown }).result
}

it('encodes a batch the way the chain answers one', async () => {
  const failing = { to: token, read: 'function name() view returns (string)', fails: true }
  const answer = await ask(rpcFixture({ multicall: [decimals, failing] }), [{ to: token, data: '0x' }, 'latest'])
  expect(decodeAggregate3(String(answer), 2)).toEqual([
    { success: true, data: `0x${'0'.repeat(62)}12` },
    { success: false, data: '0x' },
  ])
})

it('answers a read by itself to the very call', async () => {
  const answer = await ask(rpcFixture({ calls: [decimals] }), [{ to: token, data: '0x313ce567' }, 'latest'])
  expect(answer).toBe(`0x${'0'.repeat(62)}12`)
})

it('answers for a web service by its address', async () => {
  const { fetch } = createReplay(httpFixture({ answers: [{ url: 'https://a.example/x', result: { ok: true } }] }))
  expect(await (await fetch('https://a.example/x')).json()).toEqual({ ok: true })
})
