import { describe, expect, it } from 'vitest'

import { RpcError } from './rpc-error.ts'
import { scanLogs, withTimes } from './logs.ts'

const token = '0x00000000000000000000000000000000000000AA'
const filter = { address: token, topics: ['0xddf2'] }

type Asked = { readonly fromBlock: number; readonly toBlock: number }

/** A chain with one log in every tenth block, whose RPC refuses as told. */
function chainThat(refuses: (range: Asked) => string | undefined, more: Record<string, unknown> = {}) {
  const asked: Asked[] = []
  let underway = 0
  let most = 0
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
    if (method === 'eth_getBlockByNumber') return { timestamp: `0x${(1000 + Number(params[0])).toString(16)}` }
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    const range = { fromBlock: Number(fromBlock), toBlock: Number(toBlock) }
    asked.push(range)
    most = Math.max(most, (underway += 1))
    await new Promise((resolve) => setTimeout(resolve, 1))
    underway -= 1
    const refusal = refuses(range)
    if (refusal !== undefined) throw new RpcError('base-rpc', { code: -32000, message: refusal })
    const first = Math.ceil(range.fromBlock / 10) * 10
    return Array.from({ length: Math.max(0, Math.floor((range.toBlock - first) / 10) + 1) }, (_, index) => ({
      address: token,
      topics: ['0xDDF2'],
      data: '0x',
      blockNumber: `0x${(first + index * 10).toString(16)}`,
      logIndex: '0x0',
      transactionHash: '0x01',
      ...more,
    }))
  }
  return { chain: { request }, asked, most: () => most }
}

const sizeOf = ({ fromBlock, toBlock }: Asked): number => toBlock - fromBlock + 1
const blocksOf = (logs: readonly { readonly blockNumber: number }[]) => logs.map(({ blockNumber }) => blockNumber)
const every = (from: number, to: number) =>
  Array.from({ length: (to - from) / 10 + 1 }, (_, index) => from + index * 10)

describe('scanning logs', () => {
  it('reads a range the RPC takes at once with one request', async () => {
    const { chain } = chainThat(() => undefined)
    const { logs, ranges, requests } = await scanLogs(chain, filter, { fromBlock: 1, toBlock: 9_999 })
    expect(blocksOf(logs)).toEqual(every(10, 9_990))
    expect({ ranges, requests }).toEqual({ ranges: [{ fromBlock: 1, toBlock: 9_999 }], requests: 1 })
    expect(logs[0]?.topics).toEqual(['0xddf2'])
  })

  it('reads 250,000 blocks in 25 requests, three at a time, in the order of the chain', async () => {
    const { chain, most } = chainThat(() => undefined)
    const { logs, ranges, requests } = await scanLogs(chain, filter, { fromBlock: 1, toBlock: 250_000 })
    expect(requests).toBe(25)
    expect(most()).toBe(3)
    expect(blocksOf(logs)).toEqual(every(10, 250_000))
    expect(ranges.every((range, index) => range.fromBlock === index * 10_000 + 1)).toBe(true)
  })

  it.each([
    'block range is too large',
    'eth_getLogs is limited to a 2,000 range',
    'eth_getLogs is limited to a 2000 blocks range',
    'range 10000 exceeds limit of 2000',
    'ranges over 2000 blocks are not supported on freetier',
  ])('learns from "%s" how many blocks the RPC takes, and misses none', async (refusal) => {
    const { chain, asked } = chainThat((range) => (sizeOf(range) > 2_000 ? refusal : undefined))
    const { logs, requests } = await scanLogs(chain, filter, { fromBlock: 0, toBlock: 19_999, maxRequests: 40 })
    expect(blocksOf(logs)).toEqual(every(0, 19_990))
    expect(requests).toBe(asked.length)
    expect(asked.filter((range) => sizeOf(range) > 2_000).length).toBeLessThan(10)
  })

  it('halves only where there is too much, where the refusal is about the logs', async () => {
    const busy = (range: Asked) =>
      range.fromBlock < 1_000 && sizeOf(range) > 500 ? 'more than 10000 results' : undefined
    const { chain, asked } = chainThat(busy)
    const { logs } = await scanLogs(chain, filter, { fromBlock: 0, toBlock: 39_999 })
    expect(blocksOf(logs)).toEqual(every(0, 39_990))
    expect(asked.filter((range) => sizeOf(range) === 10_000)).toHaveLength(4)
  })

  it('says before it asks in vain that a range needs too many requests', async () => {
    const { chain, asked } = chainThat((range) => (sizeOf(range) > 10_000 ? 'exceeds max block range' : undefined))
    const scan = scanLogs(chain, filter, { fromBlock: 0, toBlock: 40_000_000, span: 40_000_001 })
    await expect(scan).rejects.toMatchObject({
      name: 'TooManyRangesError',
      code: 'upstream_unavailable',
      charged: false,
    })
    expect(asked.length).toBeLessThan(20)
  })

  it('gives up on a single block that is refused', async () => {
    const { chain } = chainThat(() => 'no')
    await expect(scanLogs(chain, filter, { fromBlock: 5, toBlock: 5 })).rejects.toBeInstanceOf(RpcError)
  })

  it('takes no logs of another contract for ours', async () => {
    const { chain } = chainThat(() => undefined, { address: '0x00000000000000000000000000000000000000bb' })
    await expect(scanLogs(chain, filter, { fromBlock: 0, toBlock: 50 })).rejects.toMatchObject({
      code: 'upstream_unavailable',
    })
  })

  it('leaves out logs that a reorganisation took back', async () => {
    const { chain } = chainThat(() => undefined, { removed: true })
    expect((await scanLogs(chain, filter, { fromBlock: 0, toBlock: 50 })).logs).toEqual([])
  })

  it('asks nothing for an empty range', async () => {
    const { chain, asked } = chainThat(() => undefined)
    expect((await scanLogs(chain, filter, { fromBlock: 8, toBlock: 7 })).logs).toEqual([])
    expect(asked).toEqual([])
  })

  it('takes the time of a block from its log, or asks for it', async () => {
    const told = chainThat(() => undefined, { blockTimestamp: '0x3e8' })
    const { logs } = await scanLogs(told.chain, filter, { fromBlock: 10, toBlock: 10 })
    expect(await withTimes(told.chain, logs)).toMatchObject([{ blockNumber: 10, time: new Date(1_000_000) }])
    const untold = chainThat(() => undefined)
    const silent = await scanLogs(untold.chain, filter, { fromBlock: 10, toBlock: 20 })
    expect(await withTimes(untold.chain, silent.logs)).toMatchObject([
      { blockNumber: 10, time: new Date(1_010_000) },
      { blockNumber: 20, time: new Date(1_020_000) },
    ])
  })
})
