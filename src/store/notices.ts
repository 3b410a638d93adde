/** What somebody outside is told of a payment. */
export const noticeEvents = ['settled', 'unknown', 'lost'] as const
export type NoticeEvent = (typeof noticeEvents)[number]

/** A thing to be told, written in the transaction of the move that it tells of. Each is told of a payment once. */
export type Notice = {
  readonly seq: number
  /** Id of the payment. */
  readonly payment: string
  readonly event: NoticeEvent
  readonly at: number
  /** How often it was tried, this time included. */
  readonly attempts: number
}

export type NoticeStore = {
  /**
   * Takes notices that are due for this process until `until`, oldest first; of one payment only the first that is not
   * told yet, so that nobody hears of its life in another order.
   */
  readonly take: (now: number, until: number, limit: number) => Promise<readonly Notice[]>
  /** Where it was told, or given up. */
  readonly end: (seq: number, now: number) => Promise<void>
  readonly retryAt: (seq: number, at: number) => Promise<void>
  readonly waiting: () => Promise<number>
  /** Forgets what was told before; until then it is known that it was. */
  readonly drop: (before: number) => Promise<void>
}

/** Nobody takes a notice for longer than this, so what is due further ahead was set by a clock that was wrong. */
export const longestRetryMs = 3_700_000
export const columnsOfNotice = 'seq, payment, event, at, attempts'

export function readNotice(row: unknown): Notice | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const { seq, payment, event, at, attempts }: Readonly<Record<string, unknown>> = { ...row }
  const known = noticeEvents.find((one) => one === event)
  if (known === undefined) throw new Error('The ledger holds a notice that this version does not know.')
  return { seq: Number(seq), payment: String(payment), event: known, at: Number(at), attempts: Number(attempts) }
}

/** What is due: not told, and nothing of the same payment before it waits. */
export const dueNotice = (
  now: string,
  ahead: string,
): string => `ended_at is null and (due_at <= ${now} or due_at > ${ahead})
  and not exists (select 1 from notices as before
    where before.payment = notices.payment and before.seq < notices.seq and before.ended_at is null)`
