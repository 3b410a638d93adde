/** The words of the interface; the schemas and the rows are both written in them. */
export const categories = ['defi', 'infra', 'ai-agent', 'consumer', 'nft', 'tooling', 'social'] as const
/** In the order a project goes through them. */
export const stages = ['idea', 'prototype', 'mainnet', 'scaling'] as const
export const programTypes = ['grant', 'accelerator', 'hackathon', 'retro-funding', 'quest', 'bounty'] as const

export type Category = (typeof categories)[number]
export type Stage = (typeof stages)[number]

/** One funding program as its sources describe it. Nothing here is guessed: what no source says is `null` or `unknown`. */
export type Program = {
  readonly id: string
  readonly name: string
  readonly type: (typeof programTypes)[number]
  /** Where a person applies or reads the terms. */
  readonly sourceUrl: string
  readonly deadline:
    | { readonly style: 'rolling' | 'recurring-weekly' | 'cohort' }
    | { readonly style: 'dated'; readonly date: string }
  readonly cadence: string
  /** `null` where the amount is not published. */
  readonly fundingUsd: { readonly min: number; readonly max: number } | null
  /** What the sources say about the money in their own terms. */
  readonly fundingNote: string | null
  readonly eligibility: string
  readonly categories: readonly Category[]
  readonly stages: readonly Stage[]
  /** Whether a contract deployed on Base is asked for. */
  readonly contract: 'required' | 'preferred' | 'not_required'
  /** What the money is for; everything here can be won by work on Base. */
  readonly chain: 'base' | 'superchain' | 'ethereum' | 'multi'
  readonly status: 'open' | 'closed' | 'unknown'
  /** How far the sources carry the status. */
  readonly confidence: 'low' | 'medium' | 'high'
  /** The date of the source, never the day this file was edited. */
  readonly verifiedOn: string
  readonly verifiedFrom: string
}

/** Changes whenever a row changes: the day, and a number within the day. */
export const datasetVersion = '2026.11.21-1'

/**
 * The reviewed rows. Whoever changes a row opens its page first and writes the date and the source of what they saw;
 * `scripts/grants-check.ts` lists the rows that wait for that.
 *
 * Left out: programs of other ecosystems (Arbitrum, Celo, Solana, Stellar, Polkadot, NEAR, Starknet, Filecoin, Cardano,
 * Sui), of other OP chains only (Soneium For All, World Foundation, Unichain forms), and mentorship without money.
 */
export const programs: readonly Program[] = [
  {
    id: 'base-batches',
    name: 'Base Batches',
    type: 'accelerator',
    sourceUrl: 'https://www.base.org/batches',
    deadline: {
      style: 'cohort',
    },
    cadence: 'two cohorts a year; dates only on the program page',
    fundingUsd: {
      min: 100000,
      max: 100000,
    },
    fundingNote: null,
    eligibility:
      'Early-stage teams, pre-product to post-MVP, no formal seed round yet, committed to Base as primary network; focus: trading, payments, agents, financing, asset issuance. 8-week virtual program and demo day.',
    categories: ['defi', 'consumer', 'ai-agent', 'infra'],
    stages: ['idea', 'prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-08-24',
    verifiedFrom:
      'base/docs docs/get-started/base-batches.mdx @80aa8e106503e5168489ee3b0ec0087d720e63cf (crawled between 2026-08-23 and 2026-09-23; lower bound used)',
  },
  {
    id: 'base-ecosystem-fund',
    name: 'Base Ecosystem Fund',
    type: 'accelerator',
    sourceUrl: 'https://docs.base.org/get-started/base-ecosystem-fund',
    deadline: {
      style: 'rolling',
    },
    cadence: 'open application, no deadline',
    fundingUsd: null,
    fundingNote: 'equity or token investment, amount negotiated',
    eligibility: 'Pre-seed and seed teams building natively on Base; investment by Coinbase Ventures, not a grant.',
    categories: ['defi', 'consumer', 'infra', 'tooling', 'social', 'ai-agent'],
    stages: ['prototype', 'mainnet', 'scaling'],
    contract: 'preferred',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-02-24',
    verifiedFrom:
      'gitcoinco/gitcoin_co_30 src/content/apps/base-ecosystem-fund.md (2026-02-23..24); base/docs page was a "Coming Soon" stub at 6fcd3703; listed in Blockchains/blockchainlab-api data/grants.json (2026-10)',
  },
  {
    id: 'base-builder-grants',
    name: 'Base Builder Grants',
    type: 'retro-funding',
    sourceUrl: 'https://paragraph.com/@grants.base.eth/calling-based-builders',
    deadline: {
      style: 'rolling',
    },
    cadence: 'numbered cohorts since March 2024 (20+)',
    fundingUsd: {
      min: 2723,
      max: 13615,
    },
    fundingNote: '1-5 ETH; USD at 2,722.97 per ETH (CoinGecko, 2026-09-23)',
    eligibility:
      'Shipped work on Base (apps, tools, content, infra); discovery by the Base team or public nomination form, no proposal; W8/W9 KYC before payout.',
    categories: ['defi', 'infra', 'ai-agent', 'consumer', 'nft', 'tooling', 'social'],
    stages: ['prototype', 'mainnet', 'scaling'],
    contract: 'preferred',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-02-24',
    verifiedFrom:
      'gitcoinco/gitcoin_co_30 src/content/apps/base-builder-grants.md (lastUpdated 2026-02-24); base/docs docs/get-started/get-funded.mdx',
  },
  {
    id: 'base-builder-rewards',
    name: 'Base Builder Rewards (Talent Protocol)',
    type: 'quest',
    sourceUrl: 'https://www.builderscore.xyz/',
    deadline: {
      style: 'recurring-weekly',
    },
    cadence: 'weekly, 2 ETH pool shared',
    fundingUsd: {
      min: 0,
      max: 5446,
    },
    fundingNote: '2 ETH per week for all builders together; USD at 2,722.97 per ETH (CoinGecko, 2026-09-23)',
    eligibility:
      'Anyone building on Base, prototypes welcome; ranked weekly by activity; Talent Protocol profile with human checkmark.',
    categories: ['defi', 'infra', 'ai-agent', 'consumer', 'nft', 'tooling', 'social'],
    stages: ['idea', 'prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-02-02',
    verifiedFrom:
      'base/web apps/web/src/components/Resources/section/Fund/index.tsx (repo at 2026-02-02); base/docs get-funded.mdx',
  },
  {
    id: 'base-dev-rewards',
    name: 'Base.dev App Rewards',
    type: 'quest',
    sourceUrl: 'https://docs.base.org/apps/growth/rewards',
    deadline: {
      style: 'rolling',
    },
    cadence: 'continuous; competitions and partner campaigns',
    fundingUsd: null,
    fundingNote: null,
    eligibility:
      'App verified on Base.dev with a builder address; rewards follow user engagement and onchain transactions, plus partner programs and competitions.',
    categories: ['consumer', 'social', 'defi', 'nft', 'ai-agent'],
    stages: ['mainnet', 'scaling'],
    contract: 'required',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-08-24',
    verifiedFrom: 'docs.base.org/apps/growth/rewards.md (stored docs page, 2026)',
  },
  {
    id: 'cdp-paymaster-credits',
    name: 'CDP Paymaster Gas Credits',
    type: 'grant',
    sourceUrl: 'https://www.coinbase.com/developer-platform/products/paymaster',
    deadline: {
      style: 'rolling',
    },
    cadence: 'continuous',
    fundingUsd: {
      min: 0,
      max: 15000,
    },
    fundingNote: '$600 on sign-up; eligible projects up to $15K in gas credits',
    eligibility: 'CDP account; credits pay user gas on Base (not cash); the $15K campaign needs project approval.',
    categories: ['consumer', 'defi', 'social', 'ai-agent', 'nft'],
    stages: ['prototype', 'mainnet', 'scaling'],
    contract: 'preferred',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-02-02',
    verifiedFrom:
      'base/web apps/web/src/components/Resources/section/Fund/index.tsx and GetStarted/Funding.tsx (repo at 2026-02-02)',
  },
  {
    id: 'op-foundation-missions',
    name: 'Optimism Foundation Missions',
    type: 'grant',
    sourceUrl: 'https://atlas.optimism.io/missions/foundation-missions',
    deadline: {
      style: 'dated',
      date: '2026-12-31',
    },
    cadence: 'each mission issue has its own deadline; source file holds 2026-12-31 as default',
    fundingUsd: null,
    fundingNote: 'up to 3.5M OP for the whole season budget',
    eligibility:
      'Answer a published mission request on GitHub; KYC and grant agreement; for predefined problems of the Superchain (Base included).',
    categories: ['infra', 'tooling', 'defi'],
    stages: ['prototype', 'mainnet', 'scaling'],
    contract: 'not_required',
    chain: 'superchain',
    status: 'open',
    confidence: 'low',
    verifiedOn: '2026-06-08',
    verifiedFrom:
      'voteagora/op-atlas app/src/lib/utils/foundationMissions.tsx (file 2026-01-19, repo d63f16eb at 2026-06-08)',
  },
  {
    id: 'op-growth-grants-s9',
    name: 'Optimism Season 9 Growth Grants',
    type: 'grant',
    sourceUrl: 'https://app.opgrants.io/',
    deadline: {
      style: 'dated',
      date: '2026-05-20',
    },
    cadence: 'season',
    fundingUsd: null,
    fundingNote: '3.89M OP season budget; example grant 205k OP (Moonwell, Base)',
    eligibility:
      'Superchain app with deployed contracts and a plan for DEX TVL or fees in priority pairs; 40% upfront, 60% on milestones.',
    categories: ['defi'],
    stages: ['mainnet', 'scaling'],
    contract: 'required',
    chain: 'superchain',
    status: 'closed',
    confidence: 'high',
    verifiedOn: '2026-06-08',
    verifiedFrom:
      'voteagora/op-atlas growthGrantsData.tsx (callout "May 20, 2026"; startsAt 2026-02-11, endsAt 2026-07-20); gov.optimism.io season-9-governance-fund-missions/10526',
  },
  {
    id: 'op-audit-grants-s8',
    name: 'Optimism Audit Grants',
    type: 'grant',
    sourceUrl: 'https://atlas.optimism.io/missions/audit-grants',
    deadline: {
      style: 'dated',
      date: '2025-11-04',
    },
    cadence: 'season',
    fundingUsd: null,
    fundingNote: '969.5K OP season budget',
    eligibility: 'Audit-ready app with contract verified on an eligible OP chain; DeFi needs a DefiLlama adapter.',
    categories: ['defi', 'infra'],
    stages: ['mainnet', 'scaling'],
    contract: 'required',
    chain: 'superchain',
    status: 'closed',
    confidence: 'high',
    verifiedOn: '2026-06-08',
    verifiedFrom: 'voteagora/op-atlas auditGrantsData.tsx (Nov 4, 2025)',
  },
  {
    id: 'op-retro-dev-tooling-s8',
    name: 'Optimism Retro Funding: Dev Tooling',
    type: 'retro-funding',
    sourceUrl: 'https://atlas.optimism.io/missions/retro-funding-dev-tooling',
    deadline: {
      style: 'dated',
      date: '2025-12-24',
    },
    cadence: 'season',
    fundingUsd: null,
    fundingNote: 'up to 3.65M OP season budget',
    eligibility: 'Open-source developer tools already used on the Superchain; proof of personhood; rewards streamed.',
    categories: ['tooling', 'infra'],
    stages: ['mainnet', 'scaling'],
    contract: 'not_required',
    chain: 'superchain',
    status: 'closed',
    confidence: 'high',
    verifiedOn: '2026-06-08',
    verifiedFrom: 'voteagora/op-atlas retroFundingDevToolingData.tsx',
  },
  {
    id: 'op-retro-onchain-builders-s8',
    name: 'Optimism Retro Funding: Onchain Builders',
    type: 'retro-funding',
    sourceUrl: 'https://atlas.optimism.io/missions/retro-funding-onchain-builders',
    deadline: {
      style: 'dated',
      date: '2025-12-24',
    },
    cadence: 'season',
    fundingUsd: null,
    fundingNote: 'up to 1.35M OP season budget',
    eligibility:
      'Apps with measured Superchain impact (transactions, gas, TVL, interop); verified contracts in OP Atlas.',
    categories: ['defi', 'consumer', 'social', 'ai-agent', 'nft'],
    stages: ['mainnet', 'scaling'],
    contract: 'required',
    chain: 'superchain',
    status: 'closed',
    confidence: 'high',
    verifiedOn: '2026-06-08',
    verifiedFrom: 'voteagora/op-atlas retroFundingOnchainBuildersData.tsx',
  },
  {
    id: 'op-governance-fund-missions',
    name: 'Optimism Governance Fund Missions',
    type: 'grant',
    sourceUrl: 'https://gov.optimism.io/tag/mission-request',
    deadline: {
      style: 'dated',
      date: '2025-12-31',
    },
    cadence: 'season',
    fundingUsd: null,
    fundingNote: '388K OP season budget',
    eligibility: 'Technical teams answering a Developer Advisory Board mission request on the forum.',
    categories: ['infra', 'tooling'],
    stages: ['prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'superchain',
    status: 'closed',
    confidence: 'medium',
    verifiedOn: '2026-06-08',
    verifiedFrom: 'voteagora/op-atlas governanceFundMissionsData.tsx',
  },
  {
    id: 'ef-esp',
    name: 'Ethereum Foundation Ecosystem Support Program',
    type: 'grant',
    sourceUrl: 'https://esp.ethereum.foundation/applicants',
    deadline: {
      style: 'rolling',
    },
    cadence: 'Wishlist and RFP items; office hours',
    fundingUsd: null,
    fundingNote: 'amount negotiated; 900+ projects, $148M+ in total since 2019',
    eligibility:
      'Open-source public goods that answer a Wishlist item or RFP; outputs must be open source; for-profit may apply.',
    categories: ['infra', 'tooling'],
    stages: ['idea', 'prototype', 'mainnet', 'scaling'],
    contract: 'not_required',
    chain: 'ethereum',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-10-03',
    verifiedFrom:
      'gitcoinco/gitcoin_co_30 ethereum-foundation-esp.md (2026-02-12); still listed in Blockchains/blockchainlab-api data/grants.json (2026-10-03)',
  },
  {
    id: 'uniswap-foundation',
    name: 'Uniswap Foundation Build Grants',
    type: 'grant',
    sourceUrl: 'https://www.uniswapfoundation.org/build',
    deadline: {
      style: 'rolling',
    },
    cadence: 'open call',
    fundingUsd: null,
    fundingNote: null,
    eligibility:
      'Builders on the Uniswap protocol (v4 hooks, liquidity tools, analytics); v4 on Base counts; Unichain has separate open-call and retro forms.',
    categories: ['defi', 'tooling'],
    stages: ['prototype', 'mainnet', 'scaling'],
    contract: 'not_required',
    chain: 'multi',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-10-03',
    verifiedFrom:
      'Blockchains/blockchainlab-api data/grants.json (2026-10-03); voteagora/op-atlas otherSuperchainGrantsData.tsx (2025-09-30)',
  },
  {
    id: 'aave-grants-dao',
    name: 'Aave Grants DAO',
    type: 'grant',
    sourceUrl: 'https://aavegrants.org/',
    deadline: {
      style: 'rolling',
    },
    cadence: 'unknown',
    fundingUsd: null,
    fundingNote: null,
    eligibility: 'Projects that use or extend Aave; Aave is deployed on Base.',
    categories: ['defi'],
    stages: ['prototype', 'mainnet', 'scaling'],
    contract: 'not_required',
    chain: 'multi',
    status: 'unknown',
    confidence: 'low',
    verifiedOn: '2026-10-03',
    verifiedFrom: 'Blockchains/blockchainlab-api data/grants.json lists the name and url only; activity not confirmed',
  },
  {
    id: 'octant',
    name: 'Octant',
    type: 'retro-funding',
    sourceUrl: 'https://octant.app/',
    deadline: {
      style: 'cohort',
    },
    cadence: '90-day epochs with a two-week allocation window',
    fundingUsd: null,
    fundingNote: 'share of ETH staking yield on 100,000 ETH; 2,340+ ETH to 80+ projects in eight windows',
    eligibility:
      'Public-goods project curated by the Golem Foundation with community input; matched quadratic donations.',
    categories: ['infra', 'tooling', 'social'],
    stages: ['mainnet', 'scaling'],
    contract: 'not_required',
    chain: 'ethereum',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-02-28',
    verifiedFrom: 'gitcoinco/gitcoin_co_30 src/content/apps/octant.md (lastUpdated 2026-02-28)',
  },
  {
    id: 'gitcoin-gg24',
    name: 'Gitcoin Grants 24',
    type: 'retro-funding',
    sourceUrl: 'https://grants.gitcoin.co',
    deadline: {
      style: 'dated',
      date: '2025-10-28',
    },
    cadence: 'about yearly; next round not announced in the sources',
    fundingUsd: {
      min: 2500,
      max: 50000,
    },
    fundingNote: '$1.8M over six domains; grants $2.5K-$20K and a $10K matching cap in the tooling QF round',
    eligibility: 'Open-source public goods in one of the round domains; active development.',
    categories: ['tooling', 'infra'],
    stages: ['prototype', 'mainnet', 'scaling'],
    contract: 'not_required',
    chain: 'multi',
    status: 'closed',
    confidence: 'high',
    verifiedOn: '2026-02-20',
    verifiedFrom: 'gitcoinco/gitcoin_co_30 src/content/campaigns/gitcoin-grants-24-gg24.md (2025-10-14..28)',
  },
  {
    id: 'flows-wtf',
    name: 'Flows.wtf streaming grants',
    type: 'grant',
    sourceUrl: 'https://flows.wtf/apply',
    deadline: {
      style: 'rolling',
    },
    cadence: 'second-by-second streams, curated continuously',
    fundingUsd: null,
    fundingNote: 'stream share of each flow budget; 605 builders funded by early 2026',
    eligibility:
      'Open application per flow (Nouns, Higher, Zora, Farcaster ecosystems); token-curated registry may challenge.',
    categories: ['social', 'nft', 'consumer', 'tooling'],
    stages: ['idea', 'prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-02-25',
    verifiedFrom: 'gitcoinco/gitcoin_co_30 src/content/apps/flows-wtf.md (lastUpdated 2026-02-25)',
  },
  {
    id: 'poidh',
    name: 'poidh open bounties',
    type: 'bounty',
    sourceUrl: 'https://poidh.xyz',
    deadline: {
      style: 'rolling',
    },
    cadence: 'each bounty has its own life',
    fundingUsd: {
      min: 5,
      max: 30000,
    },
    fundingNote: '$65,000 paid in total by March 2026; largest single $30K',
    eligibility:
      'Claim an open bounty with proof; stake-weighted vote pays out; live on Base, Arbitrum and Degen Chain; agents may post and select.',
    categories: ['social', 'consumer', 'ai-agent'],
    stages: ['idea', 'prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-03-16',
    verifiedFrom: 'gitcoinco/gitcoin_co_30 src/content/apps/poidh.md (lastUpdated 2026-03-16)',
  },
  {
    id: 'agent-bounties',
    name: 'Agent Bounties (Base USDC escrow)',
    type: 'bounty',
    sourceUrl: 'https://github.com/NSPG13/agent-bounties',
    deadline: {
      style: 'rolling',
    },
    cadence: 'continuous',
    fundingUsd: {
      min: 1,
      max: 30,
    },
    fundingNote: '2-30 USDC per bounty seen in July-August 2026',
    eligibility: 'Any agent with a Base wallet; 0.01 USDC refundable claim bond; deterministic or bound verification.',
    categories: ['ai-agent', 'tooling'],
    stages: ['idea', 'prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'base',
    status: 'open',
    confidence: 'medium',
    verifiedOn: '2026-08-24',
    verifiedFrom: 'NSPG13/agent-bounties issues #659 (2026-07-28), #1183 (2026-08-24)',
  },
  {
    id: 'deskcrew-bounties',
    name: 'DeskCrew Bounty Board',
    type: 'bounty',
    sourceUrl: 'https://github.com/Merit-Systems/awesome-agentic-commerce/pull/557',
    deadline: {
      style: 'rolling',
    },
    cadence: 'continuous',
    fundingUsd: null,
    fundingNote: '85% of each ticket bounty in USDC on Base; about $0.08 x402 fee to submit',
    eligibility: 'Agents that answer support tickets; human approval triggers payment.',
    categories: ['ai-agent'],
    stages: ['prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'base',
    status: 'open',
    confidence: 'low',
    verifiedOn: '2026-08-06',
    verifiedFrom: 'Merit-Systems/awesome-agentic-commerce PR #557 (2026-08-06)',
  },
  {
    id: 'taskmarket',
    name: 'Taskmarket bounties',
    type: 'bounty',
    sourceUrl: 'https://github.com/nighshift-labs/x402-bazaar-doctor/blob/main/fixtures/platform_payout_wallets.json',
    deadline: {
      style: 'rolling',
    },
    cadence: 'continuous',
    fundingUsd: {
      min: 0.09,
      max: 10,
    },
    fundingNote: 'one measured award: ten workers x 0.0925 USDC; three awards 9.73 USDC in 90 days to one worker',
    eligibility: 'Agents with a Base wallet that complete posted tasks; settled in USDC on Base.',
    categories: ['ai-agent'],
    stages: ['prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'base',
    status: 'open',
    confidence: 'low',
    verifiedOn: '2026-08-21',
    verifiedFrom:
      'nighshift-labs/x402-bazaar-doctor README rounds 3-4 (on-chain receipts); Circadian agent-earning-venues-2026-08-18.json',
  },
  {
    id: 'ethglobal-mumbai-2026',
    name: 'ETHGlobal Mumbai 2026',
    type: 'hackathon',
    sourceUrl: 'https://ethglobal.com/events/mumbai',
    deadline: {
      style: 'dated',
      date: '2026-11-05',
    },
    cadence: 'event 2026-11-05 to 2026-11-07',
    fundingUsd: null,
    fundingNote: 'prizes by partner, not listed in the source',
    eligibility: 'Accepted hackers, in person; new work only.',
    categories: ['defi', 'infra', 'ai-agent', 'consumer', 'nft', 'tooling', 'social'],
    stages: ['idea', 'prototype'],
    contract: 'not_required',
    chain: 'multi',
    status: 'closed',
    confidence: 'high',
    verifiedOn: '2026-10-03',
    verifiedFrom: 'Blockchains/blockchainlab-feeds feeds/hackathons/latest.json (2026-10-03)',
  },
  {
    id: 'ethonline-2026',
    name: 'ETHOnline 2026',
    type: 'hackathon',
    sourceUrl: 'https://ethglobal.com/events',
    deadline: {
      style: 'dated',
      date: '2026-09-04',
    },
    cadence: 'event 2026-09-04 to 2026-09-16',
    fundingUsd: {
      min: 0,
      max: 100000,
    },
    fundingNote: '$100k+ in partner prizes',
    eligibility: 'Online; anyone accepted; new work only.',
    categories: ['defi', 'infra', 'ai-agent', 'consumer', 'nft', 'tooling', 'social'],
    stages: ['idea', 'prototype'],
    contract: 'not_required',
    chain: 'multi',
    status: 'closed',
    confidence: 'medium',
    verifiedOn: '2026-08-17',
    verifiedFrom: 'gist.github.com/adophilus hackathons-2026.md (2026-08-17)',
  },
  {
    id: 'hackmoney-2026',
    name: 'HackMoney 2026',
    type: 'hackathon',
    sourceUrl: 'https://ethglobal.com/events/hackmoney2026',
    deadline: {
      style: 'dated',
      date: '2026-02-08',
    },
    cadence: 'event 2026-01-30 to 2026-02-11',
    fundingUsd: null,
    fundingNote: 'partner prizes',
    eligibility: 'Online DeFi hackathon.',
    categories: ['defi'],
    stages: ['idea', 'prototype'],
    contract: 'not_required',
    chain: 'multi',
    status: 'closed',
    confidence: 'high',
    verifiedOn: '2026-02-12',
    verifiedFrom: 'grokipedia.com/page/HackMoney_2026',
  },
  {
    id: 'a16z-csx',
    name: 'a16z crypto Startup Accelerator (CSX)',
    type: 'accelerator',
    sourceUrl: 'https://a16zcrypto.com/accelerator/',
    deadline: {
      style: 'cohort',
    },
    cadence: 'cohorts; current dates not in the sources',
    fundingUsd: {
      min: 500000,
      max: 500000,
    },
    fundingNote: '$500,000 for equity, 10 weeks (2024 cohort)',
    eligibility: 'Crypto founders at the earliest stage; equity taken.',
    categories: ['defi', 'infra', 'consumer', 'ai-agent', 'social', 'tooling', 'nft'],
    stages: ['idea', 'prototype'],
    contract: 'not_required',
    chain: 'multi',
    status: 'unknown',
    confidence: 'low',
    verifiedOn: '2024-07-01',
    verifiedFrom: 'BitpushNews/Wired report on the London cohort (2024)',
  },
  {
    id: 'alliance',
    name: 'Alliance accelerator',
    type: 'accelerator',
    sourceUrl: 'https://alliance.xyz/',
    deadline: {
      style: 'cohort',
    },
    cadence: 'twice a year, 10 weeks',
    fundingUsd: null,
    fundingNote: null,
    eligibility: 'Crypto (and AI) founders; 3,000+ applications a year; 28% of applicants in 2024 built on Base.',
    categories: ['defi', 'infra', 'consumer', 'ai-agent', 'social'],
    stages: ['idea', 'prototype', 'mainnet'],
    contract: 'not_required',
    chain: 'multi',
    status: 'unknown',
    confidence: 'low',
    verifiedOn: '2024-12-18',
    verifiedFrom: 'panewslab/ChainCatcher interview (2024-12-18); AllianceDAO 2024 report (2024-10)',
  },
]
