import type { Access } from './tool.ts'

/** What the server looks at to decide whether a call may run. */
export type AccessCheck = 'free' | 'pass' | 'balance' | 'payment'

/** Ways in, as the catalog names them. */
export type ChallengeName = 'x402-payment' | 'tool-pass-holder' | 'tool-pass-identity'

type AccessRules = {
  /** The checks in the order they are made: a credential that costs nothing goes before money. */
  readonly checks: readonly AccessCheck[]
  /** Status of a request without credential and without input. */
  readonly unauthenticatedStatus: 200 | 402
  /** The ways in that the catalog lists, the one to try first at the front. */
  readonly challenges: readonly ChallengeName[]
  /** Name of the counter of these tools in the catalog's summary. */
  readonly counter: 'free' | 'paid' | 'paidOrPass' | 'pass' | 'tiered'
}

/** Every access mode and what follows from it. All parts of the server ask here (spec/site-catalog §5). */
export const accessModes: Readonly<Record<Access['mode'], AccessRules>> = {
  free: { checks: ['free'], unauthenticatedStatus: 200, challenges: [], counter: 'free' },
  paid: { checks: ['balance', 'payment'], unauthenticatedStatus: 402, challenges: ['x402-payment'], counter: 'paid' },
  'paid-or-pass': {
    checks: ['pass', 'balance', 'payment'],
    unauthenticatedStatus: 402,
    challenges: ['x402-payment', 'tool-pass-holder', 'tool-pass-identity'],
    counter: 'paidOrPass',
  },
  pass: {
    checks: ['pass'],
    unauthenticatedStatus: 402,
    challenges: ['tool-pass-identity', 'tool-pass-holder'],
    counter: 'pass',
  },
  tiered: {
    checks: ['pass', 'balance', 'payment', 'free'],
    unauthenticatedStatus: 200,
    challenges: ['x402-payment', 'tool-pass-holder', 'tool-pass-identity'],
    counter: 'tiered',
  },
}

export type PricedAccess = Extract<Access, { readonly usd: string }>

/** Whether money opens the tool, or adds to its answer. */
export function isPriced(access: Access): access is PricedAccess {
  return accessModes[access.mode].checks.includes('payment')
}

/** Whether the access pass opens the tool, or adds to its answer. */
export function opensWithPass({ mode }: Access): boolean {
  return accessModes[mode].checks.includes('pass')
}

/** Whether nothing but the access pass opens the tool. */
export function isPassOnly(access: Access): boolean {
  return opensWithPass(access) && !isPriced(access)
}

/** Whether a request without credential and without input is answered with 402 instead of being run. */
export function probeNeedsPayment({ mode }: Access): boolean {
  return accessModes[mode].unauthenticatedStatus === 402
}

/** Whether some call of the tool may be answered with 402. */
export function mayRequirePayment({ mode }: Access): boolean {
  return accessModes[mode].challenges.length > 0
}

/** How many calls of a caller are free each day; undefined where that is not limited, or where none is. */
export function freeCallsOf(access: Access): number | undefined {
  if (access.mode === 'free') return access.quotaPerDay
  return access.mode === 'paid' || access.mode === 'paid-or-pass' ? access.freePerDay : undefined
}

/** The same access with so many free calls a day. */
export function withFreeCalls(access: Access, perDay: number | undefined): Access {
  if (perDay === undefined) return access
  if (access.mode === 'free') return { ...access, quotaPerDay: perDay }
  return access.mode === 'paid' || access.mode === 'paid-or-pass' ? { ...access, freePerDay: perDay } : access
}

/** What one call costs in dollars, as a decimal string; `0` where money does not open the tool. */
export function usdOf(access: Access): string {
  return isPriced(access) ? access.usd : '0'
}
