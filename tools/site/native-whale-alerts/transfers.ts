import pLimit from 'p-limit'

import {
  addressIn,
  type BlockRange,
  InvalidInputError,
  numberIn,
  splitWords,
  toQuantity,
  transferTopic,
  UpstreamError,
  type Upstreams,
} from '../../../src/tool/tool.ts'
import { type Liquidity } from './cohorts.ts'
import { type Market, poolManager, universalRouters } from './market.ts'

type Chain = Upstreams['chain']
type Contracts = Upstreams['contracts']

/** Events by which pools tell that liquidity came or went, of Uniswap v2 and v3 and what is built like them. */
export const liquidityTopics = {
  added: [
    '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f',
    '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde',
  ],
  removed: [
    '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496',
    '0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2',
    '0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0',
  ],
  /** Of Uniswap v4, for both ways. */
  modified: '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec',
} as const

/** Receivers looked at one by one; more would take longer than a call may. */
const mostReceivers = 400
const parallel = 3

/** The transfers of at least so much in the range, or in as much of its newest part as the nodes give. */
export async function largeTransfers(chain: Chain, token: string, least: bigint, range: BlockRange) {
  const { logs, fromBlock } = await chain.logs({ address: token, topics: [transferTopic] }, { ...range, partly: true })
  const transfers = logs.flatMap((log) => {
    const [, from, to] = log.topics
    const value = numberIn({ success: true, data: log.data })
    if (from === undefined || to === undefined || value === undefined) {
      throw new UpstreamError('base-rpc', 'The transfers are not those of an ERC-20 token.')
    }
    return value < least ? [] : [{ ...log, from: addressIn(from), to: addressIn(to), value }]
  })
  return { transfers, fromBlock }
}

/** What went into and out of the pools in the range, besides trades. */
export async function liquidityIn(chain: Chain, { pairs, poolIds }: Market, range: BlockRange): Promise<Liquidity> {
  const without: readonly string[] = [poolManager, ...universalRouters]
  const pools = pairs.filter((pair) => !without.includes(pair))
  const [plain, modified] = await Promise.all([
    pools.length === 0
      ? []
      : chain
          .logs({ address: pools, topics: [[...liquidityTopics.added, ...liquidityTopics.removed]] }, range)
          .then(({ logs }) => logs),
    poolIds.length === 0
      ? []
      : chain
          .logs({ address: poolManager, topics: [liquidityTopics.modified, poolIds] }, range)
          .then(({ logs }) => logs),
  ])
  const added = new Set<string>()
  const removed = new Set<string>()
  const additions: readonly string[] = liquidityTopics.added
  for (const { transactionHash, address, topics } of plain) {
    const isAddition = additions.includes(topics[0] ?? '')
    ;(isAddition ? added : removed).add(`${transactionHash}:${address}`)
  }
  for (const { transactionHash, address, data } of modified) {
    // The third word is how much the liquidity changed, signed.
    const delta = BigInt.asIntN(256, BigInt(splitWords(data)[2] ?? '0'))
    if (delta !== 0n) (delta > 0n ? added : removed).add(`${transactionHash}:${address}`)
  }
  return { added, removed }
}

/** Those of the addresses that have never sent a transaction and are no contract. */
export async function newWallets(
  { chain, contracts }: { readonly chain: Chain; readonly contracts: Contracts },
  addresses: readonly string[],
  block: number,
): Promise<ReadonlySet<string>> {
  const unique = [...new Set(addresses)]
  if (unique.length > mostReceivers) {
    throw new InvalidInputError(
      '/thresholdUsd',
      `More than ${mostReceivers} wallets received that much in these blocks, which is more than one call looks at. Raise thresholdUsd or lower lookbackBlocks.`,
    )
  }
  // One request finds out which of them are contracts. No contract can read how much an account has sent, so that is
  // asked of the rest one by one.
  const sizes = await contracts.codeSizes(unique)
  const accounts = unique.filter((_address, index) => sizes[index] === 0)
  const tag = toQuantity(block)
  const limit = pLimit(parallel)
  const nonces = await Promise.all(
    accounts.map((address) =>
      limit(() => chain.request({ method: 'eth_getTransactionCount', params: [address, tag] })),
    ),
  )
  return new Set(
    accounts.filter((_address, index) => {
      const nonce = nonces[index]
      if (typeof nonce !== 'string' || !/^0x[0-9a-f]+$/i.test(nonce)) throw new UpstreamError('base-rpc')
      return BigInt(nonce) === 0n
    }),
  )
}
