/**
 * A signal is one small thing that a sentence can say. No signal is a finding; rules say which of them, seen close
 * together, are. Patterns see one lower-case sentence of bounded length and use bounded gaps, so they end in linear
 * time.
 */
export type Signal = {
  readonly pattern: RegExp
  /** The signal does not count in a sentence that denies it or that speaks of defending against it. */
  readonly isDeniable?: true
  /** The signal counts only in a sentence that is not English, since some of its words are English too. */
  readonly isForeign?: true
  /** The signal is a denial itself, so only speaking of defence takes it back. */
  readonly isDefensible?: true
}
