import type { Result, Signature, Transaction } from '../evm/frame.ts'
import { programOf } from '../evm/program.ts'
import { forkOf, type State } from '../evm/state.ts'
import { isKeyedBy } from '../evm/tag.ts'
import type { Note } from '../lab.ts'
import { maxWords, type Shape } from '../arguments.ts'
import type { Fault } from './faults.ts'
import { callOf, farTime, largestIn, search, shapeOf, type Tail, type Tried, variants } from './search.ts'
import { type Stage, wealthIn } from './stage.ts'

const most = { runs: 40, uses: 4, functions: 8, successes: 4 }
const tails: readonly Tail[] = ['signature', 'words', 'empty', 'compact', 'odd', 'party']
const isValidSignature = '1626ba7e'
/** How many points the curve of signatures has. */
const curve = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** What is wrong with functions that act on somebody's signature. */
export function signatureFaults(stage: Stage, note: Note): readonly Fault[] {
  const asking = stage.explorations
    .filter(({ selector, results }) => selector.length === 8 && results.some((one) => asksForSignature(one)))
    .slice(0, most.functions)
  return asking.flatMap(({ selector, rights }): readonly Fault[] => {
    if (stage.isSpent()) return []
    if (needsNone(stage, note, selector)) return [{ is: 'unsigned', selector }]
    const clerks = rights.flatMap((right) => (right.is === 'address' && right.bySignature ? [right.address] : []))
    for (const by of [stage.victim, ...new Set(clerks)]) {
      const fault = misused(stage, note, selector, by)
      if (fault !== undefined) return [{ is: fault, selector }]
    }
    return []
  })
}

function asksForSignature({ signatures, asked }: Tried['result']): boolean {
  return signatures > 0 || [...asked].some((one) => one.endsWith(isValidSignature))
}

/** People's own contracts that say something to whatever they are asked: nothing, one, and what was said. */
const wallets = ['0x00', '0x60015f5260205ff3', '0x365f5f37365ff3'] as const

/** Whether somebody loses something by a call without a signature of theirs. */
function needsNone(stage: Stage, note: Note, selector: string): boolean {
  const { victim, thief, state } = stage
  const asked = { selector, actor: thief, tails, runs: most.runs, means: { signer: null } } as const
  const first = search(stage, note, { ...asked, state })
  if (first.some((one) => asksForSignature(one.result) && harm(stage, note, state, one.result) > 0n)) return true
  // Whose own contract is asked may have one that answers anything.
  if (!first.some(({ result }) => result.ok) && !asksWallets(stage, selector)) return false
  return wallets.some((code) => {
    const other = forkOf(state)
    other.codes.set(victim, programOf(code))
    return search(stage, note, { ...asked, state: other }).some(
      ({ result }) => asksForSignature(result) && harm(stage, note, other, result) > 0n,
    )
  })
}

function asksWallets({ explorations }: Stage, selector: string): boolean {
  return explorations.some(
    (one) =>
      one.selector === selector &&
      one.results.some(({ asked }) => [...asked].some((id) => id.endsWith(isValidSignature))),
  )
}

/** Whether a signature serves again, or for something else than what was signed. */
function misused(stage: Stage, note: Note, selector: string, by: string): 'replay' | 'loose' | undefined {
  const { victim, thief, state, amount } = stage
  const part = amount / 8n === 0n ? amount : amount / 8n
  const shape = shapeOf(stage, selector)
  const found = search(stage, note, {
    selector,
    state,
    actor: thief,
    tails,
    amount: part,
    payer: by === victim ? victim : thief,
    runs: most.runs,
    means: { signer: by },
  })
  const usable = found.flatMap((one) => {
    const digests = new Set(one.result.signed.map(({ digest }) => digest))
    const [signed] = one.result.signed
    if (signed === undefined || digests.size !== 1 || (signed.v !== 27n && signed.v !== 28n)) return []
    const lost = harm(stage, note, state, one.result)
    return lost > 0n ? [{ one, lost, signature: { by, ...signed } }] : []
  })
  const isTrade = found.some(({ result }) => gives(stage, note, state, result.state))
  const largest = usable.toSorted((a, b) => (a.lost < b.lost ? 1 : a.lost > b.lost ? -1 : 0))
  for (const { one, lost, signature } of largest.slice(0, most.successes)) {
    if (servesAgain(stage, note, shape, one, { signature, lost })) return 'replay'
    if (!isTrade && by === victim && servesOthers(stage, note, shape, one, { signature, lost })) return 'loose'
  }
  return undefined
}

type Use = { readonly signature: Signature; readonly lost: bigint }

/** The same signature is handed in again, in all ways that leave what was signed as it was. */
function servesAgain(stage: Stage, note: Note, shape: Shape, one: Tried, { signature }: Use): boolean {
  const { lab } = stage
  const largest = largestIn(shape, one.words)
  return otherForms(stage, shape, one, signature).some((forms) => {
    let state = one.result.state
    let lost = harm(stage, note, stage.state, one.result)
    for (const transaction of forms) {
      const result = lab.run(forkOf(state), { ...transaction, signature }, note)
      const more = harm(stage, note, state, result)
      if (!result.ok || more <= 0n || !result.signed.some(({ digest }) => digest === signature.digest)) return false
      lost += more
      state = result.state
    }
    // What was signed as a whole may be taken in parts.
    return lost > largest
  })
}

/** Each: calls one after the other, all with the same signature. */
function otherForms(stage: Stage, shape: Shape, one: Tried, { v, s }: Signature): readonly (readonly Transaction[])[] {
  const { words } = one
  const call = (other: readonly bigint[]): Transaction => callOf(one, other)
  const later = Array.from({ length: most.uses }, (_one, nth) => ({ ...one.transaction, later: 600 * (nth + 1) }))
  const forms: (readonly Transaction[])[] = [...variants(stage, shape, one), later, [call(mirrored(words, v, s))]]
  const starts = [...shape.uses].flatMap(([at, uses]) =>
    uses.has('offset') && (at - 4) % 32 === 0 ? [Number((words[(at - 4) / 32] ?? 0n) / 32n)] : [],
  )
  for (const start of starts) {
    const length = words[start]
    if (start < maxWords || length === undefined || length < 64n || length > 96n) continue
    forms.push([call(words.with(start, length + 32n)), call(words.with(start, length + 64n))])
    // The same figures in the shorter form, or in the longer one (ERC-2098).
    if (length === 65n) forms.push([call(words.with(start, 64n).with(start + 2, s | ((v - 27n) << 255n)))])
    if (length === 64n) forms.push([call(words.with(start, 65n).with(start + 3, v << 248n))])
  }
  return forms
}

/** The other form that every signature has. */
function mirrored(words: readonly bigint[], v: bigint, s: bigint): readonly bigint[] {
  const flipped = 55n - v
  let rest = [...words]
  // The second of two equal figures is the one that is mirrored.
  const at = rest.lastIndexOf(s)
  if (at >= 0) rest = rest.with(at, curve - s)
  return rest.map((word) => (word === v ? flipped : word === v << 248n ? flipped << 248n : word))
}

/** Whether somebody else is paid, or much more, on a signature that says nothing of it. */
function servesOthers(stage: Stage, note: Note, shape: Shape, one: Tried, { signature, lost }: Use): boolean {
  const { lab, state, thief, friend } = stage
  const gainOf = (after: State, who: string): bigint =>
    growth(wealthIn(stage, note, after, who), wealthIn(stage, note, state, who))
  const largest = largestIn(shape, one.words)
  return one.words.slice(0, maxWords).some((word, index) => {
    const isParty = word === BigInt(thief) || word === BigInt(friend)
    const isNumber = word > 1n && word >> 128n === 0n && word !== farTime
    if (!isParty && !isNumber) return false
    const [to, from] = word === BigInt(thief) ? [friend, thief] : [thief, friend]
    const other = one.words.with(index, isParty ? BigInt(to) : largest * 2n)
    const result = lab.run(forkOf(state), { ...callOf(one, other), signature }, note)
    const after = result.state
    if (!result.ok || !result.signed.some(({ digest }) => digest === signature.digest)) return false
    const more = harm(stage, note, state, result)
    if (!isParty) return more >= lost * 2n
    return more > 0n && gainOf(one.result.state, from) > 0n && gainOf(after, to) > 0n && gainOf(after, from) <= 0n
  })
}

function growth(after: readonly bigint[], before: readonly bigint[]): bigint {
  return after.reduce((most, one, at) => (one - (before[at] ?? 0n) > most ? one - (before[at] ?? 0n) : most), 0n)
}

/** Whether somebody who signs, or the contract, gets something for it: then it is a trade. */
function gives(stage: Stage, note: Note, before: State, after: State): boolean {
  const { lab, victim } = stage
  return [victim, lab.target].some(
    (who) => growth(wealthIn(stage, note, after, who), wealthIn(stage, note, before, who)) > 0n,
  )
}

/**
 * What somebody and the contract lost for nothing by a call: of ether or tokens, or of what is written down under the
 * name.
 */
function harm(stage: Stage, note: Note, before: State, { ok, state, effects }: Result): bigint {
  const { lab, victim } = stage
  if (!ok || gives(stage, note, before, state)) return 0n
  const both = [victim, lab.target]
  const [had, has] = [before, state].map((one) => sum(both.map((who) => wealthIn(stage, note, one, who))))
  const lost = (had ?? []).map((one, at) => one - (has?.[at] ?? 0n))
  const names = new Set([victim.slice(2)])
  const entries = new Map<bigint, bigint>()
  for (const effect of effects) {
    if (effect.is !== 'write' || effect.account !== lab.target || !isKeyedBy(effect.key, names)) continue
    entries.set(effect.slot, (entries.get(effect.slot) ?? 0n) + effect.before - effect.value.v)
  }
  return [...lost, ...[...entries.values()].filter((one) => one > leastEntry)].reduce((a, b) => (b > a ? b : a), 0n)
}

/** A smaller step is that of a counter or a mark, and no amount. */
const leastEntry = 255n

function sum(all: readonly (readonly bigint[])[]): readonly bigint[] {
  const [first = []] = all
  return first.map((_one, at) => all.reduce((total, one) => total + (one[at] ?? 0n), 0n))
}
