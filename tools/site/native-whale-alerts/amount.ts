/** A positive number as `digits / 10^scale`, the shortest decimal that reads back as the same number. */
function exactOf(value: number): { readonly digits: bigint; readonly scale: number } {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) }
}

/**
 * The smallest raw amount of a token that is worth at least this many dollars. A float times a balance would not be
 * exact.
 */
export function leastWorth(usd: number, priceUsd: number, decimals: number): bigint {
  const [worth, price] = [exactOf(usd), exactOf(priceUsd)]
  const shift = decimals + price.scale - worth.scale
  const above = worth.digits * 10n ** BigInt(Math.max(0, shift))
  const below = price.digits * 10n ** BigInt(Math.max(0, -shift))
  return (above + below - 1n) / below
}

/** What a raw amount is worth in dollars, rounded to a millionth. */
export function worthOf(raw: bigint, priceUsd: number, decimals: number): number {
  const { digits, scale } = exactOf(priceUsd)
  const shift = decimals + scale - 6
  const product = raw * digits
  if (shift <= 0) return Number(product * 10n ** BigInt(-shift)) / 1e6
  const unit = 10n ** BigInt(shift)
  return Number((product + unit / 2n) / unit) / 1e6
}
