import type { Upstreams } from '../../../src/tool/tool.ts'
import type { Power } from './functions.ts'
import type { Trial } from './simulate.ts'

type Contracts = Upstreams['contracts']
type Contract = Extract<Awaited<ReturnType<Contracts['read']>>, { readonly kind: 'contract' }>
type Source = Awaited<ReturnType<Contracts['source']>>

/** Everything that is known of a contract before it is judged. */
export type Facts = {
  readonly reading: Contract
  readonly source: Source
  /** Source of the code a proxy runs; undefined where the contract runs its own. */
  readonly implementation: Source | undefined
  readonly powers: ReadonlySet<Power>
  /** Undefined where it is no token, or could not be tried. */
  readonly trial: Trial | undefined
  /** The explorer calls it a scam, or says something else than that all is well. */
  readonly isReported: boolean
}

export type Verdict = {
  readonly safetyScore: number
  readonly safetyLevel: 'likely_safe' | 'moderate_risk' | 'high_risk' | 'dangerous'
  readonly risks: string[]
  readonly positives: string[]
}

type Risk = { readonly points: number; readonly text: string }

/** Judges by a table of points off a hundred; the same facts always give the same verdict. */
export function judge(facts: Facts): Verdict {
  const risks = [
    ...sourceRisks(facts),
    ...controlRisks(facts),
    ...codeRisks(facts),
    ...powerRisks(facts),
    ...trialRisks(facts),
  ]
  const lost = risks.reduce((sum, { points }) => sum + points, 0)
  const safetyScore = Math.max(0, 100 - lost)
  return {
    safetyScore,
    safetyLevel: levelOf(safetyScore),
    risks: risks.toSorted((a, b) => b.points - a.points).map(({ points, text }) => `${text} (-${points})`),
    positives: positivesOf(facts),
  }
}

function levelOf(score: number): Verdict['safetyLevel'] {
  if (score >= 80) return 'likely_safe'
  if (score >= 60) return 'moderate_risk'
  return score >= 35 ? 'high_risk' : 'dangerous'
}

function sourceRisks({ source, implementation, reading, isReported }: Facts): readonly Risk[] {
  return when([
    !isReadable({ source, implementation, reading }) && {
      points: 25,
      // Who could not be asked has not said no; it weighs the same, since nothing could be read.
      text: (implementation ?? source).isUnknown
        ? 'Whether a source is published could not be looked up now, so the code was judged alone'
        : 'No source is published for the code that runs, so nobody can read what it does',
    },
    source.isChangedBytecode && { points: 30, text: 'The code on the chain is not the code that was verified' },
    isReported && { points: 40, text: 'The explorer reports it as a scam or as of bad reputation' },
  ])
}

/** Whether the code that runs can be read. A clone's own code is a forwarder that needs no source. */
export function isReadable({
  source,
  implementation,
  reading,
}: Pick<Facts, 'source' | 'implementation' | 'reading'>): boolean {
  if (implementation !== undefined) return implementation.isVerified
  return reading.proxy.targets.length === 0 && source.isVerified
}

function controlRisks({ reading: { proxy } }: Facts): readonly Risk[] {
  const risks: Risk[] = []
  if (proxy.isUpgradeable) risks.push(upgradeRisks[proxy.controller?.kind ?? 'unknown'])
  if (proxy.targets.some(({ hasCode }) => !hasCode)) {
    risks.push({ points: 30, text: 'The proxy points to an address without code, so calls do nothing or fail' })
  }
  return risks
}

const upgradeRisks = {
  account: { points: 25, text: 'A single account can replace all of the code at any time' },
  contract: { points: 12, text: 'A contract that is no known timelock or multisig can replace the code' },
  unknown: { points: 12, text: 'The code can be replaced, and who may do so cannot be told' },
  multisig: { points: 8, text: 'A multisig can replace the code' },
  timelock: { points: 8, text: 'The code can be replaced through a timelock' },
  none: { points: 8, text: 'The code is replaceable, though its owner is gone' },
} as const satisfies Record<string, Risk>

function codeRisks({ reading, powers }: Facts): readonly Risk[] {
  const { code, logic, proxy, balanceWei } = reading
  const runs = (name: (typeof code.instructions)[number]): boolean =>
    logic.some((one) => one.code.instructions.includes(name))
  const isProxy = proxy.targets.length > 0
  const runsItself = logic.every((one) => one.code === code)
  const delegates = (runs('DELEGATECALL') || runs('CALLCODE')) && !(isProxy && runsItself)
  return when([
    (runs('SELFDESTRUCT') || code.instructions.includes('SELFDESTRUCT')) &&
      // Since the Cancun upgrade the code stays; the ether still goes wherever the code says.
      (balanceWei > 0n
        ? { points: 22, text: 'It can self-destruct, which sends all of the ether it holds away' }
        : { points: 8, text: 'It can self-destruct, which would send all of its ether away' }),
    // An implementation that replaces itself delegates once, to set the new one up; that is counted as upgradeable.
    delegates &&
      !powers.has('upgrade') && { points: 10, text: 'It runs code of other contracts as its own (delegatecall)' },
    runs('ORIGIN') && { points: 4, text: 'It asks who signed the transaction (tx.origin), which phishing can abuse' },
  ])
}

function powerRisks({ powers, reading: { owner } }: Facts): readonly Risk[] {
  const isOwnerGone = owner?.kind === 'none' && !powers.has('roles')
  return when([
    powers.has('mint') && !isOwnerGone && { points: 10, text: 'Somebody can mint more of it' },
    powers.has('blacklist') && { points: 12, text: 'Accounts can be blacklisted or frozen' },
    powers.has('pause') && { points: 6, text: 'It can be paused' },
    powers.has('fees') && { points: 6, text: 'Fees or exemptions from them can be changed' },
    powers.has('trading') && { points: 6, text: 'Trading or its limits can be switched' },
  ])
}

function trialRisks({ trial }: Facts): readonly Risk[] {
  if (trial === undefined) return []
  const { sending, selling } = trial
  if (!sending.works) return [{ points: 45, text: 'An ordinary holder cannot send it: a simulated transfer fails' }]
  if (!selling.works) return [{ points: 45, text: 'An ordinary holder cannot sell it: a simulated sale fails' }]
  const lost = Math.round((100 - Math.min(sending.arrivedPercent, selling.arrivedPercent)) * 100) / 100
  if (lost >= 50) return [{ points: 35, text: `${lost} % of what a holder sends or sells does not arrive` }]
  if (lost >= 10) return [{ points: 12, text: `${lost} % of what a holder sends or sells does not arrive` }]
  return lost > 0 ? [{ points: 3, text: `${lost} % of what a holder sends or sells does not arrive` }] : []
}

function positivesOf({ reading, source, implementation, powers, trial }: Facts): string[] {
  const { proxy, owner, logic } = reading
  const running = implementation ?? source
  const isPlain = logic.every(({ code }) => !code.instructions.some((name) => grave.has(name)))
  const keeper = proxy.controller?.kind
  return when([
    isReadable({ reading, source, implementation }) && {
      text:
        running.method === 'bytecode_match'
          ? 'The source is known from a verified contract with the same bytecode'
          : `The source of the code that runs is published${running.match === 'full' ? ', and matches in full' : ''}`,
    },
    proxy.targets.length > 0 && !proxy.isUpgradeable && { text: 'It is a clone whose code cannot be replaced' },
    proxy.targets.length === 0 && { text: 'It is no proxy: its code cannot be replaced' },
    (keeper === 'timelock' || keeper === 'multisig') && { text: `A ${keeper} decides about upgrades` },
    owner?.kind === 'none' && { text: 'Ownership is renounced' },
    (owner?.kind === 'timelock' || owner?.kind === 'multisig') && { text: `It belongs to a ${owner.kind}` },
    isPlain && { text: 'Its code neither self-destructs nor runs code of others' },
    ordinaryPowers.every((power) => !powers.has(power)) && {
      text: 'No function is known that mints, pauses, blacklists, or changes fees or trading',
    },
    trial !== undefined &&
      trial.sending.arrivedPercent === 100 &&
      trial.selling.arrivedPercent === 100 && {
        text: trial.hasPool
          ? 'An ordinary holder can send it and sell it to its pool, without loss (simulated)'
          : 'An ordinary holder can send it, and have it sent, without loss (simulated)',
      },
  ]).map(({ text }) => text)
}

const ordinaryPowers = ['mint', 'blacklist', 'pause', 'fees', 'trading'] as const
const grave: ReadonlySet<string> = new Set(['SELFDESTRUCT', 'DELEGATECALL', 'CALLCODE'])

function when<T extends object>(rows: readonly (T | false)[]): readonly T[] {
  return rows.flatMap((row) => (row === false ? [] : [row]))
}
