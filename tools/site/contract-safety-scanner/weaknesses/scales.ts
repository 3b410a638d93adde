import { wordAt } from '../evm/memory.ts'
import type { Result } from '../evm/frame.ts'
import { addressOf } from '../evm/machine.ts'
import { forkOf, type State } from '../evm/state.ts'
import { askWord } from '../harness.ts'
import { callData, type Note } from '../lab.ts'
import type { Fault } from './faults.ts'
import { search, type Tried } from './search.ts'
import { balanceIn, type Stage } from './stage.ts'

const most = { runs: 12, entries: 3 }
const decimals = '313ce567'
/** What feeds of prices are asked: latestAnswer(), latestRoundData(). */
const feeds: ReadonlySet<string> = new Set(['50d25bcd', 'feaf968c'])
/** So many times what a feed says, or of one whole for another where none is asked, no honest price is. */
const beyond = { feed: 10, par: 100_000_000_000 }
/** Parts of a whole that are given, as powers of ten. */
const parts = [0, 6] as const
/** Next to nothing of anything. */
const little = 1_000n

/**
 * Next to nothing of one token, or of ether, brings nearly all there is of another: figures of different decimals were
 * taken for the same.
 */
export function scaleFaults(stage: Stage, note: Note): readonly Fault[] {
  const { lab, tokens, state } = stage
  const named = tokens.filter((one) => one !== lab.actors.token)
  const things = named.flatMap((token) => {
    const own = askWord(lab, state, note, token, callData(decimals))
    return own === undefined || own > 36n ? [] : [{ token, decimals: Number(own) }]
  })
  for (const given of things)
    for (const taken of things) {
      if (given === taken || stage.isSpent()) continue
      const found = nextToNothing(stage, note, given, taken)
      if (found !== undefined) return [found]
    }
  return []
}

type Thing = { readonly token: string; readonly decimals: number }

function nextToNothing(stage: Stage, note: Note, given: Thing, taken: Thing): Fault | undefined {
  const { lab, state, thief } = stage
  const whole = balanceIn(lab, note, state, taken.token, lab.target)
  if (whole < 2n * little) return undefined
  const has = (one: State, { token }: Thing): bigint => balanceIn(lab, note, one, token, thief)
  for (const part of parts) {
    const put = 10n ** BigInt(Math.max(0, given.decimals - part))
    for (const { results, state: after, selector, next } of waysFor(stage, note, { given, taken, put, whole })) {
      const rate =
        wholes(has(after, taken) - has(state, taken), taken) / wholes(has(state, given) - has(after, given), given)
      if (rate > fairest(stage, note, results))
        return { is: 'scale', selector, ...(next === undefined ? {} : { next }) }
    }
  }
  return undefined
}

function wholes(amount: bigint, { decimals: own }: Thing): number {
  return Number(amount) / 10 ** own
}

type Wanted = { readonly given: Thing; readonly taken: Thing; readonly put: bigint; readonly whole: bigint }
type Way = {
  readonly state: State
  readonly results: readonly Result[]
  readonly selector: string
  readonly next: string | undefined
}

/** Calls by which the one is given and as much as possible of the other is had, at once or one after the other. */
function waysFor(stage: Stage, note: Note, { given, taken, put, whole }: Wanted): readonly Way[] {
  const { lab, state, thief, functions } = stage
  const has = (one: State, { token }: Thing): bigint => balanceIn(lab, note, one, token, thief)
  const asked = { state, actor: thief, payer: thief, runs: most.runs }
  const giving = functions
    .flatMap((selector) =>
      stage.isSpent()
        ? []
        : search(stage, note, { ...asked, selector, amount: put })
            .filter(({ result }) => has(result.state, given) === has(state, given) - put)
            .slice(0, 1),
    )
    .slice(0, most.entries)
  const found: Way[] = []
  for (const { result, selector } of giving) {
    const after = result.state
    if (has(after, taken) > has(state, taken))
      found.push({ state: after, results: [result], selector, next: undefined })
    for (const next of functions.filter((one) => one !== selector)) {
      if (stage.isSpent()) return found
      const having = search(stage, note, { ...asked, state: after, selector: next, amount: little }).find(
        (one) => has(one.result.state, taken) > has(after, taken) && has(one.result.state, given) === has(after, given),
      )
      // What somebody gets without having given anything is another matter.
      if (having === undefined || lab.run(forkOf(state), having.transaction, note).ok) continue
      const last = largest(stage, note, after, having, whole)
      found.push({ state: last.state, results: [result, last], selector, next })
    }
  }
  return found
}

/** The same call about as much as it gives. */
function largest(
  { lab }: Stage,
  note: Note,
  state: State,
  { words, transaction, selector, result }: Tried,
  whole: bigint,
) {
  for (let amount = whole / 2n; amount > little; amount /= 4n) {
    const other = words.map((word) => (word === little ? amount : word))
    const data = callData(selector, ...other).subarray(0, transaction.data.length)
    const more = lab.run(forkOf(state), { ...transaction, data }, note)
    if (more.ok) return more
  }
  return result
}

/** The largest rate between two wholes that what was asked of feeds could mean. */
function fairest(stage: Stage, note: Note, results: readonly Result[]): number {
  const { lab, state } = stage
  const answers = new Set<number>()
  for (const { effects } of results)
    for (const effect of effects) {
      if (effect.is !== 'call' || !effect.isStatic) continue
      const selector = Buffer.from(effect.data.bytes.subarray(0, 4)).toString('hex')
      if (!feeds.has(selector)) continue
      const feed = addressOf(effect.to.v)
      const { data } = lab.run(forkOf(state), { from: lab.actors.stranger, to: feed, data: callData(selector) }, note)
      const own = askWord(lab, state, note, feed, callData(decimals)) ?? 8n
      const price = Number(wordAt(data.bytes, selector === 'feaf968c' ? 32 : 0)) / 10 ** Number(own)
      if (price > 0) answers.add(price)
    }
  const rates = [...answers]
  if (rates.length === 0) return beyond.par
  const all = rates.flatMap((one) => [one, 1 / one, ...rates.map((other) => one / other)])
  return Math.max(...all) * beyond.feed
}
