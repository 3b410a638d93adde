import { createPass } from './pass.ts'
import { createPayingFetch, type PayingFetchParts } from './paying-fetch.ts'
import { createPrepaid } from './prepaid.ts'
import { createSpender, type SpenderParts } from './spender.ts'
import { createSignIn } from './sign-in.ts'

export type PayingParts = SpenderParts & Omit<PayingFetchParts, 'spender' | 'prepaid' | 'pass'>

/**
 * What pays by HTTP, and what it pays with: for a pass where the wallet holds one, out of a balance where one is
 * wanted, by payment.
 */
export function createHttpPaying(parts: PayingParts) {
  const { account, journal, clock, policy, fetch } = parts
  const spender = createSpender(parts)
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
    pay: createPayingFetch({ ...parts, spender }),
  })
  const pass = createPass({ signIn, clock, hosts, knownHosts: journal.knownHosts })
  return { payFetch: createPayingFetch({ ...parts, spender, prepaid, pass }), spender, prepaid, pass } as const
}
