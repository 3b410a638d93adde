import { accountOf } from '../../payments/ledger/entries.ts'
import { toUsd } from '../../payments/terms.ts'
import type { AccountName, Entry } from '../../store/accounts.ts'
import type { Books } from '../../store/books.ts'

export type CreditLine = {
  readonly time: string
  readonly kind: string
  readonly payer: string
  readonly usd: string
  readonly reason: string
  readonly payment: string
  readonly id: string
}

/** The newest entries of credits in payers' accounts, for whoever looks after them. */
export async function creditLinesOf(books: Books, limit: number): Promise<readonly CreditLine[]> {
  return (await books.credits(limit)).map(({ at, kind, payer, change, reason, paymentId, id }) => ({
    time: new Date(at).toISOString(),
    kind,
    payer,
    usd: toUsd(change),
    reason,
    payment: paymentId ?? '',
    id,
  }))
}

type Granted = {
  /** What it is for; the same thing is granted once, by whichever way the operator says so. */
  readonly name: string
  readonly account: AccountName
  readonly amount: bigint
  readonly reason: string
  readonly paymentId: string | null
  readonly now: number
}

/** What the operator grants to a payer, who is shown the reason. */
export function grantOf({ name, account, ...rest }: Granted): Entry {
  return { ...rest, id: `operator:${name}`, account: accountOf(account), kind: 'grant' }
}
