import type { Result } from './evm/frame.ts'
import { forkOf, type State } from './evm/state.ts'
import { explore } from './explore.ts'
import { askWord, type Harness, selectors, withBalance } from './harness.ts'
import { callData, type Lab, type Note } from './lab.ts'
import type { Exploration, Question } from './outcome.ts'

const few = 40

/**
 * A function that acts on somebody's signature and takes the very same one again: what the user signed once can be
 * carried out as often as anybody likes. Whose signature it is, is an assumption; what it is of, is compared.
 */
export function replayed(
  lab: Lab,
  note: Note,
  { start, amount, places }: Question,
  explorations: readonly Exploration[],
  { tokens, harnesses }: { readonly tokens: readonly string[]; readonly harnesses: readonly Harness[] },
): string | undefined {
  const { holder, stranger } = lab.actors
  const state = withLeaves(lab, note, start, tokens)
  const has = (one: State): readonly bigint[] => [
    ...tokens.map((token) => askWord(lab, one, note, token, callData(selectors.balanceOf, holder)) ?? 0n),
    ...harnesses.map((harness) => harness.held(one, note)),
  ]
  const loses = (before: State, after: State): boolean => {
    const now = has(after)
    return has(before).some((one, index) => (now[index] ?? 0n) < one)
  }
  const signing = explorations.filter(({ results }) => results.some(({ signatures }) => signatures > 0))
  return signing.find(({ selector }) =>
    // Less than all is asked for, so that there is something left for the second time.
    [amount / 8n, 1n].some((part) => {
      const question = {
        start: state,
        places,
        amount: part,
        first: stranger,
        signer: holder,
        maxRuns: few,
        isAlone: true,
      }
      return explore(lab, selector, question, note).outcomes.some(({ result, transaction, actor }) => {
        if (actor !== stranger || result.signed.length === 0 || !loses(state, result.state)) return false
        const after = forkOf(result.state)
        const second = lab.run(after, transaction, note)
        return second.ok && digests(second) === digests(result) && loses(result.state, after)
      })
    }),
  )?.selector
}

function digests({ signed }: Result): string {
  return signed.map(({ digest }) => digest).join()
}

/** A state in which the holder and a stranger let the contract spend what they have of every token. */
function withLeaves(lab: Lab, note: Note, start: State, tokens: readonly string[]): State {
  let state = forkOf(start)
  for (const token of tokens)
    for (const from of [lab.actors.holder, lab.actors.stranger]) {
      if ((askWord(lab, state, note, token, callData(selectors.balanceOf, from)) ?? 0n) === 0n)
        state = withBalance(lab, state, note, token, from, 10n ** 24n) ?? state
      lab.run(state, { from, to: token, data: callData(selectors.approve, lab.target, 10n ** 24n) }, note)
    }
  return state
}
