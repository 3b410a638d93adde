import {
  addressIn,
  type ChainLog,
  numberIn,
  TooManyRangesError,
  toQuantity,
  transferTopic,
  UpstreamError,
  type Upstreams,
} from '../../../src/tool/tool.ts'

type Chain = Upstreams['chain']
type Balances = ReadonlyMap<string, bigint>

/** Every balance after a block that is unlikely to be reorganised; its hash shows whether it was. */
type Ledger = { readonly block: number; readonly hash: string; readonly balances: Balances }

/** Blocks this old are not reorganised in practice; younger ones are read anew each time. */
const settled = 12
const maxRequests = 40

/** How long the past counts as out of reach after an RPC gave it in too small pieces. */
const closedMs = 3_600_000

type Kept = { readonly ledger?: Ledger; readonly closedUntilMs?: number }

/** What is kept, by a server's settings and the token that it belongs to. */
const places = new WeakMap<object, Map<string, Kept>>()

export type HoldersQuery = {
  /** Readers of the same place share what is kept. */
  readonly place: object
  readonly token: string
  readonly block: number
  readonly now: Date
}

/**
 * Who holds how much of a token at a block, from every transfer it ever made; what was read once is not read again.
 * Undefined where the chain gives its past in too small pieces, or not at all. The zero address owes what all others
 * hold.
 */
export async function holdersAt(chain: Chain, query: HoldersQuery): Promise<Balances | undefined> {
  const { place, token, now } = query
  const known = places.get(place) ?? new Map<string, Kept>()
  places.set(place, known)
  const kept = known.get(token)
  if ((kept?.closedUntilMs ?? 0) > now.getTime()) return undefined
  try {
    const { balances, ledger } = await read(chain, query, kept?.ledger)
    if (ledger !== undefined) known.set(token, { ledger })
    return balances
  } catch (error) {
    if (error instanceof TooManyRangesError) {
      known.set(token, { closedUntilMs: now.getTime() + closedMs })
      return undefined
    }
    // A node may think about a whole past for longer than anybody waits, and still tell what is true now.
    if (!(error instanceof UpstreamError) || kept?.ledger !== undefined) throw error
    return undefined
  }
}

async function read(chain: Chain, { token, block }: HoldersQuery, kept: Ledger | undefined) {
  const start =
    kept !== undefined && kept.block <= block && (await hashOf(chain, kept.block)) === kept.hash ? kept : undefined
  const { logs } = await chain.logs(
    { address: token, topics: [transferTopic] },
    { fromBlock: (start?.block ?? -1) + 1, toBlock: block, maxRequests },
  )
  const young = logs.findIndex(({ blockNumber }) => blockNumber > block - settled)
  const old = young === -1 ? logs : logs.slice(0, young)
  const balances = applied(start?.balances ?? new Map(), old)
  const ledgerBlock = block - settled
  const hash = ledgerBlock < 0 ? undefined : await hashOf(chain, ledgerBlock)
  return {
    balances: applied(balances, logs.slice(old.length)),
    ledger: hash === undefined ? undefined : { block: ledgerBlock, hash, balances },
  }
}

/** Drops what is kept, after it turned out to be wrong. */
export function forget({ place, token }: HoldersQuery): void {
  places.get(place)?.delete(token)
}

function applied(balances: Balances, logs: readonly ChainLog[]): Balances {
  const next = new Map(balances)
  for (const { topics, data } of logs) {
    const [, from, to] = topics
    const value = numberIn({ success: true, data })
    if (from === undefined || to === undefined || value === undefined) {
      throw new UpstreamError('base-rpc', 'The transfers are not those of an ERC-20 token.')
    }
    add(next, addressIn(from), -value)
    add(next, addressIn(to), value)
  }
  return next
}

function add(balances: Map<string, bigint>, holder: string, value: bigint): void {
  const balance = (balances.get(holder) ?? 0n) + value
  if (balance === 0n) balances.delete(holder)
  else balances.set(holder, balance)
}

async function hashOf(chain: Chain, block: number): Promise<string | undefined> {
  const answer = await chain.request({ method: 'eth_getBlockByNumber', params: [toQuantity(block), false] })
  const hash: unknown = typeof answer === 'object' && answer !== null && 'hash' in answer ? answer.hash : undefined
  return typeof hash === 'string' ? hash : undefined
}
