import { z } from 'zod'

import { RpcError, UpstreamError, type Upstreams } from '../../../src/tool/tool.ts'

type Chain = Upstreams['chain']
type Range = { readonly fromBlock: number; readonly toBlock: number }
type Task = Range & { readonly halvings: number }

/** One log, in the order of the chain. */
export type Log = z.output<typeof logSchema>

export type Scan = {
  readonly logs: readonly Log[]
  /** What was asked for, oldest first. */
  readonly ranges: readonly (Range & { readonly logs: number })[]
}

const hexNumber = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform(Number)
const logSchema = z.looseObject({
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .transform((address) => address.toLowerCase()),
  topics: z.array(z.string().regex(/^0x[0-9a-fA-F]{64}$/)),
  data: z.string().regex(/^0x[0-9a-fA-F]*$/),
  blockNumber: hexNumber,
  logIndex: hexNumber,
  transactionHash: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .nullish(),
  removed: z.boolean().nullish(),
})

/** What public nodes allow in one question. */
const widest = 10_000
const parallel = 3
const maxCalls = 160
/** A node that is down fails at any width: few halvings tell. One that answers says so until a range is small enough. */
const maxHalvings = { silent: 3, refused: 14 } as const

/**
 * Reads all logs under the topics, oldest blocks first, in ranges that shrink where the node finds them too large and
 * grow again after.
 *
 * @throws UpstreamError when a part of the range cannot be had.
 */
export async function scanLogs(
  chain: Chain,
  { fromBlock, toBlock }: Range,
  topics: readonly (string | readonly string[])[],
  signal: AbortSignal,
): Promise<Scan> {
  const retries: Task[] = []
  const done: (Range & { readonly found: readonly Log[] })[] = []
  let cursor = fromBlock
  let width = widest
  let calls = 0
  let failed = false

  function take(): Task | undefined {
    const again = retries.pop()
    if (again !== undefined || failed || cursor > toBlock) return failed ? undefined : again
    const task = { fromBlock: cursor, toBlock: Math.min(cursor + width - 1, toBlock), halvings: 0 }
    cursor = task.toBlock + 1
    return task
  }

  function ask({ fromBlock, toBlock }: Range): Promise<unknown> {
    const filter = { fromBlock: hex(fromBlock), toBlock: hex(toBlock), topics }
    return chain.request({ method: 'eth_getLogs', params: [filter] })
  }

  async function work(): Promise<void> {
    for (let task = take(); task !== undefined; task = take()) {
      calls += 1
      if (calls > maxCalls) throw new UpstreamError('base-rpc', tooMuch)
      let answer: unknown
      try {
        answer = await ask(task)
      } catch (error) {
        retries.push(...halved(task, error, signal))
        width = Math.max(1, Math.min(width, Math.ceil((task.toBlock - task.fromBlock + 1) / 2)))
        continue
      }
      done.push({ fromBlock: task.fromBlock, toBlock: task.toBlock, found: logsIn(answer) })
      if (task.halvings === 0) width = Math.min(widest, width * 2)
    }
  }

  await Promise.all(
    Array.from({ length: parallel }, () =>
      work().catch((error: unknown) => {
        failed = true
        throw error
      }),
    ),
  )
  const ranges = done.toSorted((a, b) => a.fromBlock - b.fromBlock)
  return {
    logs: ranges.flatMap(({ found }) => found),
    ranges: ranges.map(({ fromBlock, toBlock, found }) => ({ fromBlock, toBlock, logs: found.length })),
  }
}

const tooMuch = 'The chain’s node answers in too small parts for this many blocks. Ask for fewer blocks.'

/** The two halves, newer first, as the list is taken from its end. @throws the error where halving cannot help. */
function halved(task: Task, error: unknown, signal: AbortSignal): readonly Task[] {
  const most = error instanceof RpcError ? maxHalvings.refused : maxHalvings.silent
  if (!(error instanceof UpstreamError) || signal.aborted) throw error
  if (task.fromBlock === task.toBlock || task.halvings >= most) throw error
  const middle = Math.floor((task.fromBlock + task.toBlock) / 2)
  const halvings = task.halvings + 1
  return [
    { fromBlock: middle + 1, toBlock: task.toBlock, halvings },
    { fromBlock: task.fromBlock, toBlock: middle, halvings },
  ]
}

function logsIn(answer: unknown): readonly Log[] {
  const parsed = z.array(logSchema).safeParse(answer)
  if (!parsed.success) throw new UpstreamError('base-rpc', undefined, { cause: parsed.error })
  return parsed.data
    .filter(({ removed }) => removed !== true)
    .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

function hex(block: number): string {
  return `0x${block.toString(16)}`
}
