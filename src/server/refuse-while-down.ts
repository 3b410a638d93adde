import type { Call } from '../call/call.ts'
import { CallError, type Charged } from '../errors.ts'
import { PaymentRequiredError } from '../payments/x402/required.ts'
import { isPassOnly } from '../tool/access.ts'
import type { Intake } from './intake.ts'

/** Nobody is invited to sign a payment that could not be taken at the moment. */
export function refuseWhileDown(call: Call, intake: Intake): Call {
  return async (request) => {
    try {
      return await call(request)
    } catch (error) {
      if (isForWantOfFacilitator(error) && (await intake.obstacle()) === 'paused') throw paused(error.charged)
      if (!(error instanceof PaymentRequiredError)) throw error
      // What only a pass opens asks for no payment, and its proof goes to no facilitator.
      if (isPassOnly(request.tool.access)) throw error
      const obstacle = await intake.obstacle()
      if (obstacle === undefined) throw error
      const code = obstacle === 'ledger' ? 'unavailable' : 'facilitator_unavailable'
      const { refused } = error
      // The ledger said of a payment that was refused that it did not move; only so did it become a payment request.
      if (refused !== undefined) {
        throw new CallError(code, 'The payment was refused and not charged; no other can be taken at the moment.', {
          nextStep: 'Sign nothing now. Ask for the terms again in a few seconds.',
          retryAfterSeconds: 5,
          details: { reason: refused.errorReason },
        })
      }
      if (obstacle === 'paused') throw paused(false)
      throw new CallError(code, 'Payments cannot be taken at the moment.', {
        nextStep: 'Ask again in a few seconds.',
        retryAfterSeconds: 5,
      })
    }
  }
}

/** Whether a new payment failed for want of a facilitator; to the ledger, a paused server has none. */
function isForWantOfFacilitator(error: unknown): error is CallError {
  return error instanceof CallError && error.code === 'facilitator_unavailable'
}

function paused(charged: Charged): CallError {
  return new CallError('facilitator_unavailable', 'The operator has paused new payments.', {
    nextStep: 'Sign nothing now. Answers that were paid for are still given out. Ask again in a few minutes.',
    retryAfterSeconds: 60,
    charged,
  })
}
