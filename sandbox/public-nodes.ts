import { type LoopbackAnswer, type LoopbackServer, serveLoopback } from './loopback.ts'

/** A question for logs, as far as nodes judge it. */
type LogsQuestion = {
  readonly blocks: number
  /** How far its oldest block is behind the newest one. */
  readonly age: number
  readonly hasAddress: boolean
}

type Refusal = { readonly status: number; readonly code: number; readonly message: string }

/** How a public node without a key treats questions. */
type NodeProfile = {
  readonly refuse: (question: LogsQuestion) => Refusal | undefined
  /** Calls that one request may hold. */
  readonly batch: number
}

/** Four hours of Base. */
const fourHours = 7_200

/** The limits of the nodes that a fresh installation asks, as they were in November 2026. */
const publicNodes = {
  'mainnet.base.org': {
    batch: 10,
    refuse: ({ blocks }) =>
      blocks > 500 ? { status: 413, code: -32614, message: 'eth_getLogs is limited to a 500 range' } : undefined,
  },
  'base-rpc.publicnode.com': {
    batch: 100,
    refuse: ({ age, hasAddress }) => {
      if (!hasAddress) return { status: 200, code: -32701, message: 'Please specify an address in your request' }
      return age > fourHours
        ? { status: 403, code: -32602, message: 'Archive requests are not served to the public' }
        : undefined
    },
  },
  'base.drpc.org': {
    batch: 3,
    refuse: () => ({ status: 400, code: 35, message: 'eth_getLogs is not available on the free tier' }),
  },
  'public.1rpc.io': {
    batch: 10,
    refuse: ({ blocks }) =>
      blocks > 50 ? { status: 200, code: -32602, message: 'eth_getLogs is limited to 0 - 50 blocks range' } : undefined,
  },
} as const satisfies Record<string, NodeProfile>

type Call = { readonly id?: unknown; readonly method?: unknown; readonly params?: readonly unknown[] }

export type PublicNode = LoopbackServer & {
  /** Requests so far, one for a batch. */
  readonly requests: () => number
  /** Calls so far, by their method. */
  readonly calls: () => ReadonlyMap<string, number>
}

type PublicNodeOptions = {
  /** The chain that answers what the node lets through. */
  readonly rpcUrl: string
  readonly profile: NodeProfile
  /** How long each request takes. */
  readonly delayMs?: number
  readonly port?: number
}

/** Puts a node with the limits of a public one in front of a chain. */
async function servePublicNode({ rpcUrl, profile, delayMs = 0, port }: PublicNodeOptions): Promise<PublicNode> {
  const calls = new Map<string, number>()
  let requests = 0

  async function answer(call: Call): Promise<{ readonly status: number; readonly body: unknown }> {
    const method = String(call.method)
    calls.set(method, (calls.get(method) ?? 0) + 1)
    const question = method === 'eth_getLogs' ? await questionOf(rpcUrl, call) : undefined
    const refusal = question === undefined ? undefined : profile.refuse(question)
    if (refusal === undefined) return { status: 200, body: await forward(rpcUrl, call) }
    const { status, ...error } = refusal
    return { status, body: { jsonrpc: '2.0', id: call.id, error } }
  }

  async function handle(text: string): Promise<LoopbackAnswer> {
    requests += 1
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const asked = JSON.parse(text) as Call | readonly Call[]
    if (!isBatch(asked)) return answer(asked)
    if (asked.length > profile.batch) {
      const message = `maximum ${profile.batch} calls in 1 batch`
      return { status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32014, message } } }
    }
    return { status: 200, body: (await Promise.all(asked.map(answer))).map(({ body }) => body) }
  }

  const server = await serveLoopback(({ body }) => handle(body), port)
  return { ...server, requests: () => requests, calls: () => calls }
}

/** All four of them in front of one chain, in the order in which they are asked. */
export async function servePublicNodes(rpcUrl: string, delayMs = 0): Promise<readonly PublicNode[]> {
  return Promise.all(Object.values(publicNodes).map((profile) => servePublicNode({ rpcUrl, profile, delayMs })))
}

function isBatch(asked: Call | readonly Call[]): asked is readonly Call[] {
  return Array.isArray(asked)
}

async function questionOf(rpcUrl: string, { params }: Call): Promise<LogsQuestion> {
  const filter = (params?.[0] ?? {}) as { readonly [name: string]: unknown }
  const answer = (await forward(rpcUrl, { id: 1, method: 'eth_blockNumber', params: [] })) as {
    readonly result: string
  }
  const head = Number(answer.result)
  const numberOf = (tag: unknown): number => (typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head)
  const [first, last] = [numberOf(filter['fromBlock']), numberOf(filter['toBlock'])]
  const { address } = filter
  return { blocks: last - first + 1, age: head - first, hasAddress: address !== undefined && address !== null }
}

async function forward(rpcUrl: string, { id, method, params }: Call): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  })
  return response.json()
}
