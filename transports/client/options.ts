/** Dollars as decimal strings, such as "0.25". */
export type Budget = {
  /** What a call may cost without being asked about; "0.25" unless given. */
  readonly perCall?: string
  readonly perHour?: string
  /** "2" unless given. */
  readonly perDay?: string
  /** What one tool may be paid in a day. */
  readonly perTool?: string
  /** What one wallet may be paid in a day. */
  readonly perRecipient?: string
}

export type BuyerOptions = {
  readonly budget?: Budget
  /** CAIP-2 of the one network that is paid on; Base unless given. */
  readonly network?: string
  /** Hosts that may be paid; all unless given. */
  readonly hosts?: readonly string[]
  /** Hosts whose terms may change. */
  readonly allowChanges?: readonly string[]
  /** Payments that a host may refuse in an hour before it is left alone; 3 unless given. */
  readonly mostRefusals?: number
  /** Dollars, "0.50" to "5", that are paid ahead where a server takes them, and that calls are drawn from. */
  readonly prepaid?: string
}

/** Asked before a payment that the rules alone do not allow. */
export type Question = {
  readonly origin: string
  readonly tool: string
  /** Dollars, as a decimal string. */
  readonly usd: string
  readonly payTo: string
  /** In a sentence of ours: what is unusual about it. */
  readonly reason: string
}

export type Approve = (question: Question) => Promise<boolean>
