import type { Bucket } from './templates.ts'

/** The order is part of the interface. */
export const criteria = [
  'no-investment-contract',
  'no-common-enterprise',
  'no-profit-expectation-from-others',
  'utility-on-deploy',
  'no-revenue-share-promise',
  'no-pre-sale-or-private-allocation',
] as const
export const statuses = ['pass', 'warn', 'fail'] as const
export const riskNames = [
  'sybil-airdrop-farming',
  'lp-rug-by-deployer',
  'deployer-key-compromise',
  'front-running-on-launch',
  'regulatory-reclassification',
  'oracle-manipulation',
] as const
export const severities = ['low', 'medium', 'high', 'critical'] as const

/** What the checklist and the risks are judged by. */
export type PlanFacts = {
  readonly percentOf: Readonly<Partial<Record<Bucket, number>>>
  readonly hasVault: boolean
  readonly hasPass: boolean
  readonly lpLockMonths: number
  readonly antiSniperBlocks: number
  readonly renounceOwnership: boolean
}

export type Finding = {
  readonly criterion: (typeof criteria)[number]
  readonly status: (typeof statuses)[number]
  readonly note: string
}

export type Risk = {
  readonly risk: (typeof riskNames)[number]
  readonly severity: (typeof severities)[number]
  readonly mitigation: string
}

/** Above this share in the hands of the agent and its operator, holders depend on one manager. */
const insiderPercentLimit = 20

const howey = 'SEC v. W. J. Howey Co., 328 U.S. 293'
const disclaimer = 'Not legal advice.'

/** Six criteria in the order of the interface, after the prongs of the Howey test: a warning where a lawyer would ask questions. */
export function checklistOf(facts: PlanFacts): readonly Finding[] {
  const insiders = insiderPercent(facts)
  return [
    facts.hasVault
      ? {
          criterion: 'no-investment-contract',
          status: 'warn',
          note: `Depositing tokens for a yield can be read as an investment of money (${howey}). Have counsel look at the vault before it opens. ${disclaimer}`,
        }
      : {
          criterion: 'no-investment-contract',
          status: 'pass',
          note: `The deployer sells nothing and raises no money; supply goes to an open pool (investment of money, ${howey}). ${disclaimer}`,
        },
    insiders > insiderPercentLimit
      ? {
          criterion: 'no-common-enterprise',
          status: 'warn',
          note: `Agent and operator hold ${insiders} %, more than ${insiderPercentLimit} %: holders' fortunes may hang on one manager (common enterprise, ${howey}). ${disclaimer}`,
        }
      : {
          criterion: 'no-common-enterprise',
          status: 'pass',
          note: `Agent and operator hold ${insiders} %, at most ${insiderPercentLimit} %; no pooled funds are managed for holders (common enterprise, ${howey}). ${disclaimer}`,
        },
    facts.hasVault
      ? {
          criterion: 'no-profit-expectation-from-others',
          status: 'warn',
          note: `Stakers expect rewards. They may only come from the fixed ${facts.percentOf['staker-rewards'] ?? 0} % pool, never from the operator's effort (profits from others, ${howey}). ${disclaimer}`,
        }
      : {
          criterion: 'no-profit-expectation-from-others',
          status: 'pass',
          note: `The plan has no yield, buyback or roadmap promise; one public promise of gains would change this (profits from others, ${howey}). ${disclaimer}`,
        },
    utilityOf(facts),
    {
      criterion: 'no-revenue-share-promise',
      status: 'pass',
      note: facts.hasVault
        ? `No fee or revenue flows to holders; the vault pays from its fixed pool only. Funding it from revenue would change this (${howey}). ${disclaimer}`
        : `No fee, revenue or dividend flows to holders in these contracts, and none may be promised (profits, ${howey}). ${disclaimer}`,
    },
    insiders > 0
      ? {
          criterion: 'no-pre-sale-or-private-allocation',
          status: 'warn',
          note: `Nothing is sold before launch, but ${insiders} % goes to the agent or its operator, vested. Publish the vesting address and schedule (${howey}). ${disclaimer}`,
        }
      : {
          criterion: 'no-pre-sale-or-private-allocation',
          status: 'pass',
          note: `No pre-sale and no insider bucket: the open pool is the only way in (${howey}). ${disclaimer}`,
        },
  ]
}

/** Three to six risks that the facts of the plan raise, each once. */
export function risksOf(facts: PlanFacts): readonly Risk[] {
  const lockedLong = facts.lpLockMonths >= 12
  const risks: readonly (Risk | undefined)[] = [
    {
      risk: 'lp-rug-by-deployer',
      severity: facts.lpLockMonths === 0 ? 'high' : lockedLong && facts.renounceOwnership ? 'low' : 'medium',
      mitigation: `Lock the pool position for ${facts.lpLockMonths} months in a public locker before the first trade and publish the lock transaction.`,
    },
    {
      risk: 'deployer-key-compromise',
      severity: facts.renounceOwnership ? 'low' : 'medium',
      mitigation: facts.renounceOwnership
        ? 'No contract here has an owner. Deploy from a fresh key, move every allocation out in the same session and retire the key.'
        : 'Put undistributed rewards and every owner role behind a multisig at once; renounce when the vault is funded.',
    },
    {
      risk: 'front-running-on-launch',
      severity: facts.antiSniperBlocks === 0 ? 'high' : 'medium',
      mitigation:
        facts.antiSniperBlocks === 0
          ? 'Without a delay the first block belongs to bots: add liquidity and open trading in one transaction, or cap the first buys.'
          : `Hold buys back for ${facts.antiSniperBlocks} blocks after the pool opens; add liquidity and open trading in one transaction.`,
    },
    {
      risk: 'regulatory-reclassification',
      severity: facts.hasVault ? 'high' : 'medium',
      mitigation: facts.hasVault
        ? 'Yield on deposits draws regulators. Get an opinion for each country you serve, and never advertise a return.'
        : 'Describe what the token does and never what it may be worth; keep a record of every public statement.',
    },
    (facts.percentOf['community-airdrop'] ?? 0) > 0
      ? {
          risk: 'sybil-airdrop-farming',
          severity: 'medium',
          mitigation:
            'Take the airdrop snapshot before announcing it, weigh by age of activity and cap what one wallet gets.',
        }
      : undefined,
    facts.hasVault
      ? {
          risk: 'oracle-manipulation',
          severity: 'medium',
          mitigation:
            'Anyone can move the share price by donating to the vault: keep _decimalsOffset() = 6 and never use the share price as an oracle.',
        }
      : undefined,
  ]
  return risks.filter((risk) => risk !== undefined)
}

function utilityOf(facts: PlanFacts): Finding {
  const criterion = 'utility-on-deploy'
  if (facts.hasPass) {
    const note = `The access pass works from the first block, so the token has a use of its own; wire it to a service before launch (${howey}). ${disclaimer}`
    return { criterion, status: 'pass', note }
  }
  if (facts.hasVault) {
    const note = `Voting and staking work from the first block; make sure there is something to vote on (use before price, ${howey}). ${disclaimer}`
    return { criterion, status: 'pass', note }
  }
  const note = `A plain token does nothing at deploy, so buyers can only hope for a price (${howey}). Ship a use first or set include_nft. ${disclaimer}`
  return { criterion, status: 'warn', note }
}

function insiderPercent({ percentOf }: PlanFacts): number {
  return (percentOf['agent-treasury'] ?? 0) + (percentOf['operator-multisig'] ?? 0)
}
