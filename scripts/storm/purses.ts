import type { DrawnRow, PurseRow } from './books.ts'
import { type Draw, mayBeForgotten, type PaymentDiary, type PurseDiary, type Violation } from './diary.ts'
import { topUpTool } from './payers.ts'
import type { Facts } from './verdict.ts'

export type PursesAtTheEnd = {
  readonly world: Facts
  readonly purses: readonly PurseDiary[]
  readonly diaries: readonly PaymentDiary[]
  readonly rows: readonly PurseRow[]
  readonly draws: readonly DrawnRow[]
  readonly granted: ReadonlyMap<string, bigint>
  /** What the ledger's own books find. */
  readonly accountFaults: readonly string[]
  /** When the power was lost. */
  readonly powerCuts: readonly number[]
}

/**
 * What is wrong with payers' own money when all has settled: nothing overdrawn, every draw answered or given back, a
 * balance is what the chain paid in less what was taken, and a credit is spent once and never beside a payment.
 */
export function faultsOfPurses(end: PursesAtTheEnd): readonly Violation[] {
  const wrong = (rule: string, what: string): Violation => ({ rule, what, payment: undefined })
  const found = end.accountFaults.map((fault) => wrong('books', fault))
  for (const { payer, free, reserved } of end.rows) {
    if (free.prepaid < 0n || free.credit < 0n) found.push(wrong('overdrawn', `${payer} has less than nothing.`))
    if (reserved.prepaid + reserved.credit > 0n)
      found.push(wrong('reserved', `${payer} has money that stays set aside.`))
  }
  for (const draw of end.draws) {
    if (draw.state !== 'TAKEN') found.push(wrong('reserved', `The draw ${draw.id} stays ${draw.state}.`))
    else if (!draw.isWhole) found.push(wrong('unanswered', `The draw ${draw.id} was taken and has no whole answer.`))
  }
  return [...found, ...end.purses.flatMap((purse) => faultsOfPurse(end, purse)), ...creditsPaidTwice(end)]
}

function faultsOfPurse(end: PursesAtTheEnd, purse: PurseDiary): readonly Violation[] {
  const { wallet, draws } = purse
  const payer = wallet.address.toLowerCase()
  const found: Violation[] = []
  const wrong = (rule: string, what: string): void => {
    found.push({ rule, what: `${payer}: ${what}`, payment: undefined })
  }
  const ofPayer = end.draws.filter((draw) => draw.payer === payer)
  const byId = new Map(ofPayer.map((draw) => [draw.id, draw]))
  const free = end.rows.find((row) => row.payer === payer)?.free.prepaid ?? 0n
  const taken = ofPayer.filter(({ purse: from }) => from === 'prepaid').reduce((sum, { amount }) => sum + amount, 0n)
  const paidIn = end.diaries
    .filter(({ tool, wallet: { address } }) => tool === topUpTool && address === wallet.address)
    .reduce(
      (sum, { payment }) =>
        sum + BigInt(end.world.chain.transfersOf(payment.nonce).length) * BigInt(payment.authorization.value),
      0n,
    )
  if (free !== paidIn - taken) wrong('balance', `${paidIn} was paid in, ${taken} taken, and ${free} is left.`)
  if ((end.granted.get(payer) ?? 0n) !== purse.granted)
    wrong('credit', `The operator granted ${purse.granted}, the ledger says ${String(end.granted.get(payer) ?? 0n)}.`)

  const seen = new Set<string>()
  for (const draw of draws) {
    const answers = draw.answers.filter(({ status }) => status === 200)
    // What a loss of power forgets of a draw was taken from nobody: the next call with its key is a new one.
    if (answers.some(({ at }) => mayBeForgotten(at, end.powerCuts))) {
      for (const { drawId } of answers) if (drawId !== undefined) seen.add(drawId)
      continue
    }
    const ids = new Set(answers.map(({ drawId }) => drawId))
    const bodies = new Set(answers.map(({ text }) => text))
    if (ids.size > 1 || bodies.size > 1) wrong('draw', 'One call was drawn or answered twice.')
    for (const id of ids) {
      if (id === undefined) continue
      if (seen.has(id)) wrong('draw', 'One draw was given for two calls.')
      seen.add(id)
      const row = byId.get(id)
      if (row?.state !== 'TAKEN') wrong('draw', `An answer was given, and its draw is ${row?.state ?? 'not there'}.`)
      else if (row.amount !== draw.price || !bodies.has(row.result ?? ''))
        wrong('draw', 'A draw has another amount or another answer than its call.')
    }
  }
  const unseen = ofPayer.filter(({ id, purse: from }) => from === 'prepaid' && !seen.has(id)).length
  const open = draws.filter(mayBeTaken).length
  if (unseen > open)
    wrong('draw', `${unseen} draws were taken for calls that nobody answered, and ${open} may have been.`)
  return found
}

/** Whether a call that was never answered may have been taken for, by what was said of it. */
function mayBeTaken({ answers }: Draw): boolean {
  if (answers.some(({ status }) => status === 200)) return false
  return answers.some(
    ({ status, charged }) => status === 0 || status === 408 || charged === 'unknown' || charged === true,
  )
}

/** What a credit paid for was paid for by nothing else. */
function creditsPaidTwice({ world, diaries, draws }: PursesAtTheEnd): readonly Violation[] {
  const byCredit = new Set(draws.filter(({ purse }) => purse === 'credit').map(({ id }) => id))
  return diaries
    .filter(({ payment }) => byCredit.has(payment.id) && world.chain.transfersOf(payment.nonce).length > 0)
    .map((payment) => ({ rule: 'credit', what: 'A credit was spent for a call whose payment moved as well.', payment }))
}
