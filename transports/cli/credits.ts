import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { CallError } from '../../src/errors.ts'
import { accountOf } from '../../src/payments/ledger/entries.ts'
import { toAtomic, toUsd } from '../../src/payments/terms.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Config } from '../../src/platform/config.ts'
import { creditLinesOf, grantOf } from '../../src/server/books/credits.ts'
import type { Entry } from '../../src/store/accounts.ts'
import { withBooks } from './books.ts'
import type { CommandContext, RunCommand } from './command.ts'
import { tableOf } from './rows.ts'

/** Payers' own money: who has how much here, which credits were granted and why, and whether all of it adds up. */
export const run: RunCommand = (context) => {
  const what = context.args.positionals[0] ?? 'list'
  switch (what) {
    case 'list':
      return list(context)
    case 'grant':
      return enter(context, 'grant')
    case 'pay-out':
      return enter(context, 'payOut')
    default:
      throw wrong('The first word after credits is list, grant or pay-out.')
  }
}

function wrong(message: string): CallError {
  return new CallError('invalid_input', message, { nextStep: 'tollgate credits --help says how.' })
}

const list: RunCommand = (context) =>
  withBooks(context, async (books) => {
    const { args, out, note } = context
    const holdings = (await books.holdings()).map(({ prepaid, credit, taken, ...whose }) => ({
      ...whose,
      prepaidUsd: toUsd(prepaid),
      creditUsd: toUsd(credit),
      takenUsd: toUsd(taken),
    }))
    const credits = await creditLinesOf(books, 1_000)
    const faults = await books.accountFaults()
    if (args.has('json')) {
      out(JSON.stringify({ holdings, credits, faults }))
      return faults.length === 0 ? 0 : 1
    }
    if (holdings.length === 0) note('No payer has money here.')
    else out(tableOf(holdings, ['payer', 'prepaidUsd', 'creditUsd', 'takenUsd']).join('\n'))
    if (credits.length > 0) out(['', ...tableOf(credits, ['time', 'kind', 'payer', 'usd', 'reason'])].join('\n'))
    note(faults.length === 0 ? 'It adds up.' : 'It does not add up; report this:')
    for (const fault of faults) note(fault)
    return faults.length === 0 ? 0 : 1
  })

/** Writes what the operator decided, with the reason. */
async function enter(context: CommandContext, kind: 'grant' | 'payOut'): Promise<number> {
  const { args, out, note, config: readConfig } = context
  const config = await readConfig()
  const entry = entryOf(context, config, kind)
  const written = await write(config, entry)
  if (written === undefined) {
    throw new CallError('not_found', `There is no ledger in ${config.dataDir} yet.`, {
      nextStep: 'Set TOLLGATE_DATA_DIR to the data folder of the server, or DATABASE_URL to its database.',
    })
  }
  if (written === 'too-small') throw wrong('The wallet has less than that to be paid out.')
  const { account, amount, reason, paymentId } = entry
  const usd = toUsd(amount)
  if (args.has('json')) out(JSON.stringify({ written, kind, payer: account.payer, usd, reason, payment: paymentId }))
  else if (written === 'known') note('This was written down before; nothing is granted or paid out twice.')
  else if (kind === 'grant') note(`${account.payer} has a credit of $${usd}, which is spent for its next call.`)
  else note(`$${usd} less is owed to ${account.payer}.`)
  return 0
}

function entryOf({ args }: CommandContext, { network, asset }: Config, kind: 'grant' | 'payOut'): Entry {
  const [, wallet = '', usd = ''] = args.positionals
  if (!/^0x[0-9a-fA-F]{40}$/.test(wallet)) throw wrong('A wallet is an address of 40 hexadecimal digits after 0x.')
  const payment = args.valueOf('payment')
  if (payment !== undefined && !/^[0-9a-f]{64}$/.test(payment)) throw wrong('--payment takes the id of a payment.')
  const transaction = args.valueOf('transaction')
  if (kind === 'payOut' && !/^0x[0-9a-f]{64}$/.test(transaction ?? '')) {
    throw wrong('--transaction takes the hash of the transfer by which the money was sent back.')
  }
  const reason = kind === 'grant' ? args.valueOf('reason')?.trim() : transaction
  if (reason === undefined || reason === '') throw wrong('--reason says why; it is shown to the payer.')
  // What is for one payment, or one transfer, is entered once however often the command is given.
  const name = payment === undefined ? (transaction ?? randomBytes(16).toString('hex')) : payment
  const account = accountOf({ network, asset: asset.address, payer: wallet })
  const facts = { account, amount: amountOf(usd), reason: reason.slice(0, 300), paymentId: payment ?? null }
  const now = systemClock.now()
  return kind === 'grant' ? grantOf({ ...facts, name, now }) : { ...facts, id: `payOut:${name}`, kind: 'payOut', now }
}

function amountOf(usd: string): bigint {
  try {
    const atomic = toAtomic(usd)
    if (atomic > 0n) return atomic
  } catch {
    // The same sentence is due for what is no amount and for nothing.
  }
  throw wrong('The amount is dollars with at most six decimals, such as 0.05, and more than nothing.')
}

async function write({ databaseUrl, dataDir }: Config, entry: Entry) {
  const { enterBesidePostgres, enterBesideSqlite } = await import('../../src/store/enter-beside.ts')
  return databaseUrl === undefined
    ? enterBesideSqlite(join(dataDir, 'ledger.db'), entry)
    : enterBesidePostgres(databaseUrl, entry)
}
