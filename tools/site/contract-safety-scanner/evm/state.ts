import { isKeyedBy, type Tag } from './tag.ts'
import { type Program, programOf } from './program.ts'

/** What was read of the chain so far. What is asked for and not in here is noted as missing. */
export type World = {
  readonly codes: Map<string, Program>
  readonly storage: Map<string, Map<bigint, bigint>>
  readonly balances: Map<string, bigint>
  /** Addresses that nothing on the chain knows: no code, no ether, and no entry under their name. */
  readonly fresh: ReadonlySet<string>
  /** The same as 40 hex digits without their prefix. */
  readonly freshDigits: ReadonlySet<string>
  readonly block: Block
}

export type Block = {
  readonly number: bigint
  readonly timestamp: bigint
  readonly baseFee: bigint
  readonly coinbase: bigint
  readonly gasLimit: bigint
  readonly chainId: bigint
}

/** What an experiment changed, on top of the chain. */
export type State = {
  readonly storage: Map<string, Map<bigint, bigint>>
  readonly balances: Map<string, bigint>
  readonly codes: Map<string, Program>
  readonly transient: Map<string, Map<bigint, bigint>>
}

/** Something that an experiment needed and that was not read yet. */
export type Missing =
  | { readonly what: 'slot'; readonly account: string; readonly slot: bigint }
  | { readonly what: 'code' | 'balance'; readonly account: string }

const noCode = programOf('0x')

export function createWorld(block: Block, fresh: readonly string[]): World {
  return {
    codes: new Map(),
    storage: new Map(),
    balances: new Map(),
    fresh: new Set(fresh),
    freshDigits: new Set(fresh.map((address) => address.slice(2))),
    block,
  }
}

export function createState(): State {
  return { storage: new Map(), balances: new Map(), codes: new Map(), transient: new Map() }
}

/** A copy that can go its own way. */
export function forkOf(state: State): State {
  return {
    storage: new Map([...state.storage].map(([account, slots]) => [account, new Map(slots)])),
    balances: new Map(state.balances),
    codes: new Map(state.codes),
    // What is transient ends with its transaction.
    transient: new Map(),
  }
}

/** Reads and changes of one experiment, which can be taken back to a mark. */
export type Journal = {
  readonly world: World
  readonly state: State
  readonly missing: Map<string, Missing>
  readonly undo: (() => void)[]
}

export function loadSlot(journal: Journal, account: string, slot: bigint, key: Tag | undefined): bigint {
  const { world, state, missing } = journal
  const changed = state.storage.get(account)?.get(slot)
  if (changed !== undefined) return changed
  const known = world.storage.get(account)?.get(slot)
  if (known !== undefined) return known
  if (world.fresh.has(account) || state.codes.has(account) || isKeyedBy(key, world.freshDigits)) return 0n
  missing.set(`${account}:${slot}`, { what: 'slot', account, slot })
  return 0n
}

export function storeSlot(journal: Journal, account: string, slot: bigint, value: bigint): void {
  const { storage } = journal.state
  let slots = storage.get(account)
  if (slots === undefined) {
    slots = new Map()
    storage.set(account, slots)
  }
  const target = slots
  const before = target.get(slot)
  journal.undo.push(() => {
    if (before === undefined) target.delete(slot)
    else target.set(slot, before)
  })
  target.set(slot, value)
}

export function loadTransient({ state }: Journal, account: string, slot: bigint): bigint {
  return state.transient.get(account)?.get(slot) ?? 0n
}

export function storeTransient(journal: Journal, account: string, slot: bigint, value: bigint): void {
  const { transient } = journal.state
  const slots = transient.get(account) ?? new Map<bigint, bigint>()
  transient.set(account, slots)
  const before = slots.get(slot) ?? 0n
  journal.undo.push(() => slots.set(slot, before))
  slots.set(slot, value)
}

export function codeOf({ world, state, missing }: Journal, account: string): Program {
  const known = state.codes.get(account) ?? world.codes.get(account)
  if (known !== undefined) return known
  if (!world.fresh.has(account) && !isBuiltIn(account)) missing.set(`code:${account}`, { what: 'code', account })
  return noCode
}

export function balanceOf({ world, state, missing }: Journal, account: string): bigint {
  const known = state.balances.get(account) ?? world.balances.get(account)
  if (known !== undefined) return known
  if (!world.fresh.has(account) && !isBuiltIn(account)) missing.set(`balance:${account}`, { what: 'balance', account })
  return 0n
}

export function setBalance(journal: Journal, account: string, value: bigint): void {
  set(journal, journal.state.balances, account, value)
}

export function setCode(journal: Journal, account: string, program: Program): void {
  set(journal, journal.state.codes, account, program)
}

/** Changes the state so that a call that fails can take the change back. */
function set<T>({ undo }: Journal, of: Map<string, T>, account: string, value: T): void {
  const before = of.get(account)
  undo.push(() => {
    if (before === undefined) of.delete(account)
    else of.set(account, before)
  })
  of.set(account, value)
}

/** Contracts of the machine itself, and the address of nobody. */
export function isBuiltIn(account: string): boolean {
  return /^0x0{36}0[01][0-9a-f]{2}$/.test(account)
}
