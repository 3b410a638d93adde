import type { Clock } from '../../src/platform/clock.ts'
import { knownAssets } from './assets.ts'
import { type Journal, openJournal } from './journal.ts'
import { dollarsOf } from './money.ts'
import { createPayingMcp, type PayingMcp } from './paying-mcp.ts'
import { policyOf } from './policy.ts'
import { type Account, createPurse } from './purse.ts'
import type { Policy } from './settings.ts'
import { accountOf, type Env, findKey, journalFileOf } from './wallet.ts'

/** Whoever pays from the command line: the wallet, the rules and the journal of the environment. */
export type Buyer = {
  readonly policy: Policy
  readonly journal: Journal
  readonly payMcp: PayingMcp
  readonly leftToday: () => string
  readonly budgetText: string
  readonly close: () => void
}

/** The wallet is read when it is first needed: a list of tools needs none. @throws ConfigError */
export async function openBuyer(env: Env, clock: Clock): Promise<Buyer> {
  const policy = policyOf(env)
  const journal = await openJournal(journalFileOf(env), clock.now)
  const account = async (): Promise<Account> => accountOf(await findKey(env))
  const purse = createPurse({ account, journal, clock, policy, assets: knownAssets })
  return {
    policy,
    journal,
    payMcp: createPayingMcp({ purse, clock }),
    leftToday: () => {
      const left = policy.perDay - journal.counted().day
      return dollarsOf(left > 0n ? left : 0n)
    },
    budgetText: `up to $${dollarsOf(policy.perCall)} a call and $${dollarsOf(policy.perDay)} a day`,
    close: journal.close,
  }
}
