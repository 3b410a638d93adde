import { expect, it } from 'vitest'

import type { Upstreams } from '../../../src/tool/tool.ts'
import { tryTransfers } from './simulate.ts'

const token = `0x${'a1'.repeat(20)}`
const [decoy, pair] = [`0x${'de'.repeat(20)}`, `0x${'9a'.repeat(20)}`]
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

/** A token that names one pool, while the exchange knows another; sales to `dead` pools fail. */
function chainWith(named: string | null, listed: string | null, dead: readonly string[]) {
  const sold: string[] = []
  const chain = {
    multicall: async (calls: readonly unknown[]) =>
      calls.map((_call, index) => ({
        success: true,
        data: index === 0 ? word(10n ** 24n) : word(BigInt((index === 1 ? named : index === 3 ? listed : null) ?? 0)),
      })),
    request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
      if (method === 'eth_call') return word(10n ** 24n)
      const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: { input: string }[] }] }]
      const balances = new Map<string, bigint>()
      return [
        {
          calls: blockStateCalls[0].calls.map(({ input }) => {
            const [selector, ...words] = [input.slice(0, 10), ...(input.slice(10).match(/.{64}/g) ?? [])]
            const at = (index: number): string => `0x${words[index]?.slice(24) ?? ''}`
            if (selector === '0x70a08231') return { status: '0x1', returnData: word(balances.get(at(0)) ?? 0n) }
            if (selector === '0x095ea7b3') return { status: '0x1', returnData: word(1n) }
            const [to, amount] = selector === '0x23b872dd' ? [at(1), at(2)] : [at(0), at(1)]
            if (selector === '0x23b872dd') sold.push(to)
            if (dead.includes(to)) return { status: '0x0', returnData: '0x' }
            balances.set(to, (balances.get(to) ?? 0n) + BigInt(amount))
            return { status: '0x1', returnData: word(1n) }
          }),
        },
      ]
    },
  }
  return { chain: chain as unknown as Upstreams['chain'], sold }
}

it('sells to the pool that the exchange knows too, where the token names another one', async () => {
  const { chain, sold } = chainWith(decoy, pair, [pair])
  const trial = await tryTransfers(chain, token)
  expect(sold).toEqual([pair, decoy])
  expect(trial).toMatchObject({ sending: { works: true }, selling: { works: false }, hasPool: true })
})

it('sells to the one pool that both know once', async () => {
  const { chain, sold } = chainWith(pair, pair, [])
  expect(await tryTransfers(chain, token)).toMatchObject({ selling: { works: true, arrivedPercent: 100 } })
  expect(sold).toEqual([pair])
})

it('takes no token for its own pool', async () => {
  const { chain } = chainWith(token, null, [token])
  expect(await tryTransfers(chain, token)).toMatchObject({ selling: { works: true }, hasPool: false })
})
