import type { Access } from './tool.ts'

/** What one call costs in dollars, as a decimal string; `0` where no money opens a call. */
export function usdOf(access: Access): string {
  return 'usd' in access ? access.usd : '0'
}

/** Whether a call can be paid for. */
export function isPriced(access: Access): access is Extract<Access, { readonly usd: string }> {
  return 'usd' in access
}
