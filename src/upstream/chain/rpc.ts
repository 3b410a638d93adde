import type { Chain as ViemChain, PublicClient, Transport } from 'viem'
import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { RpcError } from './rpc-error.ts'
import { createHttpClient, type HttpClient } from '../http/client.ts'
import { multicall3, type RawCall, type RawResult } from './abi.ts'
import { decodeAggregate3, encodeAggregate3 } from './multicall.ts'

type RpcCall = { readonly method: string; readonly params?: readonly unknown[] }

/** A hex block number, or a name such as `latest`. */
type BlockTag = string

/** One chain, read through several RPCs as if they were one that never fails alone. */
export type Chain = {
  readonly chainId: number
  /** The RPCs without path and query, where keys would be; fit for evidence. */
  readonly origins: readonly string[]
  /**
   * One JSON-RPC call, as in EIP-1193.
   *
   * @throws RpcError when the chain said no, UpstreamError when no RPC gave an answer.
   */
  readonly request: (call: RpcCall) => Promise<unknown>
  /** Many reads in one `eth_call`, all of the same block. A read that fails does not fail the others. */
  readonly multicall: (
    calls: readonly RawCall[],
    options?: { readonly blockTag?: BlockTag },
  ) => Promise<readonly RawResult[]>
  /** A viem client over the same RPCs; loads viem at the first use. */
  readonly client: () => Promise<PublicClient<Transport, ViemChain>>
}

export type ChainsOptions = {
  /** Our name for the chain's RPCs, as errors and health show it, e.g. `base-rpc`. */
  readonly name: string
  readonly chainId: number
  readonly urls: readonly string[]
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly userAgent: string
}

/** A chain whose calls take their deadline from the signal they are bound to. */
export type ChainHouse = {
  readonly bind: (signal: AbortSignal) => Omit<Chain, 'client'>
  readonly health: () => 'ok' | 'degraded' | 'down'
}

const rpcErrorSchema = z.looseObject({
  code: z.coerce.number(),
  message: z.string().catch(''),
  data: z.unknown().optional(),
})
const rpcAnswerSchema = z.looseObject({ result: z.unknown().optional(), error: rpcErrorSchema.nullish() })

const hedgeAfterMs = 800
/** How long an RPC that failed or was late is asked last. */
const restMs = 30_000
const rateLimited = /rate limit|request rate|too many requests|quota|capacity|throttl|credits/i
const rateLimitCodes: ReadonlySet<number> = new Set([-32016, -32005, -32029, 429])

/** EIP-1474 has one code for too many requests and for too much in one; of logs it is the latter unless it says so. */
const limitExceeded = -32005

type Node = {
  readonly http: HttpClient
  readonly path: string
  chain: 'unknown' | 'right' | 'wrong'
  restsUntil: number
}

type Outcome = { readonly node: Node; readonly result: unknown } | { readonly node: Node; readonly error: unknown }

/** Joins several RPCs of one chain: the next one takes over when one fails, and is asked too when one is late. */
/** Why what is still under way is given up. One for all: making it anew takes a stack each time. */
const answered = new DOMException('Another answer came first.', 'AbortError')

export function createChain({ name, chainId, urls, fetch, clock, userAgent }: ChainsOptions): ChainHouse {
  const nodes: readonly Node[] = urls.map((url) => {
    const { origin, pathname, search } = new URL(url)
    return {
      http: createHttpClient({ name, baseUrl: origin, fetch, clock, userAgent, concurrency: 24, timeoutMs: 4_000 }),
      path: pathname + search,
      chain: 'unknown',
      restsUntil: 0,
    }
  })

  async function request(call: RpcCall, signal: AbortSignal): Promise<unknown> {
    const candidates = nodes
      .filter((node) => node.chain !== 'wrong')
      .toSorted((a, b) => restOf(a, clock.now()) - restOf(b, clock.now()))
    const errors: unknown[] = []
    const underway = new Map<Node, Promise<Outcome>>()
    // One controller instead of `AbortSignal.any` of two, which costs as much as a request itself.
    const over = new AbortController()
    const both = over.signal
    const leave = (): void => over.abort(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    try {
      for (const [index, node] of candidates.entries()) {
        underway.set(node, outcomeOf(node, call, both))
        const isLast = index === candidates.length - 1
        const late = isLast ? undefined : hedge(both)
        while (underway.size > 0) {
          const outcome = await Promise.race([...underway.values(), ...(late === undefined ? [] : [late])])
          if (outcome === undefined) {
            node.restsUntil = clock.now() + restMs
            break
          }
          underway.delete(outcome.node)
          if ('result' in outcome) return outcome.result
          // A revert is the same everywhere; another refusal stands when only late RPCs could still differ.
          if (outcome.error instanceof RpcError && (outcome.error.isRevert || isLast)) throw outcome.error
          outcome.node.restsUntil = clock.now() + restMs
          errors.push(outcome.error)
          if (!isLast) break
        }
      }
    } finally {
      signal.removeEventListener('abort', leave)
      over.abort(answered)
    }
    // What an RPC said about the call itself tells more than that another one did not answer.
    throw errors.find((error) => error instanceof RpcError) ?? unusable(new AggregateError(errors))
  }

  async function outcomeOf(node: Node, call: RpcCall, signal: AbortSignal): Promise<Outcome> {
    try {
      const [result] = await Promise.all([ask(node, call, signal), checkChain(node, signal)])
      return { node, result }
    } catch (error) {
      return { node, error }
    }
  }

  /** An RPC of another chain gives answers that look right and are not. */
  async function checkChain(node: Node, signal: AbortSignal): Promise<void> {
    if (node.chain === 'unknown') {
      const answer = await ask(node, { method: 'eth_chainId' }, signal)
      node.chain = typeof answer === 'string' && Number(answer) === chainId ? 'right' : 'wrong'
    }
    if (node.chain === 'wrong') throw unusable(new Error(`${node.http.origin} is not an RPC of chain ${chainId}.`))
  }

  async function ask(node: Node, { method, params = [] }: RpcCall, signal: AbortSignal): Promise<unknown> {
    const { status, body } = await node.http.request(
      {
        method: 'POST',
        path: node.path,
        body: { jsonrpc: '2.0', id: 1, method, params },
        maxBytes: 8 * 1024 * 1024,
        // 413 is how some refuse a range of blocks that is too large.
        accept: [400, 404, 413, 429],
      },
      signal,
    )
    const answer = rpcAnswerSchema.safeParse(body)
    if (status === 429 || !answer.success) throw unusable(new Error(`Status ${status} without a usable answer.`))
    const { error } = answer.data
    if (error !== undefined && error !== null) {
      const refusal = new RpcError(name, error)
      const isAboutLogs = method === 'eth_getLogs' && error.code === limitExceeded
      const isRateLimit = (rateLimitCodes.has(error.code) && !isAboutLogs) || rateLimited.test(error.message)
      // The words of a contract that reverts are its author's, and must not make every RPC look busy.
      if (isRateLimit && !refusal.isRevert) throw unusable(new Error(`${error.code}: ${error.message}`))
      throw refusal
    }
    if (!('result' in answer.data)) throw unusable(new Error('The answer has neither result nor error.'))
    return answer.data.result
  }

  function hedge(signal: AbortSignal): Promise<undefined> {
    return clock.sleep(hedgeAfterMs, signal).then(() => undefined)
  }

  function unusable(cause: unknown): UpstreamError {
    return new UpstreamError(name, undefined, { cause })
  }

  return {
    bind: (signal) => ({
      chainId,
      origins: nodes.map((node) => node.http.origin),
      request: (call) => request(call, signal),
      multicall: async (calls, { blockTag = 'latest' } = {}) => {
        const returned = await request(
          { method: 'eth_call', params: [{ to: multicall3, data: encodeAggregate3(calls) }, blockTag] },
          signal,
        )
        try {
          return decodeAggregate3(z.string().startsWith('0x').parse(returned), calls.length)
        } catch (error) {
          // An RPC understood and has no batch to give: at that block there is no Multicall3.
          throw new RpcError(name, { code: 0, message: String(error) })
        }
      },
    }),
    health: () => {
      const states = nodes.filter((node) => node.chain !== 'wrong').map((node) => node.http.health())
      if (states.length > 0 && states.every((state) => state === 'ok')) return 'ok'
      return states.every((state) => state === 'down') ? 'down' : 'degraded'
    },
  }
}

function restOf(node: Node, now: number): number {
  return Math.max(0, node.restsUntil - now)
}
