import { CallError } from '../../src/errors.ts'
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
    const rows = (await books.sums(by, since)).map((sum) => rowOf(by, sum))
    if (args.has('json')) {
      out(
        JSON.stringify({
          since: since === 0 ? null : new Date(since).toISOString(),
          by,
          rows,
          open: await openOf(books),
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
    const open = await openOf(books)
    if (open.unknown > 0) note(`${open.unknown} payments have no known outcome yet: tollgate payments --state unknown`)
    if (open.lost > 0) note(`${open.lost} were answered and never arrived: tollgate payments --state lost`)
    return 0
  })

const none: Sum = { key: '', network: '', asset: '', payments: 0, atomic: 0n, own: { payments: 0, atomic: 0n } }

function rowOf(by: Grouping, { key, network, asset, payments, atomic, own }: Sum): Row {
  return {
    [by]: key,
    payments: payments - own.payments,
    usd: unitsOf(atomic - own.atomic),
    ownPayments: own.payments,
    ownUsd: unitsOf(own.atomic),
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
