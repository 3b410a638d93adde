import type { Access } from './tool.ts'

/** An amount in US dollars: digits, at most six after the point. */
export const usdPattern = /^(?:0|[1-9]\d*)(?:\.\d{1,6})?$/

/** What one call costs in dollars, as a decimal string; `0` where a call is never charged. */
export function usdOf(access: Access): string {
  return 'usd' in access ? access.usd : '0'
}

/** Whether a call can be paid for. */
export function isPriced(access: Access): access is Extract<Access, { readonly usd: string }> {
  return 'usd' in access
}

/** Dollars as atomic units of USDC, which has six decimals. `parseUnits` of viem would cost half a second at start. */
export function atomicUsdc(usd: string): string {
  const [whole = '', fraction = ''] = usd.split('.')
  return String(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0')))
}

/** How long a signed payment may take to be settled; the same for every tool. */
export const maxTimeoutSeconds = 60
