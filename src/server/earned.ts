import type { Claim } from '../store/store.ts'

export type Earned = {
  readonly note: (payment: Pick<Claim, 'tool' | 'amount' | 'payer' | 'payTo'>) => void
  /** What arrived since the process began, by tool, in atomic units. */
  readonly totals: () => ReadonlyMap<string, bigint>
}

/** Adds up what arrives. The operator's own payments earn nothing. */
export function createEarned(): Earned {
  const totals = new Map<string, bigint>()
  return {
    note: ({ tool, amount, payer, payTo }) => {
      if (payer.toLowerCase() !== payTo.toLowerCase()) totals.set(tool, (totals.get(tool) ?? 0n) + BigInt(amount))
    },
    totals: () => totals,
  }
}
