import { createHash } from 'node:crypto'

import { CallError } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Hit } from '../platform/failpoint.ts'
import type { Log } from '../platform/log.ts'
import type { Claim, ClaimLimits, Move, PaymentChanges, PaymentRow, PaymentStore } from '../store/store.ts'
import type { ChainReader } from './chain-reader.ts'
import { PaymentRejection } from './x402/required.ts'
import type { Facilitator, Settlement } from './facilitator.ts'
import type { PaymentPayload } from './x402/payload.ts'
import type { SignatureCheck } from './eip3009/signature.ts'
import { legacyNetworkOf, type Requirement } from './terms.ts'

/** A call that somebody offers to pay for. */
export type Offer = {
  readonly tool: string
  readonly requirement: Requirement
  readonly payload: PaymentPayload
  /** SHA-256 of what is asked for; the same for the same call over any transport. */
  readonly opHash: string
  readonly idempotencyKey: string | undefined
  /** What the tool would like to have, in milliseconds. */
  readonly wantedMs: number
  readonly resource: { readonly url: string; readonly description: string }
}

/** A paid answer: the bytes that were stored before the money moved, and the settle response as JSON. */
export type PaidAnswer = {
  readonly id: string
  readonly body: Uint8Array
  readonly receipt: string
  readonly replayed: boolean
}

export type Admission =
  | { readonly kind: 'replay'; readonly answer: PaidAnswer }
  | {
      readonly kind: 'go'
      readonly id: string
      /** How long the tool may take, so that the payment can still be settled afterwards. */
      readonly budgetMs: number
      /** Stores the answer, moves the money, and gives the answer back. @throws PaymentRejection, CallError */
      readonly settle: (body: Uint8Array) => Promise<PaidAnswer>
      /** The tool failed: the payment was never used. */
      readonly abandon: (reason: string) => Promise<void>
    }

export type Ledger = {
  /** @throws PaymentRejection where a better payment would do; CallError where it would not. */
  readonly admit: (offer: Offer) => Promise<Admission>
  /** Looks once at every payment that is due: what a crash left, what is unknown, what is not confirmed yet. */
  readonly sweep: () => Promise<number>
  readonly find: (id: string) => Promise<PaymentRow | undefined>
  /** Ends when every call under way has been settled or given up. */
  readonly drain: () => Promise<void>
}

export type LedgerParts = {
  readonly store: PaymentStore
  readonly facilitator: Facilitator
  /** Absent where no RPC is configured: then an unknown settlement waits for the facilitator's word. */
  readonly chain: ChainReader | undefined
  readonly checkSignature: SignatureCheck
  readonly clock: Clock
  readonly log: Log
  readonly hit: Hit
  /** Name of this process among others on the same store. */
  readonly owner: string
  /** From this many atomic units on, a settlement is read back from the chain before the answer leaves. */
  readonly syncAuditAtomic: bigint
  readonly maxInFlight: number
  readonly paymentUrl: (id: string) => string
}

/** Milliseconds kept back between the tool's end and the end of the payment, for settling. */
const settleReserveMs = 15_000
/** A payment must be usable for at least this long. */
const leastLifeMs = settleReserveMs + 5_000
/** Longest life of a payment: what runs longer would keep an unknown settlement open for as long. */
const longestLifeSeconds = 660
const verifyLeaseMs = 15_000
const settleLeaseMs = 30_000
const waitForFlightMs = 25_000
const maxAttempts = 3
const maxFailures = 6
const failureWindowMs = 24 * 3_600_000
const confirmations = 12
const auditAfterMs = 30_000

/**
 * Refusals that a facilitator decides before it broadcasts anything: those of x402's specification (§9) and of its library
 * by name. Any other word, however alike, may be about a transfer that is on its way.
 */
const beforeBroadcast: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'insufficient_balance',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'unsupported_scheme',
  'invalid_network',
  'unsupported_network',
  'invalid_x402_version',
  'asset_not_deployed_contract',
  'eip6492_factory_not_allowed',
  'extension_echo_mismatch',
  ...[
    'insufficient_balance',
    'signature',
    'failed_to_parse_signature',
    'recipient_mismatch',
    'network_mismatch',
    'scheme',
    'missing_eip712_domain',
    'token_name_mismatch',
    'token_version_mismatch',
    'eip3009_not_supported',
    'transaction_simulation_failed',
    'authorization_value',
    'authorization_value_mismatch',
    'authorization_valid_after',
    'authorization_valid_before',
    'payload_signature',
    'payload_recipient_mismatch',
    'payload_authorization_value',
    'payload_authorization_value_mismatch',
    'payload_authorization_valid_after',
    'payload_authorization_valid_before',
  ].map((detail) => `invalid_exact_evm_${detail}`),
])
const nonceUsed = /nonce|already_used|used_or_cancel/i

/** A claim that is about to be tried, and how long its tool would like to take. */
type Ask = {
  readonly claim: Claim
  readonly payload: PaymentPayload
  readonly wantedMs: number
  /** Whether the payer's own key signed. */
  readonly isProven: boolean
}

/** Name of a payment to the world: unguessable without the authorization, and the same wherever it is computed. */
export function paymentIdOf(network: string, asset: string, payer: string, nonce: string): string {
  return sha256([network, asset, payer, nonce].join('|').toLowerCase())
}

export function createLedger(parts: LedgerParts): Ledger {
  const { store, facilitator, chain, clock, log, hit } = parts
  /** Calls under way in this process, for those who wait for the same one. */
  const flights = new Map<string, Promise<unknown>>()
  /** Set when the chain contradicted the facilitator: from then on every settlement is read back first. */
  let distrusted = false

  const pending = (row: { readonly id: string }): CallError =>
    new CallError('settlement_pending', 'The payment was handed to the network and its outcome is not known yet.', {
      nextStep: `Do not sign again. Send the same request with the same payment, or fetch the result at ${parts.paymentUrl(row.id)} once it is settled.`,
      retryAfterSeconds: 2,
      charged: 'unknown',
      details: { paymentId: row.id, paymentUrl: parts.paymentUrl(row.id) },
    })

  const replay = (row: PaymentRow): PaidAnswer | undefined => {
    if (row.result === null || row.receipt === null || sha256(row.result) !== row.resultHash) return undefined
    return { id: row.id, body: row.result, receipt: row.receipt, replayed: true }
  }

  /** What a payment that is known already gets. Money may have moved for it, so nothing here invites a new signature lightly. */
  const answerKnown = async (row: PaymentRow, ask: Ask, mayWait: boolean): Promise<Admission> => {
    const { claim } = ask
    const facts = { paymentId: row.id, paymentUrl: parts.paymentUrl(row.id) }
    if (row.opHash !== claim.opHash) {
      throw new CallError('payment_bound', 'This payment was made for another call.', {
        nextStep: 'Sign a new payment for this call.',
        details: facts,
      })
    }
    const samePayer = row.proofHash === claim.proofHash && row.keyHash !== null && row.keyHash === claim.keyHash
    switch (row.state) {
      case 'SETTLED':
      case 'CONFIRMED': {
        if (!samePayer) {
          throw new CallError('payment_used', 'This payment was used already.', {
            nextStep: `If it was yours, fetch what it paid for at ${facts.paymentUrl}, proving that you hold the payer's key. For another call sign a new payment.`,
            details: facts,
          })
        }
        const answer = replay(row)
        if (answer !== undefined) return { kind: 'replay', answer }
        if (row.result === null && row.resultHash !== null && clock.now() - row.updatedAt > failureWindowMs) {
          throw new CallError('payment_used', 'The answer to this payment was kept for a day and is gone.', {
            details: facts,
          })
        }
        log.error('payment.result_damaged', { id: row.id, tool: row.tool })
        return rerun(row)
      }
      case 'SETTLING':
      case 'UNKNOWN':
        if (mayWait && samePayer) return waitFor(row, ask)
        throw pending(row)
      case 'CLAIMED':
        if (mayWait && samePayer) return waitFor(row, ask)
        throw new CallError('payment_in_progress', 'A call with this payment is under way.', {
          nextStep: `Wait for it; its result will be at ${facts.paymentUrl}.`,
          retryAfterSeconds: 2,
          details: facts,
        })
      case 'FAILED': {
        const seen = row.nextProbeAt === null ? row : await lookAgain(row)
        if (seen.state !== 'FAILED') return answerKnown(seen, ask, mayWait)
        throw new PaymentRejection(seen.reason ?? 'payment_failed', { payer: row.payer, settling: true })
      }
      case 'LOST':
        throw new PaymentRejection(row.reason ?? 'payment_failed', { payer: row.payer, settling: true })
      case 'ABORTED':
        return tryAgain(row, ask, mayWait)
    }
  }

  /** While a failed payment could still land, nobody is asked to sign again before the chain was asked. */
  const lookAgain = async (row: PaymentRow): Promise<PaymentRow> => {
    await sweepRow(row)
    return mustGet(row.id)
  }

  /** A call that failed was never charged, so its payment is good for another try. */
  const tryAgain = async (row: PaymentRow, ask: Ask, mayWait: boolean): Promise<Admission> => {
    // Time has passed if this call waited for the one that failed.
    const now = clock.now()
    checkTimes(ask.payload, now)
    const again: Ask = { ...ask, claim: { ...ask.claim, now, leaseUntil: now + verifyLeaseMs + ask.wantedMs } }
    switch (await store.reclaim(again.claim, { inFlight: parts.maxInFlight, attempts: maxAttempts })) {
      case 'claimed':
        return verifyAndGo(again)
      case 'key-taken':
        throw new CallError('idempotency_conflict', 'This idempotency key was used with another payment.', {
          nextStep: 'Take a new key for this payment.',
        })
      case 'too-many':
        throw tooManyCalls()
      case 'not-free': {
        if (row.attempts >= maxAttempts) {
          throw new CallError('internal', 'The tool failed three times for this payment; it was not charged.', {
            nextStep: 'Try again later with a new payment.',
            details: { paymentId: row.id, paymentUrl: parts.paymentUrl(row.id) },
          })
        }
        const seen = await store.get(row.id)
        if (seen !== undefined && seen.state !== 'ABORTED') return answerKnown(seen, ask, mayWait)
        throw new CallError('payment_in_progress', 'Another call with this payment came first.', {
          retryAfterSeconds: 2,
        })
      }
    }
  }

  const tooManyCalls = (): CallError =>
    new CallError('too_many_calls', `This payer has ${parts.maxInFlight} calls under way that are not settled yet.`, {
      retryAfterSeconds: 2,
      nextStep: 'Wait, then send the call again.',
    })

  /** A client that lost its connection asks again while the first call still runs: it gets the same answer, once. */
  const waitFor = async (row: PaymentRow, ask: Ask): Promise<Admission> => {
    const until = clock.now() + waitForFlightMs
    while (clock.now() < until) {
      const flight = flights.get(row.id)
      const left = until - clock.now()
      // On another node there is no flight to join: look at the row now and then.
      await (flight === undefined ? clock.sleep(Math.min(100, left)) : Promise.race([flight, clock.sleep(left)]))
      const seen = await store.get(row.id)
      if (seen === undefined) break
      if (seen.state !== 'CLAIMED' && seen.state !== 'SETTLING' && (seen.state !== 'UNKNOWN' || flight !== undefined)) {
        return answerKnown(seen, ask, false)
      }
    }
    const seen = await store.get(row.id)
    if (seen === undefined || seen.state === 'ABORTED') {
      throw new CallError(
        'payment_in_progress',
        'The call that used this payment ended without an answer; nothing was charged.',
        {
          nextStep: 'Send the same request again.',
          retryAfterSeconds: 1,
        },
      )
    }
    return answerKnown(seen, ask, false)
  }

  /** The money moved and the stored answer is damaged: the tool runs again at our cost. */
  const rerun = (row: PaymentRow): Admission => ({
    kind: 'go',
    id: row.id,
    budgetMs: settleReserveMs * 2,
    settle: async (body) => {
      const changes = { result: body, resultHash: sha256(body) }
      const from = ['SETTLED', 'CONFIRMED'] as const
      await store.move({ id: row.id, from, to: 'SETTLED', changes, now: clock.now(), durable: true })
      return { id: row.id, body, receipt: row.receipt ?? '{}', replayed: true }
    },
    abandon: async () => {},
  })

  const admit = async (offer: Offer): Promise<Admission> => {
    const { payload, requirement } = offer
    checkTerms(payload, requirement)
    const claim = claimOf(offer, parts.owner, clock.now())
    const unproven: Ask = { claim, payload, wantedMs: offer.wantedMs, isProven: false }
    hit('before-claim')

    const known = await store.get(claim.id)
    if (known !== undefined && known.state !== 'ABORTED') return answerKnown(known, unproven, true)

    checkTimes(payload, clock.now())
    const isProven = await checkSigner(payload)
    const ask: Ask = { ...unproven, isProven }
    if (facilitator.status() === 'down') throw facilitatorDown()
    // Whose signature only a contract can judge may be anybody: nothing is kept in the payer's name before it was judged.
    if (!isProven) await verify(claim, false)

    const limits: ClaimLimits = {
      inFlight: parts.maxInFlight,
      failures: maxFailures,
      failuresSince: clock.now() - failureWindowMs,
    }
    const claimed = await store.claim(claim, limits)
    switch (claimed.kind) {
      case 'known':
        return answerKnown(claimed.row, ask, true)
      case 'key-taken':
        throw new CallError('idempotency_conflict', 'This idempotency key was used with another payment.', {
          nextStep: `Send the first payment again, or fetch its result at ${parts.paymentUrl(claimed.row.id)}; take a new key for a new call.`,
          details: { paymentId: claimed.row.id, paymentUrl: parts.paymentUrl(claimed.row.id) },
        })
      case 'too-many':
        if (claimed.reason === 'in-flight') throw tooManyCalls()
        throw new CallError(
          'too_many_calls',
          'Too many payments of this payer failed to settle in the last 24 hours.',
          { retryAfterSeconds: 3_600, nextStep: 'Wait, then send the call again.' },
        )
      case 'claimed':
        return verifyAndGo(ask)
    }
  }

  /** Whether the payer's own key signed; false where only a contract at its address can say. @throws PaymentRejection */
  const checkSigner = async (payload: PaymentPayload): Promise<boolean> => {
    const verdict = await parts.checkSignature(payload.authorization, payload.signature)
    if (verdict === 'valid') return true
    if (verdict === 'invalid') throw new PaymentRejection('invalid_exact_evm_payload_signature')
    // Somebody else signed: that can only be right for a contract, and the chain knows whether there is one.
    const contract = chain === undefined ? undefined : await chain.hasCode(payload.authorization.from)
    const isWrapped = payload.signature.endsWith(erc6492Magic)
    if (isWrapped ? !(await isErc6492(payload.signature)) : contract === false) {
      throw new PaymentRejection('invalid_exact_evm_payload_signature')
    }
    return false
  }

  /** @param isProven whether the payer's key signed: only then does it say something of the facilitator if it fails. */
  const verify = async (claim: Claim, isProven: boolean): Promise<void> => {
    const verification = await facilitator.verify(claim.settlement, { counts: isProven })
    hit('after-verify')
    if (verification.kind === 'invalid') {
      if (nonceUsed.test(verification.reason)) throw await usedElsewhere(claim)
      throw new PaymentRejection(verification.reason, { payer: claim.payer })
    }
    if (verification.kind === 'unreachable') {
      log.warn('facilitator.unreachable', { during: 'verify', cause: verification.cause })
      throw facilitatorDown()
    }
    if ((verification.payer ?? claim.payer).toLowerCase() !== claim.payer) {
      // A yes for another payment says nothing about this one.
      log.error('facilitator.contradiction', { during: 'verify', id: claim.id, tool: claim.tool })
      throw facilitatorDown()
    }
  }

  const verifyAndGo = async ({ claim, wantedMs, isProven }: Ask): Promise<Admission> => {
    const finish = startFlight(claim.id)
    hit('after-claim')
    try {
      hit('before-verify')
      await verify(claim, isProven)
    } catch (error) {
      // Nothing was kept of it, so that it may be sent again.
      await store.release(claim.id, claim.owner, reasonOf(error), clock.now()).finally(finish)
      throw error
    }
    const lifeMs = claim.validBefore * 1_000 - clock.now() - settleReserveMs
    let ended = false
    return {
      kind: 'go',
      id: claim.id,
      budgetMs: Math.max(1, Math.min(wantedMs, lifeMs)),
      settle: async (body) => {
        if (ended) throw new Error('This payment was settled or given up already.')
        ended = true
        try {
          return await settle(claim, body)
        } finally {
          finish()
        }
      },
      abandon: async (reason) => {
        if (ended) return
        ended = true
        try {
          await store.move({
            id: claim.id,
            from: ['CLAIMED'],
            owner: claim.owner,
            to: 'ABORTED',
            changes: { reason: reason.slice(0, 200), keyHash: null, leaseUntil: 0 },
            now: clock.now(),
          })
        } finally {
          finish()
        }
      },
    }
  }

  /**
   * The authorization was used before this server handed it in. Only a cancelled one is safe to replace by a new
   * signature; and none opens an answer here, because whoever reads the chain could show it.
   */
  const usedElsewhere = async (claim: Claim): Promise<CallError | PaymentRejection> => {
    const proof = await chain?.outcomeOf({ ...claim, createdAt: claim.now })
    if (proof?.kind === 'void') return new PaymentRejection(proof.reason, { payer: claim.payer })
    return new CallError('payment_used', 'This payment was used already, but not by this server.', {
      nextStep:
        'Look at the chain before you sign again: if the transfer went to our address without an answer, ask the operator for it back.',
      charged: proof?.kind === 'paid' ? true : 'unknown',
      ...(proof?.kind === 'paid' ? { details: { transaction: proof.transaction } } : {}),
    })
  }

  const startFlight = (id: string): (() => void) => {
    let end = (): void => {}
    const promise = new Promise<void>((resolve) => {
      end = resolve
    })
    flights.set(id, promise)
    return () => {
      if (flights.get(id) === promise) flights.delete(id)
      end()
    }
  }

  const settle = async (claim: Claim, body: Uint8Array): Promise<PaidAnswer> => {
    hit('before-intent')
    if (claim.validBefore * 1_000 - clock.now() < 3_000) {
      const changes = { reason: 'too_late_to_settle', keyHash: null, leaseUntil: 0 }
      await store.move({
        id: claim.id,
        from: ['CLAIMED'],
        owner: claim.owner,
        to: 'ABORTED',
        changes,
        now: clock.now(),
      })
      throw new CallError('deadline_exceeded', 'The payment ran out before the answer was ready.', {
        nextStep: 'Send the call again with a new payment.',
      })
    }
    if (!(await intend(claim, body))) {
      throw new CallError('deadline_exceeded', 'The call took too long and its payment was given back.', {
        nextStep: 'Send the call again.',
      })
    }
    hit('after-intent')
    return handOn(claim, body)
  }

  /** Stores the answer, on the disk, before anything is handed on. */
  const intend = async (claim: Claim, body: Uint8Array): Promise<boolean> => {
    try {
      return await store.move({
        id: claim.id,
        from: ['CLAIMED'],
        owner: claim.owner,
        to: 'SETTLING',
        changes: { result: body, resultHash: sha256(body), leaseUntil: clock.now() + settleLeaseMs },
        now: clock.now(),
        durable: true,
      })
    } catch (error) {
      // A disk that fails while it flushes may have kept the commit all the same, and the next start would settle it.
      log.error('ledger.intent_failed', { id: claim.id, tool: claim.tool, error })
      throw pending(claim)
    }
  }

  /** From here on money may move: whatever goes wrong is an open outcome, never "not charged". */
  const handOn = async (claim: Claim, body: Uint8Array): Promise<PaidAnswer> => {
    let row: PaymentRow
    try {
      hit('before-settle')
      const settlement = await facilitator.settle(claim.settlement)
      hit('after-settle')
      const receipt = await settleAtOnce(claim, settlement)
      if (receipt !== undefined) return { id: claim.id, body, receipt, replayed: false }
      row = await applySettlement(await mustGet(claim.id), settlement)
    } catch (error) {
      log.error('ledger.settle_interrupted', { id: claim.id, tool: claim.tool, error })
      throw pending(claim)
    }
    return answerSettled(row)
  }

  /**
   * The way of almost every payment: the facilitator's yes is believed, and the row is still as this call left it, so
   * nothing of it needs to be read. Undefined where it is not so simple; then nothing was written.
   */
  const settleAtOnce = async (claim: Claim, settlement: Settlement): Promise<string | undefined> => {
    if (settlement.kind !== 'settled' || !fitsPayment(claim, settlement) || isReadBack(claim)) return undefined
    const { transaction } = settlement.answer
    return writeSettled(claim, transaction, null, { from: ['SETTLING'], owner: claim.owner, changes: {} })
  }

  const answerSettled = (row: PaymentRow): PaidAnswer => {
    if (row.state === 'SETTLED' || row.state === 'CONFIRMED') {
      const answer = replay(row)
      if (answer === undefined) throw pending(row)
      return { ...answer, replayed: false }
    }
    if (row.state === 'FAILED')
      throw new PaymentRejection(row.reason ?? 'settlement_failed', { payer: row.payer, settling: true })
    throw pending(row)
  }

  /** Whether a yes is read back from the chain before it counts. */
  const isReadBack = ({ amount }: Pick<Claim, 'amount'>): boolean =>
    chain !== undefined && (distrusted || BigInt(amount) >= parts.syncAuditAtomic)

  /** Takes the facilitator's word as far as it is believed, and the chain's beyond that. Gives the row as it is afterwards. */
  const applySettlement = async (row: PaymentRow, settlement: Settlement): Promise<PaymentRow> => {
    if (settlement.kind === 'settled') {
      const { transaction } = settlement.answer
      const fits = fitsPayment(row, settlement)
      if (fits && !isReadBack(row)) return toSettled(row, transaction, null)
      if (!fits) log.error('facilitator.contradiction', { id: row.id, tool: row.tool })
      return resolveByChain(row, transaction, isReadBack(row) ? 8 : 1)
    }
    if (settlement.kind === 'refused') {
      if (nonceUsed.test(settlement.reason)) return resolveByChain(row, settlement.transaction ?? null, 3)
      return refused(row, settlement.reason, settlement.transaction)
    }
    log.warn('facilitator.unknown', { id: row.id, tool: row.tool, cause: settlement.cause })
    return resolveByChain(row, settlement.transaction ?? null, 1)
  }

  /**
   * A refusal counts only if it was decided before a broadcast, and the chain does not know better. Where an earlier
   * submission has no known outcome, its transfer may still wait to be mined: no later refusal says anything about that.
   */
  const refused = async (row: PaymentRow, reason: string, transaction: string | undefined): Promise<PaymentRow> => {
    if (chain !== undefined) {
      const proof = await chain.outcomeOf(row, transaction ?? row.transaction)
      if (proof.kind === 'paid') return toSettled(row, proof.transaction, proof.block)
      if (proof.kind === 'void') return toFailed(row, proof.reason)
      if (proof.kind === 'unreadable') return toUnknown(row, transaction, reason)
      if (proof.dead) return toFailed(row, reason)
    }
    const submittedBefore = row.state === 'UNKNOWN'
    // A named transaction means that something was broadcast, whatever became of it.
    if (submittedBefore || transaction !== undefined || !beforeBroadcast.has(reason)) {
      return toUnknown(row, transaction, reason)
    }
    return toFailed(row, reason)
  }

  const resolveByChain = async (row: PaymentRow, transaction: string | null, tries: number): Promise<PaymentRow> => {
    const named = transaction ?? row.transaction
    if (chain === undefined) return toUnknown(row, named, 'settlement_pending')
    for (let attempt = 1; ; attempt += 1) {
      const proof = await chain.outcomeOf(row, named)
      hit('after-reconcile-read')
      if (proof.kind === 'paid') return toSettled(row, proof.transaction, proof.block)
      if (proof.kind === 'void') return toFailed(row, proof.reason)
      if (proof.kind === 'unused' && proof.dead) return toFailed(row, 'authorization_expired_unused')
      if (attempt >= tries) break
      await clock.sleep(500)
    }
    return toUnknown(row, named, 'settlement_pending')
  }

  const toSettled = async (row: PaymentRow, transaction: string, block: number | null): Promise<PaymentRow> => {
    const changes = await keyAfterAll(row)
    await writeSettled(row, transaction, block, { from: ['SETTLING', 'UNKNOWN', 'FAILED'], changes })
    return mustGet(row.id)
  }

  /** Writes down that the money moved. Gives the receipt; undefined where the row is not in a state of `from` (any more). */
  const writeSettled = async (
    payment: Omit<Claim, 'now'>,
    transaction: string,
    block: number | null,
    { changes, ...condition }: Pick<Move, 'from' | 'owner'> & { readonly changes: PaymentChanges },
  ): Promise<string | undefined> => {
    hit('before-settled')
    const { id, tool, amount } = payment
    const receipt = JSON.stringify({
      success: true,
      transaction,
      network: payment.network,
      payer: payment.payer,
      amount,
      extensions: { tollgate: { paymentId: id, paymentUrl: parts.paymentUrl(id) } },
    })
    const now = clock.now()
    const moved = await store.move({
      id,
      ...condition,
      to: 'SETTLED',
      changes: {
        ...changes,
        receipt,
        transaction,
        block,
        reason: null,
        probes: 0,
        nextProbeAt: now + auditAfterMs,
        leaseUntil: 0,
      },
      now,
    })
    hit('after-settled')
    if (!moved) return undefined
    log.info('payment.settled', { id, tool, amount, transaction })
    return receipt
  }

  /** A failed payment that lands after all leaves its idempotency key to the payment that took it meanwhile. */
  const keyAfterAll = async (row: PaymentRow): Promise<{ readonly keyHash?: null }> => {
    if (row.state !== 'FAILED' || row.keyHash === null) return {}
    const holder = await store.holderOf(row.payer, row.keyHash)
    return holder === undefined || holder === row.id ? {} : { keyHash: null }
  }

  const toFailed = async (row: PaymentRow, reason: string): Promise<PaymentRow> => {
    // The row stays under watch until the authorization is over: a transfer that lands after all turns it into SETTLED.
    const watch = row.validBefore * 1_000 + 60_000 > clock.now() && chain !== undefined ? clock.now() + 5_000 : null
    const moved = await store.move({
      id: row.id,
      from: ['SETTLING', 'UNKNOWN'],
      to: 'FAILED',
      // The key stays on the row, for a caller who goes on asking while the transfer lands after all; another payment may
      // take it all the same.
      changes: { reason: reason.slice(0, 200), probes: 0, nextProbeAt: watch, leaseUntil: 0 },
      now: clock.now(),
    })
    if (moved) log.warn('payment.failed', { id: row.id, tool: row.tool, reason })
    return mustGet(row.id)
  }

  const toUnknown = async (
    row: PaymentRow,
    transaction: string | null | undefined,
    reason: string,
  ): Promise<PaymentRow> => {
    const probes = row.state === 'UNKNOWN' ? row.probes + 1 : 1
    const overdue = clock.now() > row.validBefore * 1_000 + 600_000
    if (overdue) log.error('payment.needs_operator', { id: row.id, tool: row.tool, reason })
    const waitMs = overdue ? 600_000 : Math.min(1_000 * 2 ** Math.min(probes - 1, 5), 30_000)
    await store.move({
      id: row.id,
      from: ['SETTLING', 'UNKNOWN'],
      to: 'UNKNOWN',
      changes: {
        reason: reason.slice(0, 200),
        probes,
        nextProbeAt: clock.now() + waitMs,
        leaseUntil: 0,
        ...(transaction === null || transaction === undefined ? {} : { transaction }),
      },
      now: clock.now(),
    })
    return mustGet(row.id)
  }

  const mustGet = async (id: string): Promise<PaymentRow> => {
    const row = await store.get(id)
    if (row === undefined) throw new Error('A payment vanished from the ledger.')
    return row
  }

  const sweepRow = async (row: PaymentRow): Promise<void> => {
    hit('before-reconcile')
    switch (row.state) {
      case 'CLAIMED': {
        // The process that ran it is gone before the payment was handed on: as if it had never been sent.
        const changes = { reason: 'interrupted', keyHash: null, leaseUntil: 0 }
        await store.move({
          id: row.id,
          from: ['CLAIMED'],
          owner: parts.owner,
          to: 'ABORTED',
          changes,
          now: clock.now(),
        })
        return
      }
      case 'SETTLING':
      case 'UNKNOWN': {
        const after = await resolveByChain(row, null, 1)
        // Not on the chain yet and still possible: hand in the very same authorization again; it can be used only once.
        if (after.state === 'UNKNOWN' && after.validBefore * 1_000 > clock.now()) {
          await applySettlement(after, await facilitator.settle(after.settlement))
        } else if (after.state === 'UNKNOWN' && chain === undefined) {
          await applySettlement(after, await facilitator.settle(after.settlement))
        }
        return
      }
      case 'SETTLED':
        return audit(row)
      case 'FAILED': {
        const proof = chain === undefined ? undefined : await chain.outcomeOf(row, row.transaction)
        if (proof?.kind === 'paid') {
          // The facilitator hid a transfer, or the payer handed in later what it had refused: who cannot be told, so it
          // is no reason to believe it less.
          log.error('facilitator.contradiction', { id: row.id, tool: row.tool })
          await toSettled(row, proof.transaction, proof.block)
          return
        }
        const over = proof?.kind === 'void' || (proof?.kind === 'unused' && proof.dead)
        const changes = { nextProbeAt: over ? null : clock.now() + 5_000, leaseUntil: 0 }
        await store.move({ id: row.id, from: ['FAILED'], to: 'FAILED', changes, now: row.updatedAt })
        return
      }
      case 'CONFIRMED':
      case 'ABORTED':
      case 'LOST':
    }
  }

  /** Every settlement is read back from the chain once it should be deep enough. */
  const audit = async (row: PaymentRow): Promise<void> => {
    const later = async (): Promise<void> => {
      const waitMs = Math.min(auditAfterMs * 2 ** Math.min(row.probes, 6), 1_800_000)
      const changes = { probes: row.probes + 1, nextProbeAt: clock.now() + waitMs, leaseUntil: 0 }
      await store.move({ id: row.id, from: ['SETTLED'], to: 'SETTLED', changes, now: row.updatedAt })
    }
    if (chain === undefined) {
      const changes = { nextProbeAt: null, leaseUntil: 0 }
      await store.move({ id: row.id, from: ['SETTLED'], to: 'SETTLED', changes, now: row.updatedAt })
      return
    }
    const proof = await chain.outcomeOf(row, row.transaction)
    if (proof.kind === 'paid' && proof.head - proof.block >= confirmations) {
      const changes = { transaction: proof.transaction, block: proof.block, nextProbeAt: null, leaseUntil: 0 }
      await store.move({ id: row.id, from: ['SETTLED'], to: 'CONFIRMED', changes, now: row.updatedAt })
      return
    }
    if (proof.kind === 'paid' || proof.kind === 'unreadable') return later()
    // The facilitator said settled and the chain says no: it lied, or the block was dropped.
    distrusted = true
    log.error('ledger.chain_mismatch', { id: row.id, tool: row.tool, transaction: row.transaction, chain: proof.kind })
    if (proof.kind === 'unused' && !proof.dead) {
      await facilitator.settle(row.settlement)
      return later()
    }
    const changes = { reason: proof.kind === 'void' ? proof.reason : 'never_landed', nextProbeAt: null, leaseUntil: 0 }
    await store.move({ id: row.id, from: ['SETTLED'], to: 'LOST', changes, now: row.updatedAt })
  }

  const sweep = async (): Promise<number> => {
    const now = clock.now()
    const rows = await store.takeDue(parts.owner, now, now + settleLeaseMs, 20)
    await Promise.all(
      rows.map(async (row) => {
        try {
          await sweepRow(row)
        } catch (error) {
          // The lease runs out and the next sweep tries again.
          log.error('ledger.sweep_failed', { id: row.id, state: row.state, error })
        }
      }),
    )
    return rows.length
  }

  return {
    admit,
    sweep,
    find: (id) => store.get(id),
    drain: async () => {
      await Promise.all(flights.values())
    },
  }
}

/** Whether a facilitator's yes speaks of this payment. */
function fitsPayment(
  { payer, amount, network }: Pick<Claim, 'payer' | 'amount' | 'network'>,
  { answer }: Settlement & { kind: 'settled' },
): boolean {
  return (
    (answer.payer ?? payer).toLowerCase() === payer.toLowerCase() &&
    (answer.amount ?? amount) === amount &&
    [network, legacyNetworkOf(network)].includes(answer.network ?? network)
  )
}

function facilitatorDown(): CallError {
  return new CallError(
    'facilitator_unavailable',
    'The payment facilitator cannot be reached, so no payment was taken.',
    {
      nextStep: 'Send the same request with the same payment in a few seconds.',
      retryAfterSeconds: 5,
    },
  )
}

/** How a signature ends that also says how its contract is made (ERC-6492). */
const erc6492Magic = '6492'.repeat(16)

async function isErc6492(signature: string): Promise<boolean> {
  const { parseErc6492Signature } = await import('viem')
  try {
    parseErc6492Signature(`0x${signature.slice(2)}`)
    return true
  } catch {
    // The bytes before the ending are not an address and two byte strings.
    return false
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof PaymentRejection) return error.reason
  return error instanceof CallError ? error.code : 'interrupted'
}

/** Everything about the payment that does not change with time. @throws PaymentRejection */
function checkTerms(payload: PaymentPayload, requirement: Requirement): void {
  const { authorization, accepted } = payload
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
  const networks = [requirement.network, legacyNetworkOf(requirement.network)]
  const payer = authorization.from
  if (payload.scheme !== 'exact') throw new PaymentRejection('unsupported_scheme', { payer })
  if (!networks.includes(payload.network)) throw new PaymentRejection('invalid_network', { payer })
  if (accepted !== undefined) {
    if (!same(accepted.asset, requirement.asset)) throw new PaymentRejection('invalid_payment_requirements', { payer })
    const extra = accepted.extra ?? {}
    const fits =
      accepted.amount === requirement.amount &&
      same(accepted.payTo, requirement.payTo) &&
      accepted.maxTimeoutSeconds === requirement.maxTimeoutSeconds &&
      (extra['name'] ?? requirement.extra.name) === requirement.extra.name &&
      (extra['version'] ?? requirement.extra.version) === requirement.extra.version &&
      Object.keys(extra).every((key) => key === 'name' || key === 'version')
    if (!fits) throw new PaymentRejection('invalid_payment_requirements', { payer })
  }
  if (!same(authorization.to, requirement.payTo)) {
    throw new PaymentRejection('invalid_exact_evm_payload_recipient_mismatch', { payer })
  }
  if (authorization.value !== requirement.amount) {
    throw new PaymentRejection('invalid_exact_evm_payload_authorization_value_mismatch', { payer })
  }
}

/** @throws PaymentRejection where the payment is not usable yet, not long enough, or for too long. */
function checkTimes(payload: PaymentPayload, now: number): void {
  const { from: payer, validAfter, validBefore } = payload.authorization
  if (Number(validAfter) * 1_000 > now) {
    throw new PaymentRejection('invalid_exact_evm_payload_authorization_valid_after', { payer })
  }
  const lifeMs = Number(validBefore) * 1_000 - now
  if (lifeMs < leastLifeMs || lifeMs > longestLifeSeconds * 1_000) {
    throw new PaymentRejection('invalid_exact_evm_payload_authorization_valid_before', { payer })
  }
}

function claimOf(offer: Offer, owner: string, now: number): Claim {
  const { payload, requirement } = offer
  const { authorization } = payload
  const payer = authorization.from.toLowerCase()
  const asset = requirement.asset.toLowerCase()
  const nonce = authorization.nonce.toLowerCase()
  return {
    id: paymentIdOf(requirement.network, asset, payer, nonce),
    network: requirement.network,
    asset,
    payer,
    nonce,
    amount: requirement.amount,
    payTo: requirement.payTo.toLowerCase(),
    validBefore: Number(authorization.validBefore),
    proofHash: sha256(
      [
        payer,
        authorization.to.toLowerCase(),
        authorization.value,
        authorization.validAfter,
        authorization.validBefore,
        nonce,
        payload.signature.toLowerCase(),
      ].join('|'),
    ),
    opHash: offer.opHash,
    keyHash: offer.idempotencyKey === undefined ? null : sha256(`${offer.tool}|${offer.idempotencyKey}`),
    tool: offer.tool,
    settlement: JSON.stringify({
      x402Version: 2,
      // A v1 payment carries the same signature, so the facilitator always gets v2, built on our own terms.
      paymentPayload: {
        x402Version: 2,
        resource: { url: offer.resource.url, description: offer.resource.description, mimeType: 'application/json' },
        accepted: requirement,
        payload: { authorization, signature: payload.signature },
        ...(payload.extensions === undefined ? {} : { extensions: payload.extensions }),
      },
      paymentRequirements: requirement,
    }),
    owner,
    leaseUntil: now + verifyLeaseMs + offer.wantedMs,
    now,
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
