/** What is limited for each address; an honest client, however busy, meets none of it. */
export const limitNames = ['requests', 'challenges', 'rejections', 'failures', 'freeCalls', 'kilobytes'] as const
export type LimitName = (typeof limitNames)[number]

/** A token bucket: `burst` at once, `perSecond` on and on. */
export type Limit = { readonly perSecond: number; readonly burst: number }
export type LimitTable = Readonly<Record<LimitName, Limit>>

export const defaultLimits: LimitTable = {
  /** HTTP requests of any kind. */
  requests: { perSecond: 50, burst: 500 },
  /** Terms of payment that were asked for and not followed by a payment. */
  challenges: { perSecond: 10, burst: 300 },
  /** Payments, sign-ins and proofs that were refused. */
  rejections: { perSecond: 0.5, burst: 40 },
  /** Runs that failed or found nothing: free for the caller, but not for the services that were asked. */
  failures: { perSecond: 0.2, burst: 60 },
  freeCalls: { perSecond: 5, burst: 100 },
  /** What is sent in requests and answers. */
  kilobytes: { perSecond: 2_000, burst: 64_000 },
}
