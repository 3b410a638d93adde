import type { Ambient } from '../platform/ambient.ts'
import type { AskBooks } from './books/questions.ts'

/** Reading a gigabyte takes a thread some seconds, at a priority that leaves the processor to everybody else. */
const everyMs = 15 * 60_000

export type WatchIntegrityParts = Ambient & {
  readonly askBooks: AskBooks
  /** Told what is wrong with the ledger. */
  readonly onDamage: (fault: string) => void
}

/** Reads the whole ledger file now and then, in a thread of its own, and says where it is damaged. */
export function watchIntegrity({ askBooks, onDamage, clock, log }: WatchIntegrityParts): {
  readonly stop: () => Promise<void>
} {
  const stopping = new AbortController()
  const look = async (): Promise<void> => {
    try {
      const fault: unknown = JSON.parse(await askBooks({ kind: 'fault' }))
      if (typeof fault === 'string') onDamage(fault)
    } catch (cause) {
      // Nothing was learned of the ledger; its writes are watched all the same.
      log.warn('ledger.not_checked', { cause })
    }
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await clock.sleep(everyMs, stopping.signal)
      if (!stopping.signal.aborted) await look()
    }
  }
  void loop()
  // Stopping need not wait for a check that is under way: it holds nothing open.
  return { stop: async () => stopping.abort() }
}
