import { z } from 'zod'

import { defineTool, readAddress, topicOf, UpstreamError } from '../../../src/tool/tool.ts'
import { approvalsIn, approvalTopics, isInfinite, newestOf, permit2 } from './approvals.ts'
import { allowancesOf, tokensOf } from './live.ts'

const block = z.int().nonnegative()
const count = z.int().nonnegative()

export default defineTool({
  family: 'site',
  slug: 'erc20-approval-audit',
  name: 'ERC-20 Approval Audit',
  version: '1.0.0',
  tags: ['wallet', 'approvals', 'permit2', 'security', 'base'],
  description:
    'Audits ERC-20 approvals of a wallet on Base: who may spend what now, what is unlimited, Permit2 included. Call before cleaning up a wallet. Not for NFTs; approvals before lookbackBlocks are not seen.',

  access: { mode: 'paid-or-pass', usd: '0.03' },
  methods: ['GET', 'POST'],
  preferredMethod: 'GET',
  freshness: { mode: 'live' },
  latencySlaMs: 15_000,
  sources: ['https://mainnet.base.org', 'https://base-rpc.publicnode.com'],
  untrusted: ['/approvals/*/tokenSymbol', '/approvals/*/tokenName'],

  input: z.strictObject({
    owner: z.string().regex(/^0x[a-fA-F0-9]{40}$/),
    lookbackBlocks: z.int().min(1_000).max(250_000).default(50_000),
    maxApprovals: z.int().min(1).max(100).default(40),
    includeRevoked: z.boolean().default(false),
  }),

  output: z.strictObject({
    owner: z.string().describe('In lower case.'),
    chain: z.literal('base'),
    latestBlock: block.describe('The block that all allowances are of.'),
    fromBlock: block,
    lookbackBlocks: z.int(),
    approvalLogsScanned: count.describe('Approvals of amounts, those inside Permit2 included.'),
    distinctTokenSpendersSeen: count.describe('Pairs of token and spender; a pair inside Permit2 is one of its own.'),
    activeApprovals: count.describe('Of the verified pairs, those with an allowance now.'),
    infiniteApprovals: count,
    riskScore: z.int().min(0).max(100).describe('A heuristic: unlimited approvals dominate.'),
    summary: z.string(),
    approvals: z
      .array(
        z.strictObject({
          token: z.string(),
          spender: z.string(),
          currentAllowanceRaw: z.string().describe('What the chain says now; 0 where it has expired.'),
          infinite: z.boolean(),
          risk: z.enum(['none', 'medium', 'high']).describe('none: revoked or spent; high: unlimited.'),
          lastApprovalRaw: z.string(),
          lastApprovalBlock: block,
          lastApprovalTx: z.string().nullable(),
          tokenSymbol: z.string().nullable().optional(),
          tokenName: z.string().nullable().optional(),
          decimals: z.int().nullable().optional(),
          via: z
            .literal('permit2')
            .optional()
            .describe('The allowance is kept by Permit2 and works as far as the token allows Permit2.'),
        }),
      )
      .describe('The riskiest first, then the newest.'),
    fetchedAt: z.string(),
    evidence: z.strictObject({
      rpcUrls: z.array(z.string()).describe('The nodes asked, without path or key.'),
      approvalTopic: z.string(),
      scannedRanges: z.array(z.strictObject({ fromBlock: block, toBlock: block, logs: count })),
      note: z.string(),
    }),
  }),

  examples: [
    {
      input: {
        owner: '0x96cedd3631f3107c22731795bd0dd98b17af56a0',
        lookbackBlocks: 1000,
        includeRevoked: true,
      },
      output: {
        owner: '0x96cedd3631f3107c22731795bd0dd98b17af56a0',
        chain: 'base',
        latestBlock: 4,
        fromBlock: 0,
        lookbackBlocks: 1000,
        approvalLogsScanned: 5,
        distinctTokenSpendersSeen: 4,
        activeApprovals: 3,
        infiniteApprovals: 1,
        riskScore: 48,
        summary:
          '3 active approvals, 1 of them unlimited. 1 approval to an address without code: a wallet, not an app. Revoke what is not in use.',
        approvals: [
          {
            token: '0x6c09705e64b482cabb8d7981a38fe7ab3402e94c',
            spender: '0x000000000022d473030f116ddee9f6b43ac78ba3',
            currentAllowanceRaw: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
            infinite: true,
            risk: 'high',
            lastApprovalRaw: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
            lastApprovalBlock: 3,
            lastApprovalTx: '0x00ce1ec3c160a13466b5bf836e51d0c9ff3fd42d272d2e3f7ca8da59538d5256',
            tokenSymbol: 'USDC',
            tokenName: 'USD Coin',
            decimals: 6,
          },
          {
            token: '0x6c09705e64b482cabb8d7981a38fe7ab3402e94c',
            spender: '0x491fca0fe26a7229014a82cf9958427420c2af0b',
            currentAllowanceRaw: '500000000',
            infinite: false,
            risk: 'medium',
            lastApprovalRaw: '500000000',
            lastApprovalBlock: 4,
            lastApprovalTx: '0xae4302363ee53426c238f164a98a62f29110aab21b779b59dcd572cca0a69b38',
            tokenSymbol: 'USDC',
            tokenName: 'USD Coin',
            decimals: 6,
            via: 'permit2',
          },
          {
            token: '0x6c09705e64b482cabb8d7981a38fe7ab3402e94c',
            spender: '0x511e5ad9257355961c5fa120e4b9b56b97d048f4',
            currentAllowanceRaw: '25000000',
            infinite: false,
            risk: 'medium',
            lastApprovalRaw: '25000000',
            lastApprovalBlock: 3,
            lastApprovalTx: '0x00ce1ec3c160a13466b5bf836e51d0c9ff3fd42d272d2e3f7ca8da59538d5256',
            tokenSymbol: 'USDC',
            tokenName: 'USD Coin',
            decimals: 6,
          },
          {
            token: '0x491fca0fe26a7229014a82cf9958427420c2af0b',
            spender: '0x6c09705e64b482cabb8d7981a38fe7ab3402e94c',
            currentAllowanceRaw: '0',
            infinite: false,
            risk: 'none',
            lastApprovalRaw: '0',
            lastApprovalBlock: 4,
            lastApprovalTx: '0x29af4e0c8152dbb0152941c75b5a0334e87212e522945108cc81b90a12a78d3b',
            tokenSymbol: 'WETH',
            tokenName: 'Wrapped Ether',
            decimals: 18,
          },
        ],
        fetchedAt: '2026-11-20T12:00:00.000Z',
        evidence: {
          rpcUrls: ['https://base-rpc.example'],
          approvalTopic: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
          scannedRanges: [
            {
              fromBlock: 0,
              toBlock: 4,
              logs: 5,
            },
          ],
          note: 'Read from the first block on. Also read: the approvals, permits and lockdowns that Permit2 (0x000000000022d473030f116ddee9f6b43ac78ba3) keeps.',
        },
      },
    },
  ],

  limits: [
    'Approvals from before the window are not seen, even if they still hold.',
    'Tokens whose approval event does not index owner and spender are not seen.',
    'A wallet that was sent many worthless approvals may need a larger maxApprovals.',
  ],

  async run({ owner: given, lookbackBlocks, maxApprovals, includeRevoked }, { chain, contracts, now }) {
    const owner = await readAddress('/owner', given)
    const latestBlock = blockIn(await chain.request({ method: 'eth_blockNumber' }))
    const { logs, ranges, fromBlock, isComplete } = await chain.logs(
      { topics: [Object.values(approvalTopics), topicOf(owner)] },
      // Approvals of the newest blocks are worth knowing even where no node gives older ones.
      {
        fromBlock: Math.max(0, latestBlock - lookbackBlocks + 1),
        toBlock: latestBlock,
        partly: true,
        maxRequests: requestsFor(lookbackBlocks),
      },
    )
    const read = latestBlock - fromBlock + 1
    const cut = isComplete ? '' : ` Only the newest ${read} of ${lookbackBlocks} blocks could be read from the nodes.`
    const approvals = approvalsIn(logs)
    const pairs = newestOf(approvals)
    const newest = pairs.slice(0, maxApprovals)
    const allowances = await allowancesOf(chain, owner, newest, latestBlock)
    const verified = newest.flatMap((approval, index) => {
      const live = allowances[index]
      return live === undefined ? [] : [{ ...approval, live, infinite: isInfinite(live) }]
    })
    const active = verified.filter(({ live }) => live > 0n)
    const shown = includeRevoked ? verified : active
    const spenders = [...new Set(active.map(({ spender }) => spender))]
    const [tokens, sizes] = await Promise.all([
      tokensOf(chain, [...new Set(shown.map(({ token }) => token))], latestBlock),
      contracts.codeSizes(spenders),
    ])

    const accounts = new Set(spenders.filter((_spender, index) => sizes[index] === 0))
    const infinite = active.filter((one) => one.infinite)
    const toAccounts = active.filter(({ spender }) => accounts.has(spender))
    const unread = newest.length - verified.length
    return {
      owner,
      chain: 'base' as const,
      latestBlock,
      fromBlock,
      lookbackBlocks,
      approvalLogsScanned: approvals.length,
      distinctTokenSpendersSeen: pairs.length,
      activeApprovals: active.length,
      infiniteApprovals: infinite.length,
      riskScore: riskOf(active.length, infinite.length, toAccounts.length),
      summary: `${summaryOf(active.length, infinite.length, toAccounts.length, pairs.length)}${cut}`,
      approvals: shown
        .map((one) => ({
          token: one.token,
          spender: one.spender,
          currentAllowanceRaw: one.live.toString(),
          infinite: one.infinite,
          risk: one.live === 0n ? ('none' as const) : one.infinite ? ('high' as const) : ('medium' as const),
          lastApprovalRaw: one.raw.toString(),
          lastApprovalBlock: one.block,
          lastApprovalTx: one.transaction,
          tokenSymbol: tokens.get(one.token)?.symbol ?? null,
          tokenName: tokens.get(one.token)?.name ?? null,
          decimals: tokens.get(one.token)?.decimals ?? null,
          ...(one.viaPermit2 ? { via: 'permit2' as const } : {}),
        }))
        .toSorted((a, b) => ranks[b.risk] - ranks[a.risk]),
      fetchedAt: now().toISOString(),
      evidence: {
        rpcUrls: [...chain.origins],
        approvalTopic: approvalTopics.erc20,
        scannedRanges: [...ranges],
        note: `${noteOf(fromBlock, pairs.length - newest.length, unread)}${cut}`,
      },
    }
  },
})

/** With the reads of allowances and names beside them, an audit of the usual window stays below forty requests. */
const usual = { blocks: 50_000, requests: 28 } as const

function requestsFor(blocks: number): number {
  return Math.max(usual.requests, Math.ceil((usual.requests * blocks) / usual.blocks))
}

const ranks = { none: 0, medium: 1, high: 2 } as const

/** Unlimited approvals weigh most; a spender without code is somebody’s wallet, or nobody’s, and no exchange. */
function riskOf(active: number, infinite: number, toAccounts: number): number {
  return Math.min(100, infinite * 25 + (active - infinite) * 4 + toAccounts * 15)
}

function summaryOf(active: number, infinite: number, toAccounts: number, seen: number): string {
  if (seen === 0) return 'No ERC-20 approvals were made in the scanned blocks.'
  if (active === 0) return `None of the ${counted(seen, 'approved pair')} can spend anything now.`
  const unlimited = infinite === 0 ? 'none of them unlimited' : `${infinite} of them unlimited`
  const people =
    toAccounts === 0 ? '' : ` ${counted(toAccounts, 'approval')} to an address without code: a wallet, not an app.`
  const advice = infinite + toAccounts === 0 ? '' : ' Revoke what is not in use.'
  return `${counted(active, 'active approval')}, ${unlimited}.${people}${advice}`
}

function noteOf(fromBlock: number, unchecked: number, unread: number): string {
  return [
    fromBlock === 0 ? 'Read from the first block on.' : `Approvals from before block ${fromBlock} are not seen.`,
    `Also read: the approvals, permits and lockdowns that Permit2 (${permit2}) keeps.`,
    ...(unchecked > 0 ? [`${counted(unchecked, 'older pair')} beyond maxApprovals not verified.`] : []),
    ...(unread > 0 ? [`${counted(unread, 'pair')} left out: the token does not tell the allowance.`] : []),
  ].join(' ')
}

function counted(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? '' : 's'}`
}

function blockIn(answer: unknown): number {
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{1,13}$/.test(answer)) throw new UpstreamError('base-rpc')
  return Number(answer)
}
