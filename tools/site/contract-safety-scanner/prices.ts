import { forkOf, type State } from './evm/state.ts'
import { askWord, selectors } from './harness.ts'
import { ordinary } from './trials.ts'
import type { Exploration, Outcome } from './outcome.ts'
import { callData, type Lab, type Note } from './lab.ts'

/** What a pool answers about the moment: its reserves, the last trade's price, and what a trade would bring. */
const ofTheMoment: ReadonlySet<string> = new Set([
  selectors.getReserves,
  '3850c7bd', // slot0()
  'f140a35a', // getAmountOut(uint256,address)
  '5e0d443f', // get_dy(int128,int128,uint256)
  '556d6e9f', // get_dy(uint256,uint256,uint256)
  'd06ca61f', // getAmountsOut(uint256,address[])
])

/** What a pool answers about a longer time, which a single trade does not move. */
const overTime: ReadonlySet<string> = new Set([
  '5909c0d5', // price0CumulativeLast()
  '5a3d5493', // price1CumulativeLast()
  '883bdbfd', // observe(uint32[])
  '9e8cc04b', // quote(address,uint256,uint256)
])

/**
 * A function that works out what somebody may have by what a pool says at the moment, without trading there itself:
 * whoever trades first decides the answer. Undefined where there is none.
 */
export function spotPriced(
  { target }: Lab,
  explorations: readonly Exploration[],
): { readonly selector: string; readonly pool: string } | undefined {
  for (const { selector, results } of explorations) {
    if (ordinary.has(selector)) continue
    const asked = results.flatMap((one) => [...one.asked]).map((one) => one.split(':'))
    const own = asked.filter(([from]) => from === target)
    const changes = results.some(({ sites }) => sites.size > 0)
    const found = own.find(
      ([, pool, how, what = '']) =>
        how === 'ask' &&
        ofTheMoment.has(what) &&
        !own.some(([, other, kind]) => other === pool && kind === 'call') &&
        !asked.some(([, other, , question = '']) => other === pool && overTime.has(question)),
    )
    if (changes && found?.[1] !== undefined) return { selector, pool: found[1] }
  }
  return undefined
}

const most = { outcomes: 4, places: 3, doublings: 70, skew: 1_000n } as const
const half = 112n
const mask = (1n << half) - 1n

/**
 * Whether limits of the contract's own hold, however far the pool is moved: the same call brings no more than twice as
 * much, costs no less than half, and goes no further than four times as far. False where no such call is known.
 */
export function isBoundedPrice(
  lab: Lab,
  note: Note,
  outcomes: readonly Outcome[],
  { selector, pool, tokens }: { readonly selector: string; readonly pool: string; readonly tokens: readonly string[] },
): boolean {
  const asking = outcomes.filter(
    ({ selector: one, result, right }) =>
      one === selector && right.is === 'anyone' && [...result.asked].some((asked) => asked.includes(`:${pool}:ask:`)),
  )
  const moving = asking.filter((one) => changesOf(one, one.result.state).some((change) => change !== 0n))
  return (
    moving.length > 0 &&
    moving.slice(0, most.outcomes).every((one) => movedPools(one).every((state) => holds(one, state)))
  )

  /** What the caller has more or less, of ether and of each token. */
  function changesOf({ actor, before }: Outcome, after: State): readonly bigint[] {
    const ether = (state: State): bigint => state.balances.get(actor) ?? lab.world.balances.get(actor) ?? 0n
    const has = (state: State, token: string): bigint =>
      askWord(lab, state, note, token, callData(selectors.balanceOf, actor)) ?? 0n
    return [ether(after) - ether(before), ...tokens.map((token) => has(after, token) - has(before, token))]
  }

  /** The same state with each figure of the pool far too high and far too low. */
  function movedPools({ before, result }: Outcome): readonly State[] {
    const slots = [...result.reads]
      .filter((id) => id.startsWith(`${pool}:`))
      .map((id) => BigInt(id.slice(pool.length + 1)))
    return slots.slice(0, most.places).flatMap((slot) => {
      const word = before.storage.get(pool)?.get(slot) ?? lab.world.storage.get(pool)?.get(slot) ?? 0n
      return skewed(word).map((other) => {
        const state = forkOf(before)
        state.storage.set(pool, new Map([...(state.storage.get(pool) ?? []), [slot, other]]))
        return state
      })
    })
  }

  function holds(one: Outcome, state: State): boolean {
    const { transaction, words, result } = one
    const again = lab.run(forkOf(state), transaction, note)
    const usual = changesOf(one, result.state)
    const isBetter =
      again.ok &&
      changesOf({ ...one, before: state }, again.state).some((change, at) => {
        const known = usual[at] ?? 0n
        return known > 0n ? change > known * 2n : known < 0n && change * 2n > known
      })
    if (isBetter) return false
    const index = words.reduce((best, word, at) => (isAmount(word) && word > (words[best] ?? 0n) ? at : best), 0)
    const goes = (from: State, word: bigint): boolean => {
      const data = callData(selector, ...words.with(index, word))
      return lab.run(forkOf(from), { ...transaction, data }, note).ok
    }
    let reach = words[index] ?? 0n
    for (let times = 0; times < most.doublings && goes(one.before, reach * 2n); times += 1) reach *= 2n
    return reach === 0n || reach >> 128n !== 0n || !goes(state, reach * 4n)
  }
}

function isAmount(word: bigint): boolean {
  return word >> 128n === 0n
}

/** A figure, or each of two that share a word, a thousand times as large or as small. */
function skewed(word: bigint): readonly bigint[] {
  if (word < 2n) return []
  if (word >> half === 0n) return [word * most.skew, word / most.skew]
  const [low, high, rest] = [word & mask, (word >> half) & mask, word >> (half * 2n)]
  const joined = (first: bigint, second: bigint): bigint =>
    (rest << (half * 2n)) | ((second & mask) << half) | (first & mask)
  return [
    joined(low * most.skew, high),
    joined(low / most.skew, high),
    joined(low, high * most.skew),
    joined(low, high / most.skew),
  ]
}
