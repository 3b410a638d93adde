import { paths } from '../tool/urls.ts'
import type { DescribeConfig } from './config.ts'

/** What can be paid ahead at once, in dollars. */
export const prepaidLimits = { minUsd: '0.50', maxUsd: '5', usualUsd: '1' } as const

/** How a balance is paid ahead and spent, for programs. docs/prepaid.md says the same to people. */
export function prepaidOf({ baseUrl }: Pick<DescribeConfig, 'baseUrl'>) {
  return {
    balance: `${baseUrl}${paths.balance}`,
    topUp: { method: 'POST', body: { usd: prepaidLimits.usualUsd }, ...limits, pay: 'x402' },
    session: { method: 'POST', url: `${baseUrl}${paths.sessions}`, proof: 'SIWE', uri: `${baseUrl}${paths.balance}` },
    endSessions: { method: 'DELETE', url: `${baseUrl}${paths.sessions}`, proof: 'Bearer or SIWE' },
    spend: {
      header: 'Authorization: Bearer <session token>',
      mcpMeta: 'tollgate/session',
      idempotency: 'idempotency-key',
    },
    expires: false,
  } as const
}

const limits = { minUsd: prepaidLimits.minUsd, maxUsd: prepaidLimits.maxUsd } as const

/** What is owed for a charge that delivered nothing, for programs. docs/refunds.md says the same to people. */
export function refundPolicyOf({ baseUrl, supportUrl }: Pick<DescribeConfig, 'baseUrl' | 'supportUrl'>) {
  return {
    failedCall: 'not-charged',
    credit: {
      automatic: ['landed_after_failure', 'answer_lost'],
      byOperator: true,
      spent: 'automatically, for the next call that it covers',
      show: `${baseUrl}${paths.balance}`,
    },
    prepaid: { failedCall: 'given-back', unspent: 'paid back by the operator on request' },
    contact: supportUrl,
  } as const
}
