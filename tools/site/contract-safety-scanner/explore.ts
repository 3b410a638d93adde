import { choices, createShape, learn, noChoice, paidIn, type Shape, sizesIn, wordsOf } from './arguments.ts'
import { assume, type Try } from './assumed.ts'
import type { Branch, Result } from './evm/frame.ts'
import { addressOf } from './evm/machine.ts'
import { forkOf, type State } from './evm/state.ts'
import { preimagesIn, shapeOf, source } from './evm/tag.ts'
import { type Guard, guardsOf } from './guards.ts'
import { callData, type Lab, type Note } from './lab.ts'
import { didSomething, type Exploration, type Outcome, type Question, type Right } from './outcome.ts'

type Attempt = {
  readonly actor: string
  readonly right: Right
  readonly state: State
  readonly forced: ReadonlyMap<string, boolean> | undefined
  /** Ether that goes along, unless the question says so. */
  readonly value?: bigint
  /** Every signature turns out to be invalid. */
  readonly isUnsigned?: boolean
}

/** Stands for a call without any data, and a name that no function has: what a contract does then is a function too. */
export const plainCall = ''
export const noFunction = 'deadbeef'

const maxStepsPerTry = 60_000
const maxAttempts = 16
const maxRuns = 110

/** Tries one function: as a stranger, and as everybody whom it turns out to listen to. */
export function explore(lab: Lab, selector: string, question: Question, note: Note): Exploration {
  const { actors } = lab
  const shape = createShape()
  const outcomes: Outcome[] = []
  const results: Result[] = []
  const rights: Right[] = []
  const seen = new Set<string>()
  const kept = new Set<string>()
  const queue: Attempt[] = []
  const enqueue = (id: string, attempt: Attempt): void => {
    if (seen.has(id)) return
    if (seen.size >= maxAttempts) {
      if (question.maxRuns === undefined) lab.cut('functions')
      return
    }
    seen.add(id)
    queue.push(attempt)
    rights.push(attempt.right)
  }
  const first = question.first ?? actors.stranger
  enqueue('anyone', { actor: first, right: { is: 'anyone' }, state: question.start, forced: undefined })

  let runs = question.maxRuns ?? maxRuns
  for (let attempt = queue.shift(); attempt !== undefined; attempt = queue.shift()) {
    const { actor, right, state, forced, value: paid = question.value, isUnsigned = false } = attempt
    const had = outcomes.length
    const tried = new Set<string>()
    const tries: Try[] = []
    for (let index = 0; index < choices.length && runs > 0; index += 1) {
      const words = wordsOf(lab, shape, choices[index] ?? noChoice, { actor, question })
      const sizes = sizesIn(shape)
      const size = index % 2 === 0 ? sizes[(index >> 1) % Math.max(1, sizes.length)] : undefined
      const data = selector === plainCall ? new Uint8Array(0) : callData(selector, ...words).subarray(0, size)
      const id = Buffer.from(data).toString('hex')
      if (tried.has(id)) continue
      tried.add(id)
      runs -= 1
      const value = paidIn(paid, shape)
      const transaction = {
        from: actor,
        to: lab.target,
        data,
        value,
        ...(question.later === undefined ? {} : { later: question.later }),
        ...(forced === undefined ? {} : { forced }),
        ...(right.is === 'address' && right.bySignature ? { signer: right.address } : {}),
        ...(isUnsigned ? { signer: null } : {}),
      }
      const result = lab.run(forkOf(state), transaction, note, maxStepsPerTry)
      results.push(result)
      tries.push({ transaction, words, result })
      learn(shape, result)
      // What a contract takes an invalid signature for is the address of nobody, which may be what it compares with.
      if (right.is === 'anyone' && result.branches.some(asksSigner))
        enqueue('unsigned', { actor, right, state: question.start, forced: undefined, isUnsigned: true })
      for (const branch of result.branches) {
        for (const asked of guardsOf(branch)) {
          const guard = isForSomebody(asked, branch, shape, words) ? { ...asked, isEntitled: true } : asked
          if (guard.is === 'hidden' && !guard.isSecret && right.is !== 'anyone') continue
          // The first trial says nothing yet, so nobody's name can be in what is asked.
          if (guard.is === 'hidden' && guard.isSecret && index === 0) continue
          follow(lab, guard, { state, actor, right, enqueue, forced })
        }
      }
      // What was paid for is no power of whoever paid; the call only shows what the code does.
      if (attempt.value !== undefined) continue
      if (result.ok && didSomething(result) && !spendsEntry(right, result)) {
        const about = result.effects.map(effectKey).join()
        if (!kept.has(`${actor}${about}`)) {
          kept.add(`${actor}${about}`)
          outcomes.push({ selector, actor, right, words, result, transaction, before: state })
        }
      } else if (!result.ok && stopsAtCaller(result, actor) && index > 1) break
    }
    if (question.maxRuns !== undefined) continue
    // What nobody can have for nothing may be had for money.
    if (right.is === 'anyone' && outcomes.length === had && tries.every(({ result }) => !asksNoMoney(result)))
      enqueue('paying', { ...attempt, value: somePaid })
    if (right.is === 'anyone') continue
    // What no trial came to is followed under the assumption that its conditions can be met.
    const more = assume(lab, { selector, actor, right, state, tries }, note)
    for (const one of more) if (!spendsEntry(right, one.result)) outcomes.push(one)
    for (const { result } of more) results.push(result)
  }
  return { selector, outcomes, rights, results }
}

/** Whether what must be said has somebody's address in it: then it is no password, but what somebody was promised. */
function isForSomebody(
  guard: Guard,
  { condition }: Branch,
  { uses }: Shape,
  words: readonly bigint[],
): guard is Extract<Guard, { is: 'hidden' }> {
  if (guard.is !== 'hidden' || !guard.isSecret) return false
  const named = words.filter((word, index) => word >> 80n !== 0n && uses.get(4 + index * 32)?.has('address') === true)
  return preimagesIn(condition.t).some((text) => named.some((one) => text.includes(addressOf(one).slice(2))))
}

const somePaid = 10n ** 18n

/** Whether it was asked that no money comes along, as most functions do. */
function asksNoMoney({ branches }: Result): boolean {
  return branches.some(
    ({ condition: { t: tag } }) =>
      tag?.is === 'value' || (tag?.is === 'op' && tag.op === 0x15 && tag.a.t?.is === 'value'),
  )
}

function asksSigner({ condition }: Result['branches'][number]): boolean {
  return ((condition.t?.from ?? 0) & source.signer) !== 0
}

/** A list whose entries are used up is no list of who is privileged, but what each has. */
function spendsEntry(right: Right, { effects }: Result): boolean {
  if (right.is !== 'list') return false
  return right.guard.entries.some(({ account, slot }) =>
    effects.some((effect) => effect.is === 'write' && effect.account === account && effect.slot === slot),
  )
}

function effectKey(effect: Result['effects'][number]): string {
  switch (effect.is) {
    case 'write':
      return `w${effect.account}${effect.slot}${effect.value.v === 0n ? 'z' : effect.value.v > effect.before ? 'u' : 'd'}${sizeOf(effect)}`
    case 'call':
      return `c${effect.to.v}${effect.value > 0n}${effect.ok}`
    case 'delegate':
      return `d${effect.to.v}`
    case 'create':
    case 'destruct':
    case 'log':
      return effect.is
  }
}

/** Settings are told apart by how large they are; entries of a mapping, of which there are many, only roughly. */
function sizeOf({ key, value }: Extract<Result['effects'][number], { is: 'write' }>): number {
  const digits = value.v.toString(16).length
  return key === undefined ? digits : digits >> 2
}

/** Whether the last thing that was asked before it failed was whether somebody else is calling. */
function stopsAtCaller({ branches }: Result, actor: string): boolean {
  const last = branches.at(-1)
  if (last === undefined) return false
  const guards = guardsOf(last)
  return guards.length > 0 && guards.every((guard) => guard.is !== 'address' || guard.address !== actor)
}

type Way = {
  readonly state: State
  readonly actor: string
  readonly right: Right
  readonly forced: ReadonlyMap<string, boolean> | undefined
  readonly enqueue: (id: string, attempt: Attempt) => void
}

/** Takes the role of whoever passes a guard. */
function follow(lab: Lab, guard: Guard, { state, actor, right, forced, enqueue }: Way): void {
  const { actors } = lab
  if (guard.is === 'address') {
    const { address, places, bySignature } = guard
    const isActor = Object.values(actors).includes(address)
    if (isActor || address === lab.target) return
    enqueue(`address ${address}${bySignature}`, {
      // Whoever has the signature may send it: it counts as the right of the one who signs.
      actor: bySignature ? actors.stranger : address,
      right: { is: 'address', address, places, bySignature },
      state: withEther(state, address),
      forced,
    })
    return
  }
  if (guard.is === 'hidden') {
    const isFirst = right.is === 'anyone'
    const next = new Map([...(forced ?? []), [guard.place, !guard.taken] as const])
    // Whoever is privileged and needs a word besides is still the same one. Others may need to have something first.
    for (const one of isFirst ? [actors.stranger, actors.holder] : [actor])
      enqueue(`hidden ${guard.place} ${one}`, {
        actor: one,
        right: isFirst ? { is: 'hidden', isEntitled: guard.isEntitled } : right,
        state,
        forced: next,
      })
    return
  }
  const [entry] = guard.entries
  const isOwn = guard.keys.some(
    (key) => key !== undefined && JSON.stringify(key, plain).includes(actors.member.slice(2)),
  )
  if (entry === undefined) return
  // The list is asked about whoever calls: the member calls first, and is then put on the list it was looked for on.
  if (!isOwn) {
    enqueue('member', { actor: actors.member, right: { is: 'anyone' }, state, forced })
    return
  }
  // Of lists that there are many of, e.g. one for each proposal, one stands for all.
  const own = new Set([actors.member.slice(2)])
  for (const mark of new Set([...guard.marks, 1n, listed])) {
    const next = forkOf(state)
    const slots = next.storage.get(entry.account) ?? new Map<bigint, bigint>()
    if (slots.has(entry.slot)) continue
    next.storage.set(entry.account, slots.set(entry.slot, mark))
    enqueue(`list ${entry.account}${shapeOf(guard.keys[0], entry.slot, own)}${mark}`, {
      actor: actors.member,
      right: { is: 'list', guard },
      state: next,
      forced,
    })
  }
}

/** True in every byte, for entries that share their word with others. */
const listed = BigInt(`0x${'01'.repeat(32)}`)

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString(16) : value
}

function withEther(state: State, address: string): State {
  const next = forkOf(state)
  next.balances.set(address, 10n ** 21n)
  return next
}
