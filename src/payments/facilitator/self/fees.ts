/** What a transaction offers for each unit of gas, in wei. */
export type Fees = { readonly maxFee: bigint; readonly tip: bigint }

/** Enough to be taken by a sequencer that orders by tip, and next to nothing. */
const leastTip = 1_000_000n

/** Nodes take a replacement only where it offers a tenth more; an eighth is on the safe side of their rounding. */
const raised = (amount: bigint): bigint => (amount * 9n) / 8n + 1n

/** What to offer at a base fee; undefined where even the base fee is beyond the ceiling. */
export function feesAt(baseFee: bigint, ceiling: bigint): Fees | undefined {
  if (baseFee + leastTip > ceiling) return undefined
  const wished = baseFee * 2n + leastTip
  return { maxFee: wished < ceiling ? wished : ceiling, tip: leastTip }
}

/** What to offer for the same nonce again; undefined where that is beyond the ceiling. */
export function replacementOf(last: Fees, baseFee: bigint, ceiling: bigint): Fees | undefined {
  const wished = feesAt(baseFee, ceiling)
  const tip = raised(last.tip)
  const least = raised(last.maxFee)
  const maxFee = wished === undefined || wished.maxFee < least ? least : wished.maxFee
  return maxFee > ceiling ? undefined : { maxFee, tip }
}
