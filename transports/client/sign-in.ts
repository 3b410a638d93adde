import { randomBytes } from 'node:crypto'

import { draftSiwe } from '../../src/access/siwe-draft.ts'
import type { Clock } from '../../src/platform/clock.ts'
import type { Account } from './spender.ts'

export type SignInParts = {
  readonly account: () => Promise<Account>
  readonly clock: Clock
  /** CAIP-2, e.g. `eip155:8453`. */
  readonly network: string
}

/**
 * Proves the wallet to the server at an address, for that address and ten minutes, in words of ours: what a server
 * would like to have signed is never read. Undefined where the wallet signs no messages.
 */
export type SignIn = (uri: string, statement: string) => Promise<string | undefined>

export function createSignIn({ account, clock, network }: SignInParts): SignIn {
  return async (uri, statement) => {
    const wallet = await account()
    if (wallet.signMessage === undefined) return undefined
    const message = draftSiwe({
      origin: new URL(uri).origin,
      address: wallet.address,
      uri,
      chainId: Number(network.slice('eip155:'.length)),
      statement,
      nonce: randomBytes(16).toString('hex'),
      now: clock.now(),
    })
    const signature = await wallet.signMessage({ message })
    return `SIWE ${Buffer.from(message, 'utf8').toString('base64url')}.${signature}`
  }
}
