/** Millionths of a dollar: what budgets are counted in. */
export type Micros = bigint

/** Reads dollars as a decimal string, such as "0.25". @throws RangeError on anything else. */
export function microsOf(usd: string): Micros {
  const [, whole, part = ''] = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(usd.trim()) ?? []
  if (whole === undefined) throw new RangeError(`"${usd.slice(0, 32)}" is not an amount of dollars such as 0.25.`)
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'))
}

/** Dollars as a decimal string, with cents at least: "0.01", "0.005", "12.00". */
export function dollarsOf(micros: Micros): string {
  const sign = micros < 0n ? '-' : ''
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0')
  const part = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${sign}${digits.slice(0, -6)}.${part}`
}

/** What an amount of a dollar token is worth, rounded up: a budget never counts less than is spent. */
export function worthOf(amount: bigint, decimals: number): Micros {
  if (decimals <= 6) return amount * 10n ** BigInt(6 - decimals)
  const unit = 10n ** BigInt(decimals - 6)
  return (amount + unit - 1n) / unit
}
