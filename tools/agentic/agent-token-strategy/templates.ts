/** The words of the interface; the schemas and the templates are both written in them. */
export const patterns = ['fair-launch-axiom-style', 'staking-loop', 'minimal-erc20'] as const
export const buckets = [
  'fair-launch-liquidity',
  'staker-rewards',
  'agent-treasury',
  'community-airdrop',
  'ecosystem-grants',
  'lp-incentives',
  'operator-multisig',
] as const
export const vestings = ['none', 'linear-12mo', 'linear-24mo', 'cliff-6mo-linear-18mo'] as const
export const standards = ['ERC20', 'ERC4626', 'ERC721', 'ERC20Votes'] as const
export const openzeppelinTemplates = [
  'ERC20',
  'ERC20Burnable',
  'ERC20Permit',
  'ERC20Votes',
  'ERC4626',
  'ERC721',
  'ERC721Enumerable',
  'Ownable',
] as const
export const dexes = ['uniswap-v3-base', 'aerodrome-base'] as const
export const pairAssets = ['WETH', 'USDC'] as const

export type Pattern = (typeof patterns)[number]
export type Bucket = (typeof buckets)[number]
export type Vesting = (typeof vestings)[number]

export type Allocation = {
  readonly bucket: Bucket
  readonly percent: number
  readonly vesting: Vesting
  readonly reason: string
}

/** A contract of a plan; `suffix` ends its name. */
export type PlannedContract = {
  readonly suffix: 'Token' | 'Vault' | 'Pass'
  readonly standard: (typeof standards)[number]
  readonly template: 'ERC20' | 'ERC20Permit' | 'ERC20Votes' | 'ERC4626' | 'ERC721' | 'ERC721Enumerable'
  readonly purpose: string
}

export type Template = {
  readonly defaultSupply: number
  readonly allocations: readonly Allocation[]
  readonly contracts: readonly PlannedContract[]
  /** The access pass that `include_nft` adds. */
  readonly pass: PlannedContract
  readonly dex: (typeof dexes)[number]
  readonly pairAsset: (typeof pairAssets)[number]
  readonly lpLockMonths: number
  readonly antiSniperBlocks: number
  readonly renounceOwnership: boolean
}

const ownerlessPass: PlannedContract = {
  suffix: 'Pass',
  standard: 'ERC721',
  template: 'ERC721',
  purpose: 'Access pass without an owner: a wallet that holds enough of the token mints the one pass of its address.',
}

/** The three launches this tool knows how to plan. The percents of each sum to 100. */
export const templates: Readonly<Record<Pattern, Template>> = {
  'fair-launch-axiom-style': {
    defaultSupply: 1_000_000_000,
    allocations: [
      {
        bucket: 'fair-launch-liquidity',
        percent: 90,
        vesting: 'none',
        reason: 'everyone buys from the same open pool at the same moment.',
      },
      {
        bucket: 'agent-treasury',
        percent: 5,
        vesting: 'linear-24mo',
        reason: 'pays for running the agent; the stream shows holders what can be sold and when.',
      },
      {
        bucket: 'ecosystem-grants',
        percent: 5,
        vesting: 'linear-12mo',
        reason: 'rewards builders and integrations after they shipped.',
      },
    ],
    contracts: [
      {
        suffix: 'Token',
        standard: 'ERC20',
        template: 'ERC20Permit',
        purpose:
          'Fixed supply, no mint function and no owner; approvals by signature (ERC-2612). 18 decimals, as pools and wallets expect.',
      },
    ],
    pass: ownerlessPass,
    dex: 'aerodrome-base',
    pairAsset: 'WETH',
    lpLockMonths: 24,
    antiSniperBlocks: 3,
    renounceOwnership: true,
  },
  'staking-loop': {
    defaultSupply: 1_000_000_000,
    allocations: [
      {
        bucket: 'fair-launch-liquidity',
        percent: 40,
        vesting: 'none',
        reason: 'enough depth for stakers to enter and leave through an open pool.',
      },
      {
        bucket: 'staker-rewards',
        percent: 35,
        vesting: 'linear-24mo',
        reason: 'a fixed pool streamed into the vault; when it is empty, rewards end.',
      },
      {
        bucket: 'community-airdrop',
        percent: 10,
        vesting: 'none',
        reason: 'spreads votes before the first proposal; nobody pays for it.',
      },
      {
        bucket: 'agent-treasury',
        percent: 10,
        vesting: 'cliff-6mo-linear-18mo',
        reason: 'pays for running the agent, and only after half a year of proof.',
      },
      {
        bucket: 'ecosystem-grants',
        percent: 5,
        vesting: 'linear-12mo',
        reason: 'rewards builders and integrations after they shipped.',
      },
    ],
    contracts: [
      {
        suffix: 'Token',
        standard: 'ERC20Votes',
        template: 'ERC20Votes',
        purpose:
          'Fixed supply with delegated votes and approvals by signature, no owner. 18 decimals, as pools and wallets expect; votes cap the supply at 2^208-1 units.',
      },
      {
        suffix: 'Vault',
        standard: 'ERC4626',
        template: 'ERC4626',
        purpose:
          'Staking vault over the token; rewards sent to it raise the share price. Needs _decimalsOffset() = 6 against the first-deposit inflation attack.',
      },
    ],
    pass: {
      suffix: 'Pass',
      standard: 'ERC721',
      template: 'ERC721Enumerable',
      purpose: 'Access pass minted by its owner (Ownable, initialOwner in the constructor) and listable on the chain.',
    },
    dex: 'aerodrome-base',
    pairAsset: 'WETH',
    lpLockMonths: 12,
    antiSniperBlocks: 3,
    // Somebody has to fund the vault and stream the rewards before ownership can go.
    renounceOwnership: false,
  },
  'minimal-erc20': {
    defaultSupply: 100_000_000,
    allocations: [
      {
        bucket: 'fair-launch-liquidity',
        percent: 85,
        vesting: 'none',
        reason: 'the open pool is the only way to get the token.',
      },
      {
        bucket: 'operator-multisig',
        percent: 15,
        vesting: 'cliff-6mo-linear-18mo',
        reason: 'the one reserve, held by several signers and locked for half a year.',
      },
    ],
    contracts: [
      {
        suffix: 'Token',
        standard: 'ERC20',
        template: 'ERC20',
        purpose:
          'The smallest standard token: fixed supply, no mint function, no owner. 18 decimals, as pools and wallets expect.',
      },
    ],
    pass: ownerlessPass,
    dex: 'uniswap-v3-base',
    pairAsset: 'WETH',
    lpLockMonths: 6,
    antiSniperBlocks: 0,
    renounceOwnership: true,
  },
}
