import type { Result, Transaction } from './evm/frame.ts'
import { forkOf, type State } from './evm/state.ts'
import { idsOf } from './deposits.ts'
import { explore } from './explore.ts'
import { askWord, selectors } from './harness.ts'
import { callData, type Lab, type Note } from './lab.ts'
import { credits, type Exploration, type Outcome, type Question } from './outcome.ts'
import { isMeant, type Power } from './powers.ts'
import { ordinary } from './trials.ts'

/** What becomes of what people put in where they cannot have the same back at once. */
export type Return =
  /** They get something for it themselves, at once or later. */
  | { readonly is: 'own' }
  /** Somebody privileged pays them. */
  | { readonly is: 'paid'; readonly powers: readonly Power[] }
  | { readonly is: 'unknown' }
  /** Anybody can have it paid to those whom the contract knew before, each by their own entry, e.g. as a gift. */
  | { readonly is: 'passed' }
  /** Nothing of theirs is written down. */
  | { readonly is: 'nothing' }

const ether = 10n ** 18n
const most = { functions: 40, ways: 3, requests: 2, ended: 2, runs: 10, ruled: 16 }
/** Now, and when nobody would wait any longer, in seconds. */
const moments = [0, 400 * 86_400] as const

/** Looks for what an ordinary user gets for what was put in: by a call of their own, or by somebody else's. */
export function returnOf(
  lab: Lab,
  note: Note,
  {
    functions,
    start,
    tokens,
  }: { readonly functions: readonly string[]; readonly start: State; readonly tokens: readonly string[] },
): Return {
  const { holder } = lab.actors
  const own = functions.filter((one) => !ordinary.has(one)).slice(0, most.functions)
  const wealthOf = (state: State, who: string): readonly bigint[] => [
    state.balances.get(who) ?? lab.world.balances.get(who) ?? 0n,
    ...tokens.map((token) => askWord(lab, state, note, token, callData(selectors.balanceOf, who)) ?? 0n),
  ]
  const wealth = (state: State): readonly bigint[] => wealthOf(state, holder)
  const had = wealthOf(start, lab.target)
  const gains = (before: State, after: State): boolean => {
    const owned = wealth(before)
    return wealth(after).some((one, index) => one > (owned[index] ?? 0n))
  }
  const explored = (state: State, more: Partial<Question>): readonly Exploration[] =>
    own.map((selector) =>
      explore(lab, selector, { start: state, places: [], amount: ether, maxRuns: most.runs, ...more }, note),
    )
  const tried = (state: State, more: Partial<Question>): readonly Outcome[] =>
    explored(state, more).flatMap(({ outcomes }) => outcomes)
  const entries = [ether, 0n].flatMap((value) => explored(start, { first: holder, value, isAlone: true }))
  const deals = new Set(entries.filter(({ results }) => results.some((one) => namesOthers(lab, one))).map(selectorOf))
  const ways = entries
    .flatMap(({ outcomes }) => outcomes)
    .filter(({ actor, selector, result }) => {
      const effects = result.effects.filter((effect) => effect.is !== 'write' || !tokens.includes(effect.account))
      const isIn = wealthOf(result.state, lab.target).some((one, index) => one > (had[index] ?? 0n))
      const isOwn = actor === holder && !deals.has(selector) && credits({ ...result, effects }, holder)
      return isIn && isOwn && gains(result.state, start)
    })
  if (ways.length === 0) return { is: 'nothing' }
  let ruled: readonly Power[] = []
  let isPassed = false
  for (const { result: put, transaction } of ways.slice(0, most.ways)) {
    const numbers = [ether, ...idsOf(lab, put)]
    const next = [put.state, outdone(lab, note, put.state, transaction)].flatMap((state) =>
      moments.flatMap((later) =>
        numbers.flatMap((amount) => tried(state, { first: holder, isAlone: true, later, amount })),
      ),
    )
    if (next.some(({ result }) => gains(put.state, result.state))) return { is: 'own' }
    const requests = next.filter(({ result }) => credits(result, holder)).map(({ result }) => result.state)
    // What is called off or asked for first may then be fetched.
    for (const state of requests.slice(0, most.requests))
      if (tried(state, { first: holder, isAlone: true }).some(({ result }) => gains(state, result.state)))
        return { is: 'own' }
    // Something that anybody may end, e.g. a round, may have to be over first.
    const ended = next.filter(({ right, result, transaction: { later = 0 } }) => {
      const isWritten = result.effects.some((one) => one.is === 'write' && one.before !== one.value.v)
      return later > 0 && right.is === 'anyone' && isWritten && !credits(result, holder)
    })
    for (const { result, transaction } of firstOfEach(ended).slice(0, most.ended)) {
      const later = transaction.later ?? 0
      const then = tried(result.state, { first: holder, isAlone: true, later, amount: ether })
      if (then.some((one) => gains(result.state, one.result.state))) return { is: 'own' }
    }
    isPassed ||= next.some((one) => one.right.is === 'anyone' && isMeant(lab, one))
    for (const state of [put.state, ...requests.slice(0, most.requests)]) {
      const paying = tried(forkOf(state), { maxRuns: most.ruled, first: lab.actors.stranger }).filter(({ result }) =>
        gains(state, result.state),
      )
      // What anybody can set off for somebody else, they can for themselves; and the other side of a deal is no clerk.
      if (paying.some(({ right }) => right.is === 'anyone' || (right.is === 'address' && right.isNamed === true)))
        return { is: 'own' }
      if (ruled.length === 0)
        ruled = paying.map(({ selector, actor, right }) => ({
          kind: 'clerk',
          selector,
          actor,
          right,
          figure: undefined,
        }))
    }
  }
  if (ruled.length === 0 && isPassed) return { is: 'passed' }
  return ruled.length === 0 ? { is: 'unknown' } : { is: 'paid', powers: ruled }
}

/** One outcome of each function. */
function firstOfEach(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(({ selector }, at) => outcomes.findIndex((one) => one.selector === selector) === at)
}

function selectorOf({ selector }: Exploration): string {
  return selector
}

/** Whether somebody else is written down with it, e.g. the other side of a deal: then it is not for oneself alone. */
function namesOthers({ actors, target }: Lab, { ok, effects }: Result): boolean {
  if (!ok) return false
  const others = new Set([actors.recipient, actors.friend, actors.stranger, actors.consent, actors.logic].map(BigInt))
  return effects.some((effect) => effect.is === 'write' && effect.account === target && others.has(effect.value.v))
}

/** After somebody else has put in twice as much, as where the highest bid counts. */
function outdone(lab: Lab, note: Note, state: State, transaction: Transaction): State {
  const after = forkOf(state)
  const [other = lab.actors.stranger] = lab.crowd
  lab.run(after, { ...transaction, from: other, value: (transaction.value ?? 0n) * 2n }, note)
  return after
}
