/** What is known of a public node before it is asked. Refusals teach the rest, and correct what is out of date. */
export type KnownLimits = {
  /** Blocks that one question for logs may span. */
  readonly span?: number
  /** How far behind the newest block the logs begin that it gives. */
  readonly ageBlocks?: number
  /** It gives logs of named contracts only. */
  readonly needsAddress?: boolean
  /** It gives no logs without a key. */
  readonly hasNoLogs?: boolean
  /** Calls that one request may hold. */
  readonly batch?: number
}

type KnownNode = KnownLimits & {
  readonly host: string
  /** The day the row was last compared with the source. */
  readonly verifiedAt: string
  readonly source: string
}

/** Keyless nodes of Base and Ethereum. A row that promises too much is corrected by the first refusal. */
export const knownNodes: readonly KnownNode[] = [
  {
    host: 'mainnet.base.org',
    span: 500,
    batch: 10,
    verifiedAt: '2026-11-21',
    source: 'its refusal: 413, -32614 "eth_getLogs is limited to a 500 range"; 500 since 2026-10-05',
  },
  {
    host: 'base-rpc.publicnode.com',
    ageBlocks: 7_000,
    needsAddress: true,
    verifiedAt: '2026-11-21',
    source: 'its refusals: 403, -32602 for blocks older than about four hours; -32701 without an address',
  },
  {
    host: 'base.drpc.org',
    hasNoLogs: true,
    batch: 3,
    verifiedAt: '2026-11-21',
    source: 'its refusal of every width without a key: 400, code 35',
  },
  { host: 'eth.drpc.org', hasNoLogs: true, batch: 3, verifiedAt: '2026-11-21', source: 'as base.drpc.org' },
  {
    host: 'public.1rpc.io',
    span: 50,
    verifiedAt: '2026-11-21',
    source: 'its refusal; https://sqd.dev/learn/eth-getlogs-limits/ (2026-06-30)',
  },
  { host: 'cloudflare-eth.com', span: 800, verifiedAt: '2026-11-21', source: 'its refusal: -32047 "Max range: 800"' },
]

export function knownLimitsOf(host: string): KnownLimits {
  return knownNodes.find((node) => node.host === host) ?? {}
}
