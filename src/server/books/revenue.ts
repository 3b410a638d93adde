import { toUsd } from '../../payments/terms.ts'
import type { DrawnSum } from '../../store/account-books.ts'
import type { Books, Grouping, Sum } from '../../store/books.ts'

/** What was earned under one key: a tool, a day, a payer, a way in, or all. Amounts are dollars, as decimal text. */
export type RevenueRow = {
  readonly key: string
  /** Payments of others than the operator. */
  readonly payments: number
  readonly usd: string
  /** Payments of the wallet that is paid: they earned nothing. */
  readonly ownPayments: number
  readonly ownUsd: string
  /** Calls from money that was here already; it was earned when it came. */
  readonly draws: number
  readonly drawnUsd: string
  readonly creditUsd: string
  readonly network: string
  readonly asset: string
}

type Line = Sum & { readonly draws: number; readonly drawnAtomic: bigint; readonly creditAtomic: bigint }

const nothing = {
  payments: 0,
  atomic: 0n,
  own: { payments: 0, atomic: 0n },
  draws: 0,
  drawnAtomic: 0n,
  creditAtomic: 0n,
}

/** What was earned since a time (milliseconds since 1970), summed by tool, day, payer or way in. */
export async function revenueOf(books: Books, by: Grouping, since: number): Promise<readonly RevenueRow[]> {
  return joined(await books.sums(by, since), await books.drawn(by, since)).map(rowOf)
}

/** Payments, apart from calls drawn from a balance: that money was earned when it was paid in. */
function joined(sums: readonly Sum[], drawn: readonly DrawnSum[]): readonly Line[] {
  const lines = new Map<string, Line>()
  const nameOf = ({ key, network, asset }: Pick<Sum, 'key' | 'network' | 'asset'>): string =>
    JSON.stringify([key, network, asset.toLowerCase()])
  for (const sum of sums) lines.set(nameOf(sum), { ...nothing, ...sum })
  for (const { purse, draws, atomic, ...whose } of drawn) {
    const line = lines.get(nameOf(whose)) ?? { ...nothing, ...whose }
    lines.set(nameOf(whose), {
      ...line,
      draws: line.draws + draws,
      drawnAtomic: line.drawnAtomic + (purse === 'prepaid' ? atomic : 0n),
      creditAtomic: line.creditAtomic + (purse === 'credit' ? atomic : 0n),
    })
  }
  return [...lines.values()]
}

function rowOf({ key, network, asset, payments, atomic, own, draws, drawnAtomic, creditAtomic }: Line): RevenueRow {
  return {
    key,
    payments: payments - own.payments,
    usd: toUsd(atomic - own.atomic),
    ownPayments: own.payments,
    ownUsd: toUsd(own.atomic),
    draws,
    drawnUsd: toUsd(drawnAtomic),
    creditUsd: toUsd(creditAtomic),
    network,
    asset: asset.toLowerCase(),
  }
}

/** What payers have paid ahead and not drawn, in dollars: it is owed to them. */
export async function unspentOf(books: Books): Promise<string> {
  return toUsd((await books.holdings()).reduce((sum, { prepaid }) => sum + (prepaid > 0n ? prepaid : 0n), 0n))
}

/**
 * What an operator should look at: payments without a known outcome, and those that were answered and never arrived.
 */
export async function openOf(books: Books): Promise<{ readonly unknown: number; readonly lost: number }> {
  const counts = await books.counts()
  return { unknown: (counts.UNKNOWN ?? 0) + (counts.SETTLING ?? 0), lost: counts.LOST ?? 0 }
}
