/** Places where a test may end the process, named so that a report can say which were tried. */
export const failpoints = [
  'before-claim',
  'after-claim',
  'before-verify',
  'after-verify',
  'before-run',
  'after-run',
  'before-intent',
  'after-intent',
  'before-settle',
  'after-settle',
  'before-settled',
  'after-settled',
  'before-answer',
  'after-answer',
  'before-reconcile',
  'after-reconcile-read',
] as const

/** Places that only a server passes which settles by itself. */
export const gasWalletFailpoints = ['after-sign', 'after-broadcast'] as const

/** Places that only a call passes which is drawn from a balance. */
export const drawFailpoints = ['after-reserve', 'before-take', 'after-take'] as const

export type FailpointName =
  | (typeof failpoints)[number]
  | (typeof gasWalletFailpoints)[number]
  | (typeof drawFailpoints)[number]

/** Called at each failpoint; in production it does nothing. */
export type Failpoint = (name: FailpointName) => void

export const noFailpoints: Failpoint = () => {}
