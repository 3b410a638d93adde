import { agreeing } from '../campaign/hooks.ts'
import { addressOf } from '../evm/machine.ts'
import type { Result } from '../evm/frame.ts'
import { wordAt } from '../evm/memory.ts'
import { programOf } from '../evm/program.ts'
import { forkOf, type State } from '../evm/state.ts'
import { loadsIn, type Tag, type Word } from '../evm/tag.ts'
import { askWord, selectors } from '../harness.ts'
import { callData, type Lab, type Note } from '../lab.ts'
import type { Fault } from './faults.ts'
import { search } from './search.ts'
import { balanceIn, type Stage } from './stage.ts'

const most = { questions: 6, functions: 10, runs: 10, ofOne: 3 }
/** What everybody is asked, or what no trade moves: decimals, symbols, allowances. */
const plain: ReadonlySet<string> = new Set(['313ce567', '95d89b41', '06fdde03', selectors.allowance, selectors.ownerOf])

/** A question to another contract whose answer decides what somebody gets. */
type Question = {
  readonly selector: string
  readonly result: Result
  /** What has to be so that the call goes well, beside what is so on the stage. */
  readonly given: State
  readonly asked: string
  readonly data: Uint8Array
  /** Whose affairs it is about: who is asked, or of whom a token is asked how much they have. */
  readonly pool: string
}

/**
 * What somebody gets hangs on what another contract says, and anybody can make it say something else: by a trade, or in
 * the middle of a call of it.
 */
export function movedPrice(stage: Stage, note: Note): { readonly selector: string; readonly pool: string } | undefined {
  for (const question of questionsOf(stage, note)) {
    if (stage.isSpent()) return undefined
    if (isMovedByTrade(stage, note, question)) return { selector: question.selector, pool: question.pool }
  }
  return undefined
}

/** The same, where the answer is another one in the middle of a call, and people’s deposits hang on it. */
export function midCallFaults(stage: Stage, note: Note): readonly Fault[] {
  if (stage.harnesses.length === 0) return []
  for (const question of questionsOf(stage, note)) {
    if (stage.isSpent()) return []
    if (question.asked === question.pool && isOtherMeanwhile(stage, note, question))
      return [{ is: 'midcall', selector: question.selector }]
  }
  return []
}

function questionsOf({ lab, explorations, tokens, users }: Stage, note: Note): readonly Question[] {
  const found = new Map<string, Question>()
  const people = new Set<string>([...Object.values(lab.actors), ...lab.crowd, ...users, lab.target])
  for (const { selector, outcomes, bought } of explorations)
    for (const { result, before } of [...outcomes, ...bought])
      for (const effect of result.effects) {
        if (effect.is !== 'call' || !effect.isStatic || !effect.ok || effect.from !== lab.target) continue
        const asked = addressOf(effect.to.v)
        const { bytes } = effect.data
        const what = Buffer.from(bytes.subarray(0, 4)).toString('hex')
        const isBalance = what === selectors.balanceOf
        const pool = isBalance ? addressOf(wordAt(bytes, 4)) : asked
        if (plain.has(what) || people.has(pool) || !hasCode(lab, note, pool)) continue
        if (!isBalance && tokens.includes(asked) && what === selectors.totalSupply) continue
        const id = `${selector}${asked}${Buffer.from(bytes).toString('hex')}`
        if (!found.has(id)) found.set(id, { selector, result, given: before, asked, data: bytes, pool })
      }
  return [...found.values()].slice(0, most.questions)
}

function hasCode(lab: Lab, note: Note, account: string): boolean {
  const { world, base } = lab
  lab.run(forkOf(base), { from: lab.actors.stranger, to: account, data: new Uint8Array(0) }, note)
  return ((base.codes.get(account) ?? world.codes.get(account))?.bytes.length ?? 0) > 0
}

function answerIn({ lab, thief }: Stage, note: Note, state: State, { asked, data }: Question): readonly bigint[] {
  const { ok, data: said } = lab.run(forkOf(state), { from: thief, to: asked, data }, note)
  if (!ok) return []
  return Array.from({ length: Math.floor(said.bytes.length / 32) }, (_value, nth) => wordAt(said.bytes, nth * 32))
}

/** Differs by more than a hundredth. */
function isOther(now: readonly bigint[], before: readonly bigint[]): boolean {
  return (
    now.length === before.length &&
    now.some((one, at) => {
      const had = before[at] ?? 0n
      const by = one > had ? one - had : had - one
      return had > 0n && by * 100n > had
    })
  )
}

function isMovedByTrade(stage: Stage, note: Note, question: Question): boolean {
  const { lab, thief, tokens } = stage
  const { pool } = question
  const start = withGiven(stage, question)
  for (const token of tokens)
    lab.run(start, { from: thief, to: token, data: callData(selectors.approve, pool, 1n << 250n) }, note)
  const before = answerIn(stage, note, start, question)
  return tradesWith(stage, note, start, pool).some(
    (state) =>
      isOther(answerIn(stage, note, state, question), before) && isWeighed(stage, question, changedIn(start, state)),
  )
}

/** `account:slot` of what is another word in one of two states. */
function changedIn(before: State, after: State): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [account, slots] of after.storage)
    for (const [slot, word] of slots)
      if (before.storage.get(account)?.get(slot) !== word) found.add(`${account}:${slot}`)
  return found
}

/**
 * Whether one of those words was multiplied with, or divided by, what somebody has or says, and the product is what is
 * paid, or what is asked before something is paid.
 */
function isWeighed({ lab }: Stage, { result }: Question, places: ReadonlySet<string>): boolean {
  const isPaid = result.effects.some(
    (effect) => effect.is === 'call' && !effect.isStatic && effect.from === lab.target && effect.ok,
  )
  const asked = result.branches.flatMap(({ account, condition: { t } }) => (account === lab.target ? [t] : []))
  const paid = result.effects.flatMap((effect) =>
    effect.is === 'call' && !effect.isStatic && effect.from === lab.target
      ? [...(effect.data.tags?.values() ?? [])]
      : [],
  )
  return isPaid && [...asked, ...paid].some((tag) => holdsProduct(tag, places))
}

const [mul, div] = [0x02, 0x04]

function holdsProduct(tag: Tag | undefined, places: ReadonlySet<string>): boolean {
  if (tag?.is !== 'op') return false
  const { a, b } = tag
  const isOf = ({ t }: Word): boolean => loadsIn(t).some(({ account, slot }) => places.has(`${account}:${slot}`))
  const isOwn = ({ t }: Word): boolean => t !== undefined && !isOf({ v: 0n, t })
  if ((tag.op === mul || tag.op === div) && ((isOf(a) && isOwn(b)) || (isOf(b) && isOwn(a)))) return true
  return holdsProduct(a.t, places) || holdsProduct(b.t, places)
}

/** The stage, with what an experiment put in the contract's own storage. */
function withGiven({ lab, state }: Stage, { given }: Question): State {
  const start = forkOf(state)
  const slots = start.storage.get(lab.target) ?? new Map<bigint, bigint>()
  for (const [slot, word] of given.storage.get(lab.target) ?? []) if (!slots.has(slot)) slots.set(slot, word)
  start.storage.set(lab.target, slots)
  return start
}

/** States after somebody without rights did something with a pool. */
function tradesWith(stage: Stage, note: Note, start: State, pool: string): readonly State[] {
  const { lab, thief, tokens } = stage
  const there: Stage = { ...stage, lab: { ...lab, target: pool }, explorations: [] }
  const own = (lab.base.codes.get(pool) ?? lab.world.codes.get(pool))?.selectors ?? []
  const held = tokens.map((token) => balanceIn(lab, note, start, token, pool)).filter((one) => one > 0n)
  const amount = held.reduce((a, b) => (b < a ? b : a), held[0] ?? 10n ** 18n) / 2n
  return own.slice(0, most.functions).flatMap((selector) => {
    if (stage.isSpent()) return []
    const asked = { state: start, selector, actor: thief, payer: thief, amount, runs: most.runs }
    return search(there, note, asked)
      .slice(0, most.ofOne)
      .map(({ result }) => result.state)
  })
}

function isOtherMeanwhile(stage: Stage, note: Note, question: Question): boolean {
  const { lab, thief, tokens } = stage
  const { pool } = question
  const start = withGiven(stage, question)
  for (const token of tokens)
    lab.run(start, { from: thief, to: token, data: callData(selectors.approve, pool, 1n << 250n) }, note)
  start.codes.set(thief, programOf(`0x${agreeing()}`))
  const own = (lab.base.codes.get(pool) ?? lab.world.codes.get(pool))?.selectors ?? []
  const there: Stage = { ...stage, lab: { ...lab, target: pool }, explorations: [] }
  const [before = 0n] = answerIn(stage, note, start, question)
  // The more of it is moved, the more wrong it is meanwhile.
  const amount = (askWord(lab, start, note, pool, callData(selectors.totalSupply)) ?? 2n * 10n ** 18n) / 2n
  return own.slice(0, most.functions).some((selector) => {
    if (stage.isSpent()) return false
    const asked = { state: start, selector, actor: thief, payer: thief, amount, runs: most.runs }
    return search(there, note, asked).some(({ result, transaction }) => {
      if (!isCalled(result, pool, thief)) return false
      const state = forkOf(start)
      state.codes.set(thief, programOf(writingDown(pool, question.data)))
      const again = lab.run(state, transaction, note)
      const said = state.storage.get(thief)?.get(1n)
      const [after = 0n] = answerIn(stage, note, state, question)
      // What the call itself changes for good is no matter of its middle.
      return again.ok && said !== undefined && isOther([said], [before]) && isOther([said], [after])
    })
  })
}

function isCalled({ effects }: Result, from: string, who: string): boolean {
  return effects.some(
    (effect) => effect.is === 'call' && !effect.isStatic && effect.from === from && effect.to.v === BigInt(who),
  )
}

/** Code of an account that, the first time it is called, asks a question and writes down the answer. */
function writingDown(target: string, data: Uint8Array): string {
  const length = data.length.toString(16).padStart(4, '0')
  const askingAt = (offset: number): string =>
    `60015f5561${length}61${offset.toString(16).padStart(4, '0')}5f3960205f61${length}5f5f73${target.slice(2)}5af1505f51600155`
  const head = 7
  const start = head + askingAt(0).length / 2
  const tail = agreeing(start + 1)
  const code = `5f5461${start.toString(16).padStart(4, '0')}575b${askingAt(start + 1 + tail.length / 2)}5b${tail}`
  return `0x${code}${Buffer.from(data).toString('hex')}`
}
