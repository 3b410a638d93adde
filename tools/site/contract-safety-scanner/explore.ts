import type { Result, Use } from './evm/frame.ts'
import { paidPlace } from './evm/machine.ts'
import { forkOf, type State } from './evm/state.ts'
import { source } from './evm/tag.ts'
import { type Guard, guardsOf, type Place } from './guards.ts'
import { callData, type Lab, type Note } from './lab.ts'
import { selectors } from './harness.ts'

/** By what right somebody called. */
export type Right =
  | { readonly is: 'anyone' }
  | {
      readonly is: 'address'
      readonly address: string
      readonly places: readonly Place[]
      readonly bySignature: boolean
    }
  | { readonly is: 'list'; readonly guard: Extract<Guard, { is: 'list' }> }
  | { readonly is: 'hidden' }

/** A call that succeeded and did something. */
export type Outcome = {
  readonly selector: string
  readonly actor: string
  readonly right: Right
  readonly words: readonly bigint[]
  readonly value: bigint
  readonly result: Result
}

/** All that was tried with one function. */
export type Exploration = {
  readonly selector: string
  readonly outcomes: readonly Outcome[]
  readonly rights: readonly Right[]
  readonly results: readonly Result[]
}

type Attempt = {
  readonly actor: string
  readonly right: Right
  readonly state: State
  readonly forced: ReadonlyMap<string, boolean> | undefined
  /** Every signature turns out to be invalid. */
  readonly isUnsigned?: boolean
}

export type Question = {
  readonly start: State
  /** Addresses that calls may be about beside the actors, e.g. the pool. */
  readonly places: readonly string[]
  /** People who really use this contract, by its events. */
  readonly users?: readonly string[]
  /** Names under which the contract keeps what its ordinary use reads, e.g. in a table of settings. */
  readonly keys?: readonly bigint[]
  /** An amount or id that matters in this contract. */
  readonly amount: bigint
  /** Who asks first; somebody without rights unless given. */
  readonly first?: string
  readonly value?: bigint
  readonly maxRuns?: number
}

const maxStepsPerTry = 60_000
const maxWords = 12
const maxAttempts = 8

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
    if (seen.has(id) || seen.size >= maxAttempts) return
    seen.add(id)
    queue.push(attempt)
    rights.push(attempt.right)
  }
  const first = question.first ?? actors.stranger
  enqueue('anyone', { actor: first, right: { is: 'anyone' }, state: question.start, forced: undefined })

  let runs = question.maxRuns ?? 90
  for (let attempt = queue.shift(); attempt !== undefined; attempt = queue.shift()) {
    const { actor, right, state, forced, isUnsigned = false } = attempt
    const tried = new Set<string>()
    for (let index = 0; index < choices.length && runs > 0; index += 1) {
      const words = wordsOf(lab, shape, choices[index] ?? noChoice, { actor, question })
      const data = callData(selector, ...words)
      const id = Buffer.from(data).toString('hex')
      if (tried.has(id)) continue
      tried.add(id)
      runs -= 1
      const value = paidIn(question, shape)
      const transaction = {
        from: actor,
        to: lab.target,
        data,
        value,
        ...(forced === undefined ? {} : { forced }),
        ...(right.is === 'address' && right.bySignature ? { signer: right.address } : {}),
        ...(isUnsigned ? { signer: null } : {}),
      }
      const result = lab.run(forkOf(state), transaction, note, maxStepsPerTry)
      results.push(result)
      learn(shape, result)
      // What a contract takes an invalid signature for is the address of nobody, which may be what it compares with.
      if (right.is === 'anyone' && result.branches.some(asksSigner))
        enqueue('unsigned', { actor, right, state: question.start, forced: undefined, isUnsigned: true })
      for (const branch of result.branches) {
        for (const guard of guardsOf(branch)) {
          if (guard.is === 'hidden' && right.is !== 'anyone') continue
          follow(lab, guard, { state, actor, enqueue, forced })
        }
      }
      if (result.ok && didSomething(result) && !spendsEntry(right, result)) {
        const about = result.effects.map(effectKey).join()
        if (!kept.has(`${actor}${about}`)) {
          kept.add(`${actor}${about}`)
          outcomes.push({ selector, actor, right, words, value, result })
        }
      } else if (!result.ok && stopsAtCaller(result, actor) && index > 1) break
    }
  }
  return { selector, outcomes, rights, results }
}

const mostPaid = 100n * 10n ** 18n

/** What goes along with a call: a price that the code compares the payment with, once one was seen. */
function paidIn({ value = 0n }: Question, { compared }: Shape): bigint {
  if (value === 0n) return 0n
  return [...(compared.get(paidPlace) ?? [])].find((one) => one > 1n && one <= mostPaid) ?? value
}

function asksSigner({ condition }: Result['branches'][number]): boolean {
  return ((condition.t?.from ?? 0) & source.signer) !== 0
}

function didSomething({ effects }: Result): boolean {
  return effects.some((effect) => {
    if (effect.is === 'write') return effect.before !== effect.value.v
    return effect.is === 'call' ? !effect.isStatic : effect.is !== 'log'
  })
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
  readonly forced: ReadonlyMap<string, boolean> | undefined
  readonly enqueue: (id: string, attempt: Attempt) => void
}

/** Takes the role of whoever passes a guard. */
function follow(lab: Lab, guard: Guard, { state, forced, enqueue }: Way): void {
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
    enqueue(`hidden ${guard.place}`, {
      actor: actors.stranger,
      right: { is: 'hidden' },
      state,
      forced: new Map([...(forced ?? []), [guard.place, !guard.taken]]),
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
  for (const mark of [1n, listed]) {
    const next = forkOf(state)
    const slots = next.storage.get(entry.account) ?? new Map<bigint, bigint>()
    if (slots.has(entry.slot)) continue
    next.storage.set(entry.account, slots.set(entry.slot, mark))
    enqueue(`list ${entry.account}${entry.slot}${mark}`, {
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

type Shape = {
  readonly uses: Map<number, Set<Use>>
  readonly compared: Map<number, Set<bigint>>
  readonly limits: Map<number, bigint>
}

function createShape(): Shape {
  return { uses: new Map(), compared: new Map(), limits: new Map() }
}

function learn(shape: Shape, { uses, compared, limits }: Result): void {
  for (const [at, limit] of limits) shape.limits.set(at, limit)
  for (const [at, found] of uses) {
    const known = shape.uses.get(at) ?? new Set<Use>()
    for (const one of found) known.add(one)
    shape.uses.set(at, known)
  }
  for (const [at, found] of compared) {
    const known = shape.compared.get(at) ?? new Set<bigint>()
    for (const one of found) known.add(one)
    shape.compared.set(at, known)
  }
}

type Party = 'holder' | 'self' | 'logic' | 'token' | 'fresh' | 'consent' | 'place' | 'named' | 'user'

type Choice = {
  /** For the first address among the arguments, the second, and so on; the last one for all that follow. */
  readonly parties: readonly Party[]
  readonly number:
    | 'amount'
    | 'one'
    | 'zero'
    | 'huge'
    | 'compared'
    | 'below'
    | 'above'
    | 'percent'
    | 'tenthousandths'
    | 'time'
    | 'key'
  readonly flag: 0 | 1
  readonly list: 'parties' | 'bytes' | 'calls' | 'jobs' | 'pairs' | 'holders' | 'empty'
}

const noChoice: Choice = { parties: ['fresh', 'fresh'], number: 'zero', flag: 0, list: 'empty' }

/** What a function is called with, in the order of how telling it is. */
const choices: readonly Choice[] = [
  noChoice,
  { parties: ['holder', 'self'], number: 'amount', flag: 1, list: 'parties' },
  { parties: ['self', 'holder'], number: 'amount', flag: 1, list: 'parties' },
  { parties: ['logic', 'self'], number: 'one', flag: 0, list: 'empty' },
  { parties: ['token', 'self'], number: 'zero', flag: 0, list: 'bytes' },
  { parties: ['holder', 'holder'], number: 'one', flag: 0, list: 'calls' },
  { parties: ['self', 'self'], number: 'huge', flag: 1, list: 'empty' },
  { parties: ['holder', 'self'], number: 'percent', flag: 0, list: 'parties' },
  { parties: ['self', 'self'], number: 'compared', flag: 1, list: 'parties' },
  { parties: ['holder', 'fresh'], number: 'above', flag: 1, list: 'parties' },
  { parties: ['place', 'holder'], number: 'one', flag: 1, list: 'parties' },
  { parties: ['token', 'holder'], number: 'amount', flag: 1, list: 'parties' },
  { parties: ['holder', 'self'], number: 'tenthousandths', flag: 1, list: 'parties' },
  { parties: ['holder', 'self'], number: 'below', flag: 1, list: 'parties' },
  { parties: ['holder', 'self'], number: 'time', flag: 1, list: 'parties' },
  { parties: ['token', 'holder', 'self'], number: 'one', flag: 1, list: 'bytes' },
  { parties: ['token', 'token', 'self'], number: 'zero', flag: 1, list: 'bytes' },
  { parties: ['place', 'holder', 'self'], number: 'zero', flag: 1, list: 'bytes' },
  { parties: ['place', 'self'], number: 'amount', flag: 1, list: 'jobs' },
  { parties: ['place', 'self'], number: 'amount', flag: 1, list: 'pairs' },
  { parties: ['token', 'self'], number: 'amount', flag: 1, list: 'jobs' },
  { parties: ['token', 'holder'], number: 'amount', flag: 1, list: 'holders' },
  { parties: ['consent', 'consent'], number: 'one', flag: 1, list: 'parties' },
  { parties: ['place', 'self'], number: 'amount', flag: 0, list: 'parties' },
  { parties: ['named', 'self'], number: 'amount', flag: 1, list: 'parties' },
  { parties: ['self', 'named'], number: 'amount', flag: 1, list: 'parties' },
  { parties: ['user', 'self'], number: 'amount', flag: 1, list: 'parties' },
  { parties: ['token'], number: 'zero', flag: 1, list: 'bytes' },
  { parties: ['token'], number: 'amount', flag: 1, list: 'bytes' },
  { parties: ['logic', 'self'], number: 'key', flag: 1, list: 'parties' },
]

/** Lays out call data for a choice: words in front, and room behind for what they point to. */
function wordsOf(
  lab: Lab,
  shape: Shape,
  choice: Choice,
  { actor, question }: { readonly actor: string; readonly question: Question },
): readonly bigint[] {
  const words: bigint[] = []
  let parties = 0
  let lists = 0
  let numbers = 0
  const tails: bigint[][] = []
  let count = 0
  for (const at of shape.uses.keys()) {
    const index = (at - 4) / 32
    if (Number.isInteger(index) && index >= 0 && index < maxWords) count = Math.max(count, index + 1)
  }
  for (let index = 0; index < count; index += 1) {
    const uses = shape.uses.get(4 + index * 32) ?? new Set<Use>()
    if (uses.has('offset')) {
      words.push(BigInt((maxWords + tails.length * tailWords) * 32))
      tails.push(tailOf(lab, choice, lists, actor, question))
      lists += 1
    } else if (uses.has('address')) {
      const party = choice.parties[Math.min(parties, choice.parties.length - 1)] ?? 'self'
      words.push(
        party === 'named' ? namedOf(shape.compared.get(4 + index * 32), actor) : partyOf(lab, party, actor, question),
      )
      parties += 1
    } else if (uses.has('flag') && !shape.compared.has(4 + index * 32)) words.push(BigInt(choice.flag))
    else {
      const number =
        choice.number === 'key' && numbers === 0
          ? (question.keys?.[0] ?? question.amount)
          : numberOf(choice, question.amount, shape.compared.get(4 + index * 32))
      numbers += 1
      const limit = shape.limits.get(4 + index * 32)
      words.push(limit !== undefined && number > limit ? limit : number)
    }
  }
  // Code refuses data that is too short for its arguments before it reads any of them.
  while (words.length < maxWords) words.push(0n)
  return [...words, ...tails.flat()]
}

const tailWords = 11

function tailOf(lab: Lab, choice: Choice, nth: number, actor: string, question: Question): bigint[] {
  const { actors } = lab
  const party = partyOf(lab, choice.parties[0] ?? 'self', actor, question)
  const fill = (...words: bigint[]): bigint[] => [
    ...words,
    ...Array.from({ length: tailWords - words.length }, () => 0n),
  ]
  if (choice.list === 'empty') return fill(0n)
  if (choice.list === 'parties')
    return nth === 0 ? fill(1n, party) : fill(1n, numberOf(choice, question.amount, undefined))
  if (choice.list === 'holders') return fill(1n, BigInt(actors.holder))
  // A transfer of the trial token, out of the holder's allowance to the contract.
  const inner = new Uint8Array(5 * 32)
  const isOwnCurrency = choice.parties[0] === 'place'
  inner.set(
    isOwnCurrency
      ? callData(selectors.transfer, actor, question.amount)
      : callData(selectors.transferFrom, actors.holder, actor, 1_000n),
  )
  const body = Array.from({ length: 4 }, (_value, index) =>
    BigInt(`0x${Buffer.from(inner.subarray(index * 32, index * 32 + 32)).toString('hex')}`),
  )
  if (choice.list === 'bytes') return fill(100n, ...body)
  // Lists of what is to be done: whom to call, with what value, and with what data.
  if (choice.list === 'jobs') return fill(1n, 32n, party, 0n, 96n, 100n, ...body)
  if (choice.list === 'pairs') return fill(1n, 32n, party, 64n, 100n, ...body)
  return nth === 0 && choice.parties[0] === 'token' ? fill(1n, party) : fill(1n, 32n, 100n, ...body)
}

/** An address that the code compares this argument with: functions do something else for it. */
function namedOf(compared: ReadonlySet<bigint> | undefined, actor: string): bigint {
  return [...(compared ?? [])].find((one) => one >> 80n !== 0n && one >> 160n === 0n) ?? BigInt(actor)
}

function partyOf({ actors }: Lab, party: Party, actor: string, { places, users }: Question): bigint {
  if (party === 'self') return BigInt(actor)
  if (party === 'fresh') return BigInt(actors.recipient)
  if (party === 'place') return BigInt(places[0] ?? actors.recipient)
  if (party === 'named') return BigInt(actor)
  if (party === 'user') return BigInt(users?.find((one) => one !== actor) ?? actors.holder)
  return BigInt(actors[party])
}

function numberOf({ number }: Choice, amount: bigint, compared: ReadonlySet<bigint> | undefined): bigint {
  // What every pointer and length is checked against says nothing of this argument.
  const values = [...(compared ?? [])].filter(
    (value) => value > 1n && value >> 255n === 0n && value !== (1n << 64n) - 1n,
  )
  switch (number) {
    case 'amount':
      return amount
    case 'one':
      return 1n
    case 'zero':
      return 0n
    case 'huge':
      return 10n ** 30n
    case 'percent':
    case 'key':
      return 99n
    case 'tenthousandths':
      return 9_900n
    case 'time':
      return 4_000_000_000n
    case 'below':
      return values.reduce((a, b) => (b > a ? b : a), 2n) - 1n
    case 'compared':
      return values.reduce((a, b) => (b > a ? b : a), 1n)
    case 'above':
      return values.reduce((a, b) => (b < a ? b : a), values[0] ?? 9_000n)
  }
}
