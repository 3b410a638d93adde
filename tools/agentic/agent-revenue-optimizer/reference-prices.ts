/**
 * What calls cost elsewhere: 2,010 routes with a firm price and at least three payers in thirty days, out of 17,606 in
 * the CDP discovery index, counted on the named day by savecharlie/x402-census. Percentiles are read off its bands.
 */
export const referencePrices = {
  day: '2026-09-26',
  routes: 2_010,
  usd: { p5: 0.001, p25: 0.003, p50: 0.009, p95: 0.09 },
  /** A price most buyers know; where a lower one could move to. */
  commonUsd: 0.01,
} as const

/** The reference in one sentence, for evidence. */
export const referenceSentence =
  `In the x402 census of ${referencePrices.day} (${referencePrices.routes} routes with 3 or more payers) ` +
  `p5 is about ${referencePrices.usd.p5}, p50 about ${referencePrices.usd.p50} and p95 about ${referencePrices.usd.p95} USD.`
