import pLimit from 'p-limit'
import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import { RpcError } from './rpc-error.ts'
import { quantity, toQuantity } from './abi.ts'
import type { Chain as FullChain } from './rpc.ts'

type Chain = Pick<FullChain, 'request'>

/** Which logs: of one or several contracts, by topics as in `eth_getLogs` (null is any, a list is one of). */
export type LogFilter = {
  readonly address: string | readonly string[]
  readonly topics: readonly (string | readonly string[] | null)[]
}

/** Both ends belong to the range. */
export type BlockRange = { readonly fromBlock: number; readonly toBlock: number }

export type ChainLog = {
  /** In lower case. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: number
  readonly logIndex: number
  readonly transactionHash: string
  /** Where the RPC tells it with the log; `withTimes` asks for it otherwise. */
  readonly timestampMs: number | undefined
}

export type LogScan = {
  /** In the order of the chain. */
  readonly logs: readonly ChainLog[]
  /** What was asked for and answered, in the order of the chain. */
  readonly ranges: readonly BlockRange[]
  /** Refused requests included. */
  readonly requests: number
}

export type ScanOptions = BlockRange & {
  /** Blocks per request to begin with: 10,000, what the public RPC of Base allows, unless said. */
  readonly span?: number
  /** More requests than this are too many; 60 unless said. */
  readonly maxRequests?: number
}

/** The RPCs would need more requests for the range than are allowed. */
export class TooManyRangesError extends UpstreamError {
  constructor() {
    super('base-rpc', 'The range holds more logs than the chain gives in a reasonable number of requests.', {
      nextStep: 'Ask for fewer blocks.',
    })
    this.name = 'TooManyRangesError'
  }
}

const parallel = 3
const defaults = { span: 10_000, maxRequests: 60 } as const
/** The refusal is about the number of blocks, which will be refused everywhere, and not about the logs found in them. */
const aboutBlocks =
  /block range|blocks? (?:distance|span)|range (?:is )?too (?:large|wide|big)|exceed\w* (?:the )?(?:max\w* )?(?:block )?range|limited to (?:a )?[\d,]+ (?:blocks? )?range|range [\d,]+ exceeds|ranges over [\d,]+ blocks/i
const methodNotFound = -32601

const logSchema = z.object({
  address: z.string().toLowerCase(),
  topics: z.array(z.string().toLowerCase()),
  data: z.string(),
  blockNumber: quantity,
  logIndex: quantity,
  transactionHash: z.string(),
  blockTimestamp: quantity.nullish().catch(undefined),
  removed: z.boolean().nullish(),
})
const blockSchema = z.object({ timestamp: quantity })

/**
 * Reads every log of a range of blocks, however much of it the RPC gives at a time: a refused range is halved. At most
 * three requests are under way at once.
 *
 * @throws TooManyRangesError where that would take too many requests.
 */
export async function scanLogs(chain: Chain, filter: LogFilter, options: ScanOptions): Promise<LogScan> {
  const { maxRequests } = { ...defaults, ...options }
  const pending: BlockRange[] = options.toBlock < options.fromBlock ? [] : [rangeOf(options.fromBlock, options.toBlock)]
  const answered: { readonly range: BlockRange; readonly logs: readonly ChainLog[] }[] = []
  let limit = options.span ?? defaults.span
  let requests = 0
  let isOver = false

  async function work(): Promise<void> {
    for (let range = take(); range !== undefined; range = take()) {
      try {
        answered.push({ range, logs: await logsOf(chain, filter, range) })
      } catch (error) {
        split(range, error)
      }
    }
  }

  function take(): BlockRange | undefined {
    const next = pending.shift()
    if (next === undefined || isOver) return undefined
    const needed = [next, ...pending].reduce((sum, range) => sum + Math.ceil(sizeOf(range) / limit), 0)
    if (requests + needed > maxRequests) throw stopped(new TooManyRangesError())
    const last = Math.min(next.toBlock, next.fromBlock + limit - 1)
    if (last < next.toBlock) pending.unshift(rangeOf(last + 1, next.toBlock))
    requests += 1
    return rangeOf(next.fromBlock, last)
  }

  function split(range: BlockRange, error: unknown): void {
    const size = sizeOf(range)
    if (size === 1 || !isTooMuch(error)) throw stopped(error)
    const half = Math.ceil(size / 2)
    if (error instanceof RpcError && aboutBlocks.test(error.rpcMessage)) limit = Math.min(limit, half)
    const middle = range.fromBlock + half
    pending.unshift(rangeOf(range.fromBlock, middle - 1), rangeOf(middle, range.toBlock))
  }

  /** The others must not go on asking for what nobody will use. */
  function stopped(error: unknown): unknown {
    isOver = true
    return error
  }

  await Promise.all(Array.from({ length: parallel }, work))
  const inOrder = answered.toSorted((a, b) => a.range.fromBlock - b.range.fromBlock)
  return {
    logs: inOrder.flatMap(({ logs }) => logs),
    ranges: inOrder.map(({ range }) => range),
    requests,
  }
}

/** The logs, each with the time of its block. */
export async function withTimes<L extends ChainLog>(
  chain: Chain,
  logs: readonly L[],
): Promise<readonly (L & { readonly time: Date })[]> {
  const asked = new Map<number, Promise<Date>>()
  const limit = pLimit(parallel)
  return Promise.all(
    logs.map(async (log) => {
      if (log.timestampMs !== undefined) return { ...log, time: new Date(log.timestampMs) }
      const time = asked.get(log.blockNumber) ?? limit(() => timeOf(chain, log.blockNumber))
      asked.set(log.blockNumber, time)
      return { ...log, time: await time }
    }),
  )
}

async function timeOf(chain: Chain, block: number): Promise<Date> {
  const answer = await chain.request({ method: 'eth_getBlockByNumber', params: [toQuantity(block), false] })
  const parsed = blockSchema.safeParse(answer)
  if (!parsed.success) throw new UpstreamError('base-rpc', undefined, { cause: parsed.error })
  return new Date(parsed.data.timestamp * 1000)
}

async function logsOf(chain: Chain, filter: LogFilter, range: BlockRange): Promise<readonly ChainLog[]> {
  const { fromBlock, toBlock } = range
  const answer = await chain.request({
    method: 'eth_getLogs',
    params: [{ ...filter, fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) }],
  })
  const parsed = z.array(logSchema).safeParse(answer)
  if (!parsed.success) throw new UpstreamError('base-rpc', undefined, { cause: parsed.error })
  const wanted = new Set([filter.address].flat().map((address) => address.toLowerCase()))
  const logs = parsed.data.filter(({ removed }) => removed !== true)
  // Logs of other contracts or blocks would be counted as if they were ours.
  if (logs.some((log) => !wanted.has(log.address) || log.blockNumber < fromBlock || log.blockNumber > toBlock)) {
    throw new UpstreamError('base-rpc', undefined, { cause: new Error('The RPC gave logs that nobody asked for.') })
  }
  return logs
    .map(({ removed: _removed, blockTimestamp, ...log }) => ({
      ...log,
      timestampMs: blockTimestamp === undefined || blockTimestamp === null ? undefined : blockTimestamp * 1000,
    }))
    .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/** Whether a smaller range may be answered: the RPC refused, or answered with more bytes than are read. */
function isTooMuch(error: unknown): boolean {
  if (error instanceof RpcError) return error.rpcCode !== methodNotFound && !error.isRevert
  if (!(error instanceof Error)) return false
  if (error.name === 'BodyTooLargeError') return true
  const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause]
  return causes.some(isTooMuch)
}

function rangeOf(fromBlock: number, toBlock: number): BlockRange {
  return { fromBlock, toBlock }
}

function sizeOf({ fromBlock, toBlock }: BlockRange): number {
  return toBlock - fromBlock + 1
}
