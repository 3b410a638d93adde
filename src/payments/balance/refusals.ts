import { CallError } from '../../errors.ts'
import type { AccountRow } from '../../store/accounts.ts'

type Drawn = { readonly id: string }
type Urls = { readonly drawUrl: (id: string) => string }

function factsOf({ drawUrl }: Urls, { id }: Drawn): { readonly drawId: string; readonly drawUrl: string } {
  return { drawId: id, drawUrl: drawUrl(id) }
}

/** The payer's own money does not cover the call. The caller of this room adds the challenge. */
export class BalanceTooSmall extends Error {
  readonly payer: string
  /** Free to draw, in atomic units. */
  readonly prepaid: bigint
  readonly credit: bigint
  readonly price: bigint

  constructor(payer: string, account: AccountRow | undefined, price: bigint) {
    super('The balance is too small.')
    this.name = 'BalanceTooSmall'
    this.payer = payer
    this.prepaid = account?.prepaid.free ?? 0n
    this.credit = account?.credit.free ?? 0n
    this.price = price
  }
}

/** What was paid ahead may cover the call in a moment. */
export function topUpPending(): CallError {
  return new CallError(
    'settlement_pending',
    'The balance does not cover this call yet: a top-up of this wallet is under way, and its outcome is not known.',
    {
      nextStep: 'Do not top up again. Send the same call again in a moment, or pay for this call alone.',
      retryAfterSeconds: 2,
    },
  )
}

export function keyOfAnotherCall(urls: Urls, draw: Drawn): CallError {
  return new CallError('idempotency_conflict', 'This idempotency key was used for another call.', {
    nextStep: 'Take a new key for a new call.',
    details: factsOf(urls, draw),
  })
}

export function keyOfAnotherPayment(): CallError {
  return new CallError('idempotency_conflict', 'This idempotency key was used with a payment.', {
    nextStep: 'Send that payment again for its answer, or take a new key for a new call.',
  })
}

export function drawInProgress(urls: Urls, draw: Drawn): CallError {
  const details = factsOf(urls, draw)
  return new CallError('payment_in_progress', 'This call is under way already.', {
    nextStep: `Wait for it; its answer will be at ${details.drawUrl}.`,
    retryAfterSeconds: 2,
    charged: 'unknown',
    details,
  })
}

export function drawAnswerGone(urls: Urls, draw: Drawn): CallError {
  return new CallError('payment_used', 'The answer to this call was kept for a day and is gone.', {
    charged: true,
    details: factsOf(urls, draw),
  })
}

export function drawAnswerLost(urls: Urls, draw: Drawn): CallError {
  return new CallError(
    'payment_used',
    'The stored answer to this call was damaged; its price is a credit of yours now.',
    {
      nextStep: 'Send the call again with a new idempotency key: the credit is spent for it.',
      charged: true,
      details: factsOf(urls, draw),
    },
  )
}

/** A disk that fails may have kept the commit all the same. */
export function takePending(urls: Urls, draw: Drawn, cause: unknown): CallError {
  const details = factsOf(urls, draw)
  return new CallError('settlement_pending', 'Whether this call was taken from your balance is not known yet.', {
    nextStep: `Look at ${details.drawUrl} in a moment, or send the call again with the same idempotency key.`,
    retryAfterSeconds: 5,
    charged: 'unknown',
    details,
    cause,
  })
}
