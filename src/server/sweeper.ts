import type { Ambient } from '../platform/ambient.ts'
import type { Balances } from '../payments/balance/balances.ts'
import type { Ledger } from '../payments/ledger/ledger.ts'
import { repeatEvery } from '../platform/every.ts'
import type { Store } from '../store/store.ts'

const sweepEveryMs = 1_000
const keepResultsMs = 24 * 3_600_000
const dropEveryMs = 15 * 60_000
const dayMs = 24 * 3_600_000
const rememberPayersMs = 400 * dayMs
const rememberGivenUpMs = 30 * dayMs
const keepLogMs = 400 * dayMs
/** How much is forgotten in one transaction, beside which payments wait. */
const forgetAtOnce = 200

type SweeperParts = Ambient & {
  readonly ledger: Ledger
  readonly balances: Balances
  readonly store: Store
}

async function forgetOld({ payments }: Store, now: number, stopping: AbortSignal): Promise<void> {
  const old = { givenUpBefore: now - rememberGivenUpMs, loggedBefore: now - keepLogMs, limit: forgetAtOnce }
  while (!stopping.aborted && (await payments.forget(old)) >= forgetAtOnce);
}

/** Looks after payments that are due, once a second; `stop` ends it when the last look is over. */
export function startSweeper({ clock, ledger, balances, store, log }: SweeperParts): {
  readonly stop: () => Promise<void>
} {
  let dayOfCleaning = ''
  let nextDropAt = 0
  const turn = async (stopping: AbortSignal): Promise<void> => {
    // A full batch means that more is waiting.
    while ((await ledger.sweep()) >= 20 && !stopping.aborted);
    await balances.sweep()
    if (clock.now() >= nextDropAt) {
      nextDropAt = clock.now() + dropEveryMs
      await store.payments.dropResults(clock.now() - keepResultsMs)
      await store.accounts.dropResults(clock.now() - keepResultsMs)
      await balances.enterLate()
      await store.counters.sweep(new Date(clock.now()).toISOString().slice(0, 10), clock.now())
    }
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    if (day !== dayOfCleaning) {
      dayOfCleaning = day
      await store.payers.sweep(clock.now() - rememberPayersMs, clock.now())
      await forgetOld(store, clock.now(), stopping)
    }
  }
  const onFailure = (error: unknown): void => log.error('sweeper.failed', { error })
  return repeatEvery({ pauseMs: sweepEveryMs, clock, turn, onFailure })
}
