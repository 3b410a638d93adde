import { zeroAddress } from '../../../src/tool/tool.ts'

/** What a large transfer was, in the order it is asked. */
export const cohorts = [
  'staker',
  'exchange-deposit',
  'exchange-withdraw',
  'dumper',
  'LP-remove',
  'LP-add',
  'new-wallet',
] as const

export type Cohort = (typeof cohorts)[number]

/** Addresses in lower case, by what they are. */
export type Places = {
  readonly vault: string | undefined
  readonly exchanges: ReadonlySet<string>
  readonly pairs: ReadonlySet<string>
  readonly positionManagers: ReadonlySet<string>
}

export type Transfer = {
  readonly from: string
  readonly to: string
  readonly transactionHash: string
  readonly logIndex: number
  readonly blockNumber: number
}

/** Liquidity that moved, as `transaction:pool`: distinguishes it from a trade. */
export type Liquidity = { readonly added: ReadonlySet<string>; readonly removed: ReadonlySet<string> }

const nobody: ReadonlySet<string> = new Set([zeroAddress, '0x000000000000000000000000000000000000dead'])

/**
 * The cohort of a transfer; `unseen` where it depends on what the receiver is; undefined where it is of no interest.
 */
export function cohortOf(transfer: Transfer, places: Places, liquidity: Liquidity): Cohort | 'unseen' | undefined {
  const { from, to, transactionHash } = transfer
  // Both ways: what leaves the vault can be sold next. The vault is the sender then.
  if (places.vault !== undefined && (to === places.vault || from === places.vault)) return 'staker'
  if (places.exchanges.has(to)) return 'exchange-deposit'
  if (places.exchanges.has(from)) return 'exchange-withdraw'
  if (places.pairs.has(to)) return liquidity.added.has(`${transactionHash}:${to}`) ? 'LP-add' : 'dumper'
  if (places.pairs.has(from)) {
    const isRemoval = places.positionManagers.has(to) || liquidity.removed.has(`${transactionHash}:${from}`)
    return isRemoval ? 'LP-remove' : undefined
  }
  if (places.positionManagers.has(from)) return 'LP-add'
  return nobody.has(to) ? undefined : 'unseen'
}

/** One event for each transaction and cohort, the first; in the order of the chain. */
export function firstOfEach<E extends Transfer & { readonly cohort: Cohort }>(events: readonly E[]): readonly E[] {
  const seen = new Set<string>()
  return events
    .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    .filter(({ transactionHash, cohort }) => {
      const key = `${transactionHash}:${cohort}`
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
}

/** How many events each cohort has, zeros included. */
export function countsOf(events: readonly { readonly cohort: Cohort }[]): Record<Cohort, number> {
  const counts = {
    staker: 0,
    'exchange-deposit': 0,
    'exchange-withdraw': 0,
    dumper: 0,
    'LP-remove': 0,
    'LP-add': 0,
    'new-wallet': 0,
  }
  for (const { cohort } of events) counts[cohort] += 1
  return counts
}
