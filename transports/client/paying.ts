import { createPass } from './pass.ts'
import type { PayingFetch } from './exchange.ts'
import { createPayingFetch, type PayingFetchParts } from './paying-fetch.ts'
import { createPayingMcp, type PayingMcp } from './paying-mcp.ts'
import { createPrepaid } from './prepaid.ts'
import { createPurse, type PurseParts } from './purse.ts'
import { createSignIn } from './sign-in.ts'

export type PayingParts = PurseParts & Omit<PayingFetchParts, 'purse' | 'prepaid' | 'pass'>

export type Paying = { readonly payFetch: PayingFetch; readonly payMcp: PayingMcp }

/** Both ways to pay over one purse: for a pass where the wallet holds one, out of a balance where one is wanted, by payment. */
export function createPaying(parts: PayingParts): Paying {
  const { account, journal, clock, policy, fetch } = parts
  const purse = createPurse(parts)
  const signIn = createSignIn({ account, clock, network: policy.network })
  const { hosts } = policy
  const prepaid = createPrepaid({
    amount: policy.prepaid,
    journal,
    clock,
    fetch,
    hosts,
    signIn,
    payer: async () => (await account()).address.toLowerCase(),
    // What is paid ahead is paid by a transfer.
    pay: createPayingFetch({ ...parts, purse }),
  })
  const pass = createPass({ signIn, clock, hosts, knownHosts: journal.knownHosts })
  return {
    payFetch: createPayingFetch({ ...parts, purse, prepaid, pass }),
    payMcp: createPayingMcp({ purse, clock, prepaid, pass }),
  }
}
