/** What can be paid ahead at once, in dollars. */
export const prepaidLimits = { minUsd: '0.50', maxUsd: '5', usualUsd: '1' } as const
