import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { draftSiwe } from '../../src/access/siwe-draft.ts'
import { readSiweHeader } from '../../src/access/siwe.ts'
import { CallError } from '../../src/errors.ts'
import { chargedOf } from '../../src/payments/ledger/charged.ts'
import { assetDecimals } from '../../src/payments/terms.ts'
import type { Ledger } from '../../src/payments/ledger/ledger.ts'
import type { PaidServer } from '../../src/server/paid.ts'
import type { PaymentRow } from '../../src/store/store.ts'
import { json, sendJsonBytes, withResult } from './answers.ts'
import { headerOf } from './headers.ts'
import type { AnswerSigning } from './signing.ts'

export type PaymentsRouteParts = Pick<PaidServer, 'ledger' | 'checkSiwe' | 'baseUrl'> & {
  readonly chainId: number
  readonly paymentUrl: (id: string) => string
  readonly now: () => number
  /** Address of the tool that was paid for; undefined where it is not served any more. */
  readonly resourceOf: (slug: string) => string | undefined
  /** Undefined where nothing is signed. */
  readonly signing: AnswerSigning | undefined
  /** Runs work and counts a refused proof against the caller. */
  readonly attempt: (request: IncomingMessage, work: () => Promise<void>) => Promise<void>
}

/**
 * What became of a payment, and what it paid for: only for the payer, who proves it by a signed message. The payment
 * itself proves nothing here, because once it is on the chain everybody can read it.
 */
export type PaymentsRoute = (
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  requestId: string,
) => Promise<void>

export function createPaymentsRoute(parts: PaymentsRouteParts): PaymentsRoute {
  const unknown = (): CallError =>
    new CallError('unknown_payment', 'You have no payment with this id.', {
      nextStep: 'Use the paymentUrl of the answer that named it, and sign with the key that paid.',
    })

  const answer: PaymentsRoute = async (request, response, id, requestId) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new CallError('method_not_allowed', 'A payment is looked up with GET.', { headers: { allow: 'GET, HEAD' } })
    }
    if (!/^[0-9a-f]{64}$/.test(id)) throw unknown()
    const authorization = headerOf(request, 'authorization')
    if (authorization === undefined || !/^SIWE /i.test(authorization)) {
      const message = draftSiwe({
        origin: parts.baseUrl,
        address: '<address that paid>',
        uri: parts.paymentUrl(id),
        chainId: parts.chainId,
        statement: 'Show me what I paid for.',
        nonce: randomBytes(12).toString('hex'),
        now: parts.now(),
      })
      throw new CallError('proof_required', 'Only the payer may see a payment.', {
        nextStep:
          'Put the paying address into details.message, sign it (EIP-191), and send "Authorization: SIWE <base64url(message)>.<0xsignature>".',
        details: { message },
        headers: { 'www-authenticate': `SIWE uri="${parts.paymentUrl(id)}"` },
      })
    }
    const { address } = await parts.checkSiwe(readSiweHeader(authorization))
    const row = await findRow(parts.ledger, id)
    // A stranger learns nothing, not even that there is such a payment.
    if (row === undefined || row.payer !== address.toLowerCase()) throw unknown()
    const receipt = row.receipt === null ? {} : { 'payment-response': Buffer.from(row.receipt).toString('base64') }
    const delivered = await isDelivered(parts.ledger, id)
    const result = delivered ? resultOf(row) : null
    const body = withResult(
      { ...viewOf(row, parts.now(), delivered), resource: parts.resourceOf(row.tool) ?? null },
      result,
    )
    const signature = parts.signing?.document(body, json, request)
    const headers = { ...receipt, ...signature, 'x-request-id': requestId }
    sendJsonBytes(response, 200, body, headers, request.method === 'GET')
  }
  return (request, response, id, requestId) => parts.attempt(request, () => answer(request, response, id, requestId))
}

/** @throws CallError that leaves open what became of the money. */
async function findRow(ledger: Ledger, id: string): Promise<PaymentRow | undefined> {
  return reading(() => ledger.find(id))
}

/** Whether the answer may be shown: where its amount became a credit, that is what the payer has. */
async function isDelivered(ledger: Ledger, id: string): Promise<boolean> {
  return reading(() => ledger.isDelivered(id))
}

async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw new CallError('unavailable', 'The ledger cannot be read at the moment.', {
      nextStep: 'Look again in a few seconds; do not sign again before.',
      retryAfterSeconds: 5,
      charged: 'unknown',
      cause,
    })
  }
}

/** The answer as its payer sees it: only when it was paid for. */
function resultOf({ state, result, resultHash }: PaymentRow): Uint8Array | null {
  if (result === null || !isSettled(state)) return null
  // An answer that was damaged on the disk is not given; with the payment itself and its key the tool runs again.
  return createHash('sha256').update(result).digest('hex') === resultHash ? result : null
}

/** A payment as its payer sees it, without its answer. */
function viewOf(row: PaymentRow, now: number, delivered: boolean) {
  return {
    id: row.id,
    tool: row.tool,
    state: row.state.toLowerCase(),
    charged: chargedOf(row, now),
    network: row.network,
    asset: row.asset,
    payer: row.payer,
    payTo: row.payTo,
    amount: row.amount,
    decimals: assetDecimals,
    nonce: row.nonce,
    // What was bought, without telling it: SHA-256 of the tool and its arguments.
    operation: row.opHash,
    block: row.block,
    settledAt: row.settledAt === null ? null : new Date(row.settledAt).toISOString(),
    transaction: row.transaction,
    reason: row.reason,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    receipt: readJson(row.receipt),
    credited: isSettled(row.state) && !delivered,
  }
}

function isSettled(state: PaymentRow['state']): boolean {
  return state === 'SETTLED' || state === 'CONFIRMED'
}

function readJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
