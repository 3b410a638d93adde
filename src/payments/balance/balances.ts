import { randomBytes } from 'node:crypto'

import type { Clock } from '../../platform/clock.ts'
import type { Failpoint } from '../../platform/failpoint.ts'
import type { Log } from '../../platform/log.ts'
import {
  type AccountName,
  type AccountRow,
  type AccountStore,
  type Draw,
  type DrawRow,
  type EntryRow,
  type Purse,
} from '../../store/accounts.ts'
import type { PaymentStore } from '../../store/store.ts'
import type { SignatureCheck } from '../eip3009/signature.ts'
import { accountOf, entryFor } from '../ledger/entries.ts'
import { createFlights } from '../ledger/flights.ts'
import { sha256 } from '../ledger/hash.ts'
import { failureWindowMs, largestAnswer, verifyLeaseMs, waitForFlightMs } from '../ledger/limits.ts'
import { type Admission, checkTerms, checkTimes, type Offer, type PaidAnswer, paymentIdOf } from '../ledger/offer.ts'
import type { Payers } from '../ledger/payers.ts'
import {
  boundToAnother,
  endedWithoutAnswer,
  facilitatorDown,
  givenBack,
  refuseStruck,
  tooLargeToSell,
} from '../ledger/refusals.ts'
import type { PaymentTerms } from '../terms.ts'
import {
  BalanceTooSmall,
  drawAnswerGone,
  drawAnswerLost,
  drawInProgress,
  keyOfAnotherCall,
  keyOfAnotherPayment,
  takePending,
} from './refusals.ts'

/** A call that a payer wants drawn from money that is here already. */
export type DrawOffer = {
  /** The wallet, which was proved. */
  readonly payer: string
  readonly tool: string
  /** Atomic units. */
  readonly price: bigint
  readonly opHash: string
  readonly idempotencyKey: string | undefined
  readonly wantedMs: number
}

export type DrawAdmission = Admission & {
  /** What is left in the purse after this draw; undefined for an answer that is given again. */
  readonly left?: bigint
}

/** What a payer has here. */
export type AccountView = {
  readonly account: AccountRow | undefined
  readonly entries: readonly EntryRow[]
  readonly draws: readonly DrawRow[]
}

export type Balances = {
  /** Sets the price aside for one call. @throws BalanceTooSmall, CallError */
  readonly draw: (offer: DrawOffer) => Promise<DrawAdmission>
  /**
   * Spends a credit for a call that came with a signed payment, which is then not settled; undefined where the payment has to
   * be settled. @throws PaymentRejection, CallError
   */
  readonly spendCredit: (offer: Offer) => Promise<DrawAdmission | undefined>
  readonly view: (payer: string) => Promise<AccountView>
  /** A draw of the payer's, with its answer; undefined where there is none. */
  readonly find: (payer: string, id: string) => Promise<DrawRow | undefined>
  /** The receipt of a draw, as JSON. */
  readonly receiptOf: (draw: Pick<DrawRow, 'id' | 'payer' | 'amount' | 'purse'>) => string
  /** Gives back what processes left that are gone. */
  readonly sweep: () => Promise<void>
  /** Enters top-ups that a node of an older version settled. */
  readonly enterLate: () => Promise<void>
  /** Ends when no draw of this process is under way. */
  readonly drain: () => Promise<void>
}

export type BalanceParts = {
  readonly accounts: AccountStore
  readonly payments: Pick<PaymentStore, 'get' | 'holderOf'>
  readonly payers: Payers
  readonly terms: PaymentTerms
  readonly checkSignature: SignatureCheck
  readonly clock: Clock
  readonly log: Log
  readonly failpoint: Failpoint
  readonly owner: string
  readonly isPaused: () => boolean
  readonly drawUrl: (id: string) => string
}

const sweepBatch = 50
/** How much of an account is shown. */
const shown = { entries: 20, draws: 20 } as const

export function createBalances(parts: BalanceParts): Balances {
  const { accounts, clock, terms } = parts
  const flights = createFlights()
  const nameOf = (payer: string): AccountName => accountOf({ network: terms.network, asset: terms.asset, payer })

  const receiptOf: Balances['receiptOf'] = ({ id, payer, amount, purse }) =>
    JSON.stringify({
      success: true,
      // Nothing moves on the chain for this call: it was paid before, or is owed.
      transaction: '',
      network: terms.network,
      payer,
      amount: '0',
      extensions: {
        tollgate: { paidWith: purse, drawn: amount.toString(), drawId: id, drawUrl: parts.drawUrl(id) },
      },
    })

  const replayOf = (row: DrawRow, body: Uint8Array): DrawAdmission => {
    const answer: PaidAnswer = { id: row.id, body, receipt: receiptOf(row), replayed: true }
    return { kind: 'replay', answer }
  }

  /** What a draw that is known already gets; nothing is taken twice. */
  const repeat = async (row: DrawRow, opHash: string, refuse: () => Error): Promise<DrawAdmission> => {
    if (row.opHash !== opHash) throw refuse()
    const seen = row.state === 'TAKEN' ? row : await waitFor(row)
    if (seen === undefined) throw endedWithoutAnswer()
    if (seen.state === 'RESERVED') throw drawInProgress(parts, row)
    if (seen.result !== null && sha256(seen.result) === seen.resultHash) return replayOf(seen, seen.result)
    if (clock.now() - seen.updatedAt > failureWindowMs) throw drawAnswerGone(parts, row)
    const amount = seen.amount.toString()
    parts.log.error('draw.result_damaged', { id: seen.id, tool: seen.tool })
    await accounts.enter(entryFor({ ...nameOf(seen.payer), ...seen, amount }, 'grant', 'answer_lost', clock.now()))
    throw drawAnswerLost(parts, row)
  }

  /** Waits for the call that a draw is for; undefined where it came to nothing. */
  const waitFor = async ({ id }: DrawRow): Promise<DrawRow | undefined> => {
    const until = clock.now() + waitForFlightMs
    for (;;) {
      const flight = flights.of(id)
      const left = until - clock.now()
      if (left <= 0) return accounts.draw(id)
      // On another node there is no flight to join: look at the row now and then.
      await (flight === undefined ? clock.sleep(Math.min(100, left)) : Promise.race([flight, clock.sleep(left)]))
      const seen = await accounts.draw(id)
      if (seen?.state !== 'RESERVED') return seen
    }
  }

  /** The money is set aside: lets the tool run for it. */
  const start = (draw: Draw, left: bigint): DrawAdmission => {
    const { id, owner } = draw
    const endFlight = flights.start(id)
    parts.failpoint('after-reserve')
    let isOver = false
    const end = async <T>(work: () => Promise<T>): Promise<T> => {
      isOver = true
      return work().finally(endFlight)
    }
    const giveBack = (): Promise<boolean> => accounts.giveBack(id, owner, clock.now())
    return {
      kind: 'go',
      id,
      budgetMs: draw.leaseUntil - draw.now - verifyLeaseMs,
      left,
      settle: (body) =>
        end(async () => {
          if (body.byteLength > largestAnswer) {
            await giveBack()
            throw tooLargeToSell()
          }
          parts.failpoint('before-take')
          const taking = { id, owner, result: body, resultHash: sha256(body), now: clock.now() }
          const isTaken = await accounts.take(taking).catch((cause: unknown) => {
            throw takePending(parts, draw, cause)
          })
          parts.failpoint('after-take')
          if (!isTaken) throw givenBack()
          return { id, body, receipt: receiptOf({ ...draw, payer: draw.account.payer }), replayed: false }
        }),
      abandon: async (_reason, ours) => {
        if (isOver) return
        await end(() => Promise.all([parts.payers.strike(draw.account.payer, !ours), giveBack()]))
      },
    }
  }

  /** Tries each purse that covers the price, credits first: what is owed is given back before more is taken. */
  const reserve = async (draw: Omit<Draw, 'purse'>, row: AccountRow | undefined): Promise<DrawAdmission> => {
    const purses: readonly Purse[] = draw.isSigned ? ['credit'] : ['credit', 'prepaid']
    for (const purse of purses) {
      if (row === undefined || row[purse].free < draw.amount) continue
      const full = { ...draw, purse }
      const reserved = await accounts.reserve(full)
      if (reserved.kind === 'reserved') return start(full, reserved.free)
      if (reserved.kind === 'known') {
        return repeat(reserved.row, draw.opHash, () => keyOfAnotherCall(parts, reserved.row))
      }
      if (reserved.kind === 'paid') throw endedWithoutAnswer()
    }
    throw new BalanceTooSmall(draw.account.payer, await accounts.get(draw.account), draw.amount)
  }

  /** @throws CallError where no call of the payer may be drawn now. */
  const checkMayDraw = async (payer: string): Promise<void> => {
    if (parts.isPaused()) throw facilitatorDown()
    await parts.payers.recall(payer)
    refuseStruck(parts.payers, payer)
  }

  const draftOf = (offer: Omit<DrawOffer, 'price'>, amount: bigint, id: string, isSigned: boolean) => {
    const now = clock.now()
    return {
      id,
      account: nameOf(offer.payer),
      tool: offer.tool,
      opHash: offer.opHash,
      keyHash: keyHashOf(offer),
      amount,
      owner: parts.owner,
      leaseUntil: now + offer.wantedMs + verifyLeaseMs,
      isSigned,
      now,
    } as const
  }

  const draw: Balances['draw'] = async (offer) => {
    const account = nameOf(offer.payer)
    const keyHash = keyHashOf(offer)
    const [row, known, holder] = await Promise.all([
      accounts.get(account),
      keyHash === null ? undefined : accounts.drawByKey(account, keyHash),
      keyHash === null ? undefined : parts.payments.holderOf(account.payer, keyHash),
    ])
    if (known !== undefined) return repeat(known, offer.opHash, () => keyOfAnotherCall(parts, known))
    // It was paid for with a payment, whose answer the same payment gets again.
    if (holder !== undefined) throw keyOfAnotherPayment()
    await checkMayDraw(account.payer)
    return reserve(draftOf(offer, offer.price, randomBytes(32).toString('hex'), false), row)
  }

  const spendCredit: Balances['spendCredit'] = async (offer) => {
    const { payload, requirement } = offer
    const { from, nonce } = payload.authorization
    const account = nameOf(from)
    const price = BigInt(requirement.amount)
    const id = paymentIdOf(requirement.network, requirement.asset, from, nonce)
    const [row, known] = await Promise.all([accounts.get(account), accounts.draw(id)])
    if (known === undefined && (row?.credit.free ?? 0n) < price) return undefined
    // What only a contract could have signed is judged on the way of a payment.
    if ((await parts.checkSignature(payload.authorization, payload.signature)) !== 'valid') return undefined
    if (known !== undefined) {
      return repeat(known, offer.opHash, () => boundToAnother({ paymentUrl: parts.drawUrl }, known))
    }
    if ((await parts.payments.get(id)) !== undefined) return undefined
    checkTerms(payload, requirement)
    checkTimes(payload, clock.now())
    await checkMayDraw(account.payer)
    try {
      return await reserve(draftOf({ ...offer, payer: from }, price, id, true), row)
    } catch (error) {
      // Another call was faster: then this one is paid for with its payment.
      if (error instanceof BalanceTooSmall) return undefined
      throw error
    }
  }

  return {
    draw,
    spendCredit,
    receiptOf,
    view: async (payer) => {
      const account = nameOf(payer)
      const [row, entries, draws] = await Promise.all([
        accounts.get(account),
        accounts.entriesOf(account, shown.entries),
        accounts.drawsOf(account, shown.draws),
      ])
      return { account: row, entries, draws }
    },
    find: async (payer, id) => {
      const row = await accounts.draw(id)
      return row?.payer === payer ? row : undefined
    },
    sweep: async () => {
      while ((await accounts.giveBackDue(clock.now(), sweepBatch)) === sweepBatch);
    },
    enterLate: async () => {
      for (const payment of await accounts.topUpsWithoutEntry(sweepBatch)) {
        parts.log.warn('balance.entered_late', { id: payment.id })
        const amount = payment.amount.toString()
        await accounts.enter(entryFor({ ...payment, amount, tool: 'balance' }, 'topUp', 'paid', clock.now()))
      }
    },
    drain: () => flights.allEnded(),
  }
}

function keyHashOf({ tool, idempotencyKey }: Pick<DrawOffer, 'tool' | 'idempotencyKey'>): string | null {
  return idempotencyKey === undefined ? null : sha256(`${tool}|${idempotencyKey}`)
}
