import { CallError } from '../errors.ts'
import { topUpSlug } from '../store/accounts.ts'
import type { CounterStore } from '../store/store.ts'
import { isPriced } from '../tool/access.ts'
import type { Tool } from '../tool/tool.ts'
import type { Credentials } from './grant.ts'
import type { Sessions } from './session.ts'
import { readSiweHeader, readSiwxHeader, type SignedText, type SiweCheck, siweUriOf } from './siwe.ts'

export type BalanceProofParts = {
  readonly sessions: Pick<Sessions, 'payerOf'>
  readonly checkSiwe: SiweCheck
  readonly counters: CounterStore
  readonly now: () => number
  /** Whether a signed message may be used once only. */
  readonly singleUse: boolean
  /** Address that a message must name which spends: a sign-in for anything else never does. */
  readonly balanceUrl: string
}

type Shown = Pick<Credentials, 'session' | 'siwe' | 'siwx'>

export type BalanceProof = {
  /**
   * The wallet whose balance the caller may spend, in lower case; undefined where nothing was shown for that.
   * @param provenBy a wallet that the same message proved already, and used up.
   * @throws CallError 401 where what was shown does not hold.
   */
  readonly payerOf: (shown: Shown, provenBy?: string) => Promise<string | undefined>
}

/** Whose balance a call is drawn from: by a session token, or by a sign-in that names the balance. */
export function createBalanceProof(parts: BalanceProofParts): BalanceProof {
  return {
    payerOf: async (shown, provenBy) => {
      if (shown.session !== undefined) return parts.sessions.payerOf(shown.session)
      const signed = signedTextOf(shown)
      if (signed === undefined || siweUriOf(signed.text) !== parts.balanceUrl) return undefined
      if (provenBy !== undefined) return provenBy
      const message = await parts.checkSiwe(signed)
      const address = message.address.toLowerCase()
      if (parts.singleUse) {
        const until = Date.parse(message.expirationTime ?? '') + 120_000
        if (!(await parts.counters.claimOnce(`siwe|${address}|${message.nonce}`, until, parts.now()))) {
          throw new CallError('proof_rejected', 'This sign-in message was used before.', {
            nextStep: 'Sign a fresh message with another nonce, or open a session.',
          })
        }
      }
      return address
    },
  }
}

/** Whether calls of the tool may be drawn from a balance; a top-up is not. */
export function isDrawable({ access, slug }: Pick<Tool, 'access' | 'slug'>): boolean {
  return isPriced(access) && slug !== topUpSlug
}

function signedTextOf({ siwe, siwx }: Shown): SignedText | undefined {
  if (siwe !== undefined) return readSiweHeader(siwe)
  return siwx === undefined ? undefined : readSiwxHeader(siwx)
}
