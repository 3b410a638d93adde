import { addressOf } from './evm/machine.ts'
import { forkOf, type State, type World } from './evm/state.ts'
import { explore } from './explore.ts'
import { askWord, selectors, wordOfResult } from './harness.ts'
import { ask, callData, type Lab, type Note } from './lab.ts'

/** Few pools have more functions than this, and a sale takes few words. */
const most = { functions: 16, runs: 40 } as const

type Sale = { readonly selector: string; readonly words: readonly bigint[] }

/** How each pool was sold to, by what is known of the chain: a measure is made many times. */
const known = new WeakMap<World, Map<string, Sale>>()

/**
 * Whether an ordinary holder gets the other coin of a pool, or ether, for this one by some function of the pool's own:
 * pools of other makes name their reserves as those of Uniswap v2 do, and sell otherwise.
 */
export function sellsOtherwise(
  lab: Lab,
  state: State,
  note: Note,
  { pool, amount, later }: { readonly pool: string; readonly amount: bigint; readonly later: number },
): boolean {
  const { target, actors, world } = lab
  const functions = world.codes.get(pool)?.selectors ?? []
  // Who sells as those do, and fails, is no pool of another make.
  if (functions.includes(selectors.swap)) return false
  const { holder } = actors
  const start = forkOf(state)
  lab.run(start, { from: holder, to: target, data: callData(selectors.approve, pool, amount), later }, note)
  const other = [selectors.token0, selectors.token1]
    .flatMap((one) => wordOfResult(ask(lab, start, note, pool, callData(one))) ?? [])
    .map(addressOf)
    .find((one) => one !== target)
  if (other === undefined) return false
  const has = (on: State, token: string): bigint =>
    askWord(lab, on, note, token, callData(selectors.balanceOf, holder)) ?? 0n
  const ether = (on: State): bigint => on.balances.get(holder) ?? world.balances.get(holder) ?? 0n
  const isSold = (after: State): boolean =>
    has(after, target) < has(start, target) && (has(after, other) > has(start, other) || ether(after) > ether(start))
  const sales = known.get(world) ?? new Map<string, Sale>()
  known.set(world, sales)
  const had = sales.get(pool)
  if (had !== undefined) {
    const after = forkOf(start)
    const data = callData(had.selector, ...had.words)
    if (lab.run(after, { from: holder, to: pool, data, later }, note).ok && isSold(after)) return true
  }
  const there: Lab = { ...lab, target: pool }
  const question = {
    start,
    places: [target, other],
    amount,
    first: holder,
    later,
    coin: target,
    maxRuns: most.runs,
    isAlone: true,
  }
  for (const selector of functions.slice(0, most.functions)) {
    const { outcomes } = explore(there, selector, question, note)
    const sale = outcomes.find(({ actor, result }) => actor === holder && isSold(result.state))
    if (sale === undefined) continue
    if (note.size === 0) sales.set(pool, { selector, words: sale.words })
    return true
  }
  return false
}
