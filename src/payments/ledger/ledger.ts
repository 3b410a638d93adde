import { LRUCache } from 'lru-cache'

import type { Charged } from '../../errors.ts'
import type { PaymentRow } from '../../store/store.ts'
import { createAllowance } from '../allowance.ts'
import { admit } from './admit.ts'
import { chargedNow } from './charged.ts'
import { createFlights } from './flights.ts'
import { allowances } from './limits.ts'
import type { Admission, Offer } from './offer.ts'
import type { LedgerContext, LedgerParts } from './parts.ts'
import { createStrikes } from './strikes.ts'
import { sweep } from './sweep.ts'

export type Ledger = {
  /** @throws PaymentRejection where a better payment would do; CallError where it would not. */
  readonly admit: (offer: Offer) => Promise<Admission>
  /** Looks once at every payment that is due: what a crash left, what is unknown, what is not confirmed yet. */
  readonly sweep: () => Promise<number>
  /** Whether the money of a payment moved; "unknown" where nobody knows, or the ledger cannot be read. */
  readonly chargedFor: (id: string) => Promise<Charged>
  readonly find: (id: string) => Promise<PaymentRow | undefined>
  /** Ends when every call under way has been settled or given up. */
  readonly drain: () => Promise<void>
}

/**
 * The state machine of payments. Each verb has a module of its own: admit, repeat (a payment that is known), start and
 * verify (a claim that is ours), settle, reconcile (an outcome that is not known), sweep. docs/ledger.md tells it whole.
 */
export function createLedger(parts: LedgerParts): Ledger {
  const { clock } = parts
  const ledger: LedgerContext = {
    ...parts,
    flights: createFlights(),
    trust: { isLost: false },
    contracts: createAllowance({ clock, ...allowances.contracts }),
    newcomers: createAllowance({ clock, ...allowances.newcomers }),
    strikes: createStrikes(clock),
    withoutCode: new LRUCache({ max: 10_000 }),
    regulars: new LRUCache({ max: 10_000 }),
  }
  return {
    admit: (offer) => admit(ledger, offer),
    sweep: () => sweep(ledger),
    chargedFor: (id) => chargedNow(ledger, id),
    find: (id) => ledger.store.get(id),
    drain: () => ledger.flights.allEnded(),
  }
}
