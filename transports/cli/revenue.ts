import { CallError } from '../../src/errors.ts'
import type { DrawnSum } from '../../src/store/account-books.ts'
import { type Books, type Grouping, groupings, type Sum } from '../../src/store/books.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { sinceOf, unitsOf, withBooks } from './books.ts'
import type { RunCommand } from './command.ts'
import { csvOf, type Row, tableOf } from './rows.ts'

/** What was earned, from the ledger: the settled payments, those of the operator's own wallet apart. */
export const run: RunCommand = (context) =>
  withBooks(context, async (books, config) => {
    const { args, out, note } = context
    const by = groupingOf(args.valueOf('by'))
    const since = sinceOf(args.valueOf('since'), systemClock.now())
    const rows = joined(await books.sums(by, since), await books.drawn(by, since)).map((sum) => rowOf(by, sum))
    if (args.has('json')) {
      out(
        JSON.stringify({
          since: since === 0 ? null : new Date(since).toISOString(),
          by,
          rows,
          open: await openOf(books),
          unspentUsd: await unspentOf(books),
        }),
      )
      return 0
    }
    if (args.has('csv')) {
      out(csvOf(rows, Object.keys(rowOf(by, none))))
      return 0
    }
    const isUsual = rows.every(
      ({ network, asset }) => network === config.network && asset === config.asset.address.toLowerCase(),
    )
    const names = Object.keys(rowOf(by, none)).filter((name) => !isUsual || (name !== 'network' && name !== 'asset'))
    if (rows.length === 0) note('Nothing was earned in this time.')
    else out(tableOf(rows, names).join('\n'))
    const unspent = await unspentOf(books)
    if (unspent !== '0.00') note(`Of what was paid ahead, $${unspent} is not drawn yet and is owed: tollgate credits`)
    const open = await openOf(books)
    if (open.unknown > 0) note(`${open.unknown} payments have no known outcome yet: tollgate payments --state unknown`)
    if (open.lost > 0) note(`${open.lost} were answered and never arrived: tollgate payments --state lost`)
    return 0
  })

type Line = Sum & { readonly draws: number; readonly drawnAtomic: bigint; readonly creditAtomic: bigint }

const none: Line = {
  key: '',
  network: '',
  asset: '',
  payments: 0,
  atomic: 0n,
  own: { payments: 0, atomic: 0n },
  draws: 0,
  drawnAtomic: 0n,
  creditAtomic: 0n,
}

/** Payments beside the calls that were drawn from money paid before, which stand apart: they were earned once. */
function joined(sums: readonly Sum[], drawn: readonly DrawnSum[]): readonly Line[] {
  const lines = new Map<string, Line>()
  const nameOf = ({ key, network, asset }: Pick<Sum, 'key' | 'network' | 'asset'>): string =>
    JSON.stringify([key, network, asset.toLowerCase()])
  for (const sum of sums) lines.set(nameOf(sum), { ...none, ...sum })
  for (const { purse, draws, atomic, ...whose } of drawn) {
    const line = lines.get(nameOf(whose)) ?? { ...none, ...whose }
    lines.set(nameOf(whose), {
      ...line,
      draws: line.draws + draws,
      drawnAtomic: line.drawnAtomic + (purse === 'prepaid' ? atomic : 0n),
      creditAtomic: line.creditAtomic + (purse === 'credit' ? atomic : 0n),
    })
  }
  return [...lines.values()]
}

/** What payers have paid ahead and not drawn. */
async function unspentOf(books: Books): Promise<string> {
  return unitsOf((await books.holdings()).reduce((sum, { prepaid }) => sum + (prepaid > 0n ? prepaid : 0n), 0n))
}

function rowOf(by: Grouping, line: Line): Row {
  const { key, network, asset, payments, atomic, own, draws, drawnAtomic, creditAtomic } = line
  return {
    [by]: key,
    payments: payments - own.payments,
    usd: unitsOf(atomic - own.atomic),
    ownPayments: own.payments,
    ownUsd: unitsOf(own.atomic),
    draws,
    drawnUsd: unitsOf(drawnAtomic),
    creditUsd: unitsOf(creditAtomic),
    network,
    asset: asset.toLowerCase(),
  }
}

async function openOf(books: Books): Promise<{ readonly unknown: number; readonly lost: number }> {
  const counts = await books.counts()
  return { unknown: (counts.UNKNOWN ?? 0) + (counts.SETTLING ?? 0), lost: counts.LOST ?? 0 }
}

function groupingOf(text = 'tool'): Grouping {
  const by = groupings.find((one) => one === text)
  if (by === undefined) {
    throw new CallError('invalid_input', `--by takes one of ${groupings.join(', ')}.`, { nextStep: '' })
  }
  return by
}
