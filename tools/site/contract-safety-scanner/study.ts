import { RpcError, type Upstreams } from '../../../src/tool/tool.ts'
import { z } from 'zod'

import type { Result } from './evm/frame.ts'
import { addressOf, paidPlace } from './evm/machine.ts'
import { wordAt } from './evm/memory.ts'
import { forkOf, type State } from './evm/state.ts'
import { isKeyedBy, loadsIn, shapeOf } from './evm/tag.ts'
import { currenciesOf, depositHarness, paysTwice } from './deposits.ts'
import { type Exploration, explore, type Outcome, type Question, type Right } from './explore.ts'
import {
  askWord,
  type Check,
  type Harness,
  horizons,
  type Market,
  type Measure,
  nftHarness,
  selectors,
  tokenHarness,
  withBalance,
  wordOfResult,
} from './harness.ts'
import { type Holder, holderAt, isNobody, loggedAddresses, membersOf, namedAddresses } from './holders.ts'
import { ask, callData, eip1967, type Lab, type Note, openLab } from './lab.ts'
import { findMarkets, quotes } from './markets.ts'
import { type Baseline, controlOf, guardsIn, type Known, type Power, powersOf } from './powers.ts'
import { witnessOf } from './witness.ts'

/** A power, and who has it. */
export type HeldPower = Power & { readonly holders: readonly Holder[] }

/** How an ordinary user fared, at one time. */
export type Trial = {
  readonly kind: Harness['kind']
  readonly when: string
  /** The user came to it by an ordinary transfer, not by an entry put in its storage. */
  readonly wasBought: boolean
  readonly checks: readonly Check[]
}

/** Everything that the experiments found out. */
export type Study = {
  readonly kind: 'token' | 'nft' | 'deposit' | 'other'
  readonly trials: readonly Trial[]
  readonly markets: readonly Market[]
  readonly powers: readonly HeldPower[]
  /** What `owner()` answers. */
  readonly owner: Holder | undefined
  /** Code that is run, with where the contract keeps whose. */
  readonly runs: readonly { readonly slot: string; readonly implementation: string; readonly hasCode: boolean }[]
  /** It moves tokens of whoever calls it, so people let it spend. */
  readonly invitesApproval: boolean
  /** Nothing is kept in its storage. */
  readonly isStateless: boolean
  /** What people put in is credited to them, and no way was found by which they get it back. */
  readonly takesWithoutReturn: boolean
  /** Addresses that ordinary use asks, at which there is no code yet: whoever puts some there decides. */
  readonly vacant: readonly string[]
  /** Contracts that are asked before something of a holder's is moved. */
  readonly deciders: readonly string[]
  /** Changing instructions that no experiment came to, and how many there are. */
  readonly unreached: number
  readonly sites: number
  readonly isShort: boolean
  readonly overrides: boolean
  /** Whether the node itself, asked to simulate the holder's transfer, came to the same end; undefined where it cannot. */
  readonly confirmed: boolean | undefined
  /** What failed at the node although it was computed to succeed. */
  readonly failed: readonly string[]
}

const probes = ['06fdde03', '18160ddd', '8da5cb5b', '5c60da1b', 'deadbeef', '70a08231', 'f851a440'] as const
const maxFunctions = 110

/** Studies one contract by experiments on the node's state. */
export async function studyOf(chain: Upstreams['chain'], target: string): Promise<Study> {
  const lab = await openLab(chain, target)
  const { runs, functions, codePlaces, codeShapes } = await codesOf(lab)
  const isToken = await answersAsToken(lab, functions)
  const markets = isToken ? await findMarkets(lab, chain) : []
  const currencies = await currencyTokens(lab)
  const harnesses = await harnessesOf(lab, functions, isToken ? markets : undefined, currencies)
  const start = await startOf(lab, harnesses, currencies)
  const baselines = await baselinesOf(lab, harnesses, start)
  const trials = await trialsOf(lab, baselines, markets)
  const witness = await witnessOf(lab, baselines[0]?.harness, markets)

  const places = [
    ...harnesses.flatMap(({ currency }) => (currency === undefined ? [] : [currency])),
    ...markets.map(({ address }) => address),
  ]
  const amount = harnesses[0]?.amount ?? 10n ** 18n
  const vacant = await vacantPlaces(lab, baselines)
  const deciders = decidersOf(lab, baselines, [...places, ...codeKeepers(lab, codePlaces)])
  const users = await usersOf(lab)
  const question = { start, places, amount, users, keys: keysIn(lab, baselines) }
  const explorations = [
    ...(await lab.settleAll(functions.map((selector) => (note: Note) => explore(lab, selector, question, note)))),
  ]
  const keepers = [...codeKeepers(lab, codePlaces), ...deciders].slice(0, maxKeepers)
  const elsewhere = await exploreOthers(lab, keepers, { ...question, keys: keysOfCode(codeShapes, question.keys) })
  explorations.push(...elsewhere)
  const known: Known = {
    lab,
    start,
    baselines,
    codePlaces,
    codeShapes,
    calleePlaces: calleesIn(explorations),
    others: markets.filter(isRealPool).map(({ address }) => address),
    users,
    deciders,
    tokens: [lab.actors.token, ...currencies],
  }
  const moved = [
    ...(await lab.settleAll(
      explorations.flatMap(({ outcomes }) => outcomes.map((outcome) => (note: Note) => powersOf(known, outcome, note))),
    )),
  ]
  moved.push(...(await lab.settleAll(secondSteps(known, explorations, functions))))
  const guards = guardsIn(lab, explorations, moved.flat())
  const powers = [
    ...moved,
    ...explorations.flatMap(({ outcomes }) => outcomes.map((outcome) => controlOf(lab, outcome, guards))),
  ]
  const doors = await lab.settle((note) =>
    harnesses.flatMap((harness): readonly Power[] =>
      paysTwice(lab, note, harness) && harness.exit !== undefined
        ? [{ ...openPower, selector: harness.exit.selector, actor: lab.actors.holder }]
        : [],
    ),
  )
  const held = [
    ...(await heldPowers(
      lab,
      [...inherited(powers.flat(), explorations, known), ...doors],
      runs.map((run) => run.implementation),
    )),
  ]
  const takesMoney =
    harnesses.some(({ kind }) => kind === 'deposit') ||
    explorations.some(({ outcomes }) => outcomes.some(pullsFromCaller))
  held.push(...(await allowedPowers(lab, currencies, takesMoney ? 'drain' : 'treasury')))
  const owner = await ownerOf(lab)
  return {
    kind: harnesses[0]?.kind ?? (isToken ? 'token' : 'other'),
    trials,
    markets,
    powers: held,
    owner,
    runs,
    invitesApproval:
      (!isToken && !functions.includes(selectors.ownerOf) && functions.includes(selectors.transferFrom)) ||
      harnesses.some((harness) => harness.kind === 'deposit') ||
      explorations.some(({ outcomes }) => outcomes.some(pullsFromCaller)),
    isStateless: [target, ...runs.map((run) => run.implementation)].every(
      (one) => ![...(lab.world.codes.get(one)?.sinks.values() ?? [])].includes(0x55),
    ),
    takesWithoutReturn:
      harnesses.length === 0 &&
      ((await creditsEther(lab, functions, start)) ||
        explorations.some(({ outcomes }) =>
          outcomes.some((outcome) => pullsFromCaller(outcome) && credits(outcome.result, outcome.actor)),
        )),
    vacant,
    deciders,
    ...coverageOf(
      lab,
      [target, ...runs.map((run) => run.implementation)],
      [...explorations.flatMap(({ results }) => results), ...baselines.flatMap(({ measure }) => measure.results)],
    ),
    isShort: lab.isShort(),
    overrides: lab.reader.overrides(),
    ...witness,
  }
}

/** Finds whose code runs, through proxies of every kind: by what the contract delegates to when it is called. */
async function codesOf(lab: Lab) {
  const { target, world } = lab
  const codePlaces = new Set<string>()
  const codeShapes = new Set<string>()
  const digits = new Set(Object.values(lab.actors).map((one) => one.slice(2)))
  const found = new Map<string, string>()
  let functions: readonly string[] = []
  for (let round = 0; round < 3; round += 1) {
    const asked = new Set([...probes, ...functions])
    const results = await lab.settle((note) => [...asked].flatMap((selector) => probe(lab, note, selector)))
    const before = found.size
    const isForwarder = results.some(({ ok, delegations }) => ok && delegations.length > 0)
    for (const { delegations } of results) {
      for (const { account, to } of delegations) {
        if (account !== target) continue
        const address = addressOf(to.v)
        const loads = loadsIn(to.t)
        for (const load of loads) {
          codePlaces.add(`${load.account}:${load.slot}`)
          if (load.key !== undefined) codeShapes.add(`${load.account}:${shapeOf(load.key, load.slot, digits)}`)
        }
        if (address !== target && !found.has(address) && (!isNobody(address) || isForwarder))
          found.set(address, slotNameOf(loads[0]?.slot))
      }
    }
    for (const facet of await facetsOf(lab)) if (!found.has(facet)) found.set(facet, 'diamond facet')
    const codes = await lab.settle((note) => {
      for (const address of found.keys())
        lab.run(forkOf(lab.base), { from: lab.actors.stranger, to: address, data: callData('deadbeef') }, note)
      return [target, ...found.keys()].flatMap((address) => world.codes.get(address)?.selectors ?? [])
    })
    functions = [...new Set(codes)].slice(0, maxFunctions)
    if (found.size === before && round > 0) break
  }
  const runs = [...found]
    .filter(([implementation]) => !isNobody(implementation) || found.size === 1)
    .map(([implementation, slot]) => ({
      slot,
      implementation,
      hasCode: Boolean(world.codes.get(implementation)?.bytes.length),
    }))
  return {
    runs: runs.filter(({ hasCode }) => hasCode || functions.length === 0 || found.size === 1),
    functions: functions.filter((one) => !/^f{8}$|^4e487b71$|^0{8}$/.test(one)),
    codePlaces,
    codeShapes,
  }
}

/**
 * Calls a function of which nothing is known. Where it fails, it is made to go on at the last place where it asked
 * something: a table of code that has no entry for the function shows where it would look.
 */
function probe(lab: Lab, note: Note, selector: string): readonly Result[] {
  const transaction = { from: lab.actors.stranger, to: lab.target, data: callData(selector, 0n, 0n, 0n, 0n) }
  const result = lab.run(forkOf(lab.base), transaction, note)
  const last = result.branches.at(-1)
  if (result.ok || last === undefined) return [result]
  const forced = new Map([[last.place, !last.taken]])
  return [result, lab.run(forkOf(lab.base), { ...transaction, forced }, note)]
}

function slotNameOf(slot: bigint | undefined): string {
  if (slot === undefined) return 'bytecode'
  if (slot === eip1967) return 'eip1967.proxy.implementation'
  return `0x${slot.toString(16).padStart(64, '0')}`
}

const maxKeepers = 3

/** Other contracts that say whose code this one runs, e.g. a beacon. */
function codeKeepers({ target }: Lab, codePlaces: ReadonlySet<string>): readonly string[] {
  const accounts = new Set([...codePlaces].map((place) => place.slice(0, place.indexOf(':'))))
  accounts.delete(target)
  return [...accounts]
}

/** Other contracts whose storage is read when something of a holder's is moved; pools and currencies are known. */
function decidersOf(lab: Lab, baselines: readonly Baseline[], known: readonly string[]): readonly string[] {
  const passed = new Set([...known, lab.target, ...Object.values(lab.actors), ...quotes])
  const read = baselines
    .filter(({ harness }) => harness.kind !== 'deposit')
    .flatMap(({ measure }) => [...measure.reads].map((id) => id.slice(0, id.indexOf(':'))))
  return [...new Set(read)].filter((one) => !passed.has(one))
}

/** Addresses without code that ordinary use asks; an account that has sent transactions is somebody's key. */
async function vacantPlaces(lab: Lab, baselines: readonly Baseline[]): Promise<readonly string[]> {
  const found = new Set(baselines.flatMap(({ measure }) => measure.results.flatMap(({ vacant }) => [...vacant])))
  const places = [...found].filter((one) => !isNobody(one)).slice(0, 2)
  const sent = await Promise.all(
    places.map((one) => lab.reader.request('eth_getTransactionCount', [one, lab.reader.blockTag])),
  )
  return places.filter((_one, index) => sent[index] === '0x0' || typeof sent[index] !== 'string')
}

const maxUsers = 4

/** Accounts without code that the contract's events name: people who have something in it. */
async function usersOf(lab: Lab): Promise<readonly string[]> {
  const named = await loggedAddresses(lab).catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error
    return []
  })
  const own = new Set([...(lab.world.storage.get(lab.target)?.values() ?? [])].map(addressOf))
  const candidates = named.filter((one) => !isNobody(one) && !own.has(one)).slice(0, maxUsers)
  const lengths = await lab.settle((note) =>
    candidates.map((one) => {
      lab.run(forkOf(lab.base), { from: lab.actors.stranger, to: one, data: new Uint8Array(0) }, note)
      return lab.world.codes.get(one)?.bytes.length ?? 0
    }),
  )
  return candidates.filter((_one, index) => lengths[index] === 0)
}

/** Constant names under which ordinary use looks something up. */
function keysIn({ target }: Lab, baselines: readonly Baseline[]): readonly bigint[] {
  const found = new Set<bigint>()
  for (const { measure } of baselines)
    for (const { keys } of measure.results)
      for (const [id, key] of keys)
        if (id.startsWith(target) && key.is === 'hash' && key.preimage.length === 128 && key.words.length === 0)
          found.add(BigInt(`0x${key.preimage.slice(0, 64)}`))
  return [...found].filter((one) => one >> 64n !== 0n).slice(0, 2)
}

/** The names under which other contracts keep whose code is run. */
function keysOfCode(codeShapes: ReadonlySet<string>, others: readonly bigint[]): readonly bigint[] {
  const found = [...codeShapes].flatMap((shape) => {
    const name = /:h([0-9a-f]{64})[0-9a-f]{64}$/.exec(shape)?.[1]
    return name === undefined ? [] : [BigInt(`0x${name}`)]
  })
  return [...found, ...others]
}

/** Tries the functions of other contracts on which this one depends. */
async function exploreOthers(lab: Lab, accounts: readonly string[], asked: Question): Promise<readonly Exploration[]> {
  const found: Exploration[] = []
  for (const account of accounts) {
    const keeper: Lab = { ...lab, target: account }
    const functions = lab.world.codes.get(account)?.selectors ?? []
    const question = { ...asked, places: [lab.target], amount: 1n }
    found.push(
      ...(await lab.settleAll(
        functions.slice(0, maxFunctions).map((one) => (note: Note) => explore(keeper, one, question, note)),
      )),
    )
  }
  return found
}

/** A pool of this very token, not a place that tokens are only tried to be sent to. */
export function isRealPool({ isPool, name }: Market): boolean {
  return isPool && name !== 'Uniswap v4' && name !== 'a contract'
}

/** What a diamond's loupe lists. */
async function facetsOf(lab: Lab): Promise<readonly string[]> {
  const result = await lab.settle((note) => ask(lab, lab.base, note, lab.target, callData('52ef6b2c')))
  const { bytes } = result.data
  if (!result.ok || bytes.length < 64 || wordAt(bytes, 0) !== 32n) return []
  const count = Math.min(Number(wordAt(bytes, 32) & 0xffn), 16)
  return Array.from({ length: count }, (_value, index) => addressOf(wordAt(bytes, 64 + index * 32))).filter(
    (one) => !isNobody(one),
  )
}

/** Code that calls tokens holds their selectors too; only a token answers them. */
async function answersAsToken(lab: Lab, functions: readonly string[]): Promise<boolean> {
  if (!functions.includes(selectors.balanceOf) || !functions.includes(selectors.transfer)) return false
  if (functions.includes(selectors.ownerOf) && functions.includes(selectors.setApprovalForAll)) return false
  const data = callData(selectors.balanceOf, lab.actors.holder)
  return (await lab.settle((note) => askWord(lab, lab.base, note, lab.target, data))) !== undefined
}

async function harnessesOf(
  lab: Lab,
  functions: readonly string[],
  markets: readonly Market[] | undefined,
  tokens: readonly string[],
): Promise<readonly Harness[]> {
  const has = (...wanted: readonly string[]): boolean => wanted.every((one) => functions.includes(one))
  const found: Harness[] = []
  if (markets !== undefined) {
    const harness = await lab.settle((note) => tokenHarness(lab, note, markets))
    if (harness !== undefined) found.push(harness)
  } else if (has(selectors.ownerOf, selectors.transferFrom)) {
    const harness = await lab.settle((note) => nftHarness(lab, note))
    if (harness !== undefined) found.push(harness)
  }
  const deposit = await lab.settle((note) => {
    const currencies = [{ token: undefined, start: lab.base }, ...currenciesOf(lab, note, tokens)]
    const own = functions.filter((one) => !ordinary.has(one))
    return depositHarness(lab, note, own, currencies)
  })
  if (deposit === undefined) return found
  // Shares of a vault are a token too: then the same user has both.
  const shares =
    markets === undefined ? undefined : await lab.settle((note) => tokenHarness(lab, note, markets, deposit.start))
  return shares === undefined ? [...found, deposit] : [shares, deposit]
}

/** Functions that move a token between people; they are no way in or out of a contract. */
const ordinary: ReadonlySet<string> = new Set([
  selectors.balanceOf,
  selectors.transfer,
  selectors.transferFrom,
  selectors.approve,
  selectors.allowance,
  selectors.totalSupply,
])

const maxTokens = 2

/** Tokens that the contract names in its storage or code: what users may put in. */
async function currencyTokens(lab: Lab): Promise<readonly string[]> {
  const { target, world } = lab
  const stored = [...(world.storage.get(target)?.values() ?? [])].filter((word) => word >> 80n !== 0n).map(addressOf)
  const coded = [...world.codes.values()].flatMap(({ addresses }) => addresses)
  const named = [...new Set([...stored, ...coded])].filter((one) => !isNobody(one) && one !== target).slice(0, 6)
  const answers = await lab.settle((note) =>
    named.map((one) => wordOfResult(ask(lab, lab.base, note, one, callData(selectors.balanceOf, lab.actors.holder)))),
  )
  return named.filter((_one, index) => answers[index] === 0n).slice(0, maxTokens)
}

/** One state in which the user has everything that the harnesses give, and the contract has something to lose. */
async function startOf(lab: Lab, harnesses: readonly Harness[], currencies: readonly string[]): Promise<State> {
  const { actors, target } = lab
  return lab.settle((note) => {
    let state = forkOf(harnesses[0]?.start ?? lab.base)
    if (harnesses[0]?.kind !== 'deposit') state.balances.set(target, (state.balances.get(target) ?? 0n) + 10n ** 19n)
    const data = callData(selectors.approve, target, (1n << 255n) - 1n)
    // What a pool or a vault has decides what a share is worth: there only the trial token is added.
    const own = harnesses.some(({ kind }) => kind === 'deposit') ? [] : currencies
    for (const token of [actors.token, ...own]) {
      // What stands in a pool beyond what it has counted is anybody's; only the trial token is put there.
      for (const owner of [actors.holder, actors.stranger, ...(token === actors.token ? [target] : [])])
        state = withBalance(lab, state, note, token, owner, 10n ** 24n) ?? state
      for (const from of [actors.holder, actors.stranger]) lab.run(state, { from, to: token, data }, note)
    }
    return state
  })
}

async function baselinesOf(lab: Lab, harnesses: readonly Harness[], start: State): Promise<readonly Baseline[]> {
  const [first, second] = harnesses
  const tried = first === undefined ? [] : second?.start === first.start ? [first, second] : [first]
  return lab.settleAll(
    tried.map((harness) => (note: Note) => {
      const measure = harness.measure(start, note, 0)
      return {
        harness,
        measure,
        shapes: shapesOf(lab, measure),
        held: harness.held(start, note),
        supply: harness.supply(start, note),
      }
    }),
  )
}

/** Which mappings the ordinary use reads, whoever's entry it is. */
function shapesOf(lab: Lab, { results }: Measure): ReadonlySet<string> {
  const digits = new Set(Object.values(lab.actors).map((one) => one.slice(2)))
  const shapes = new Set<string>()
  for (const { keys } of results) {
    for (const [id, key] of keys) {
      const at = id.indexOf(':')
      shapes.add(`${id.slice(0, at)}:${shapeOf(key, BigInt(id.slice(at + 1)), digits)}`)
    }
  }
  return shapes
}

async function trialsOf(
  lab: Lab,
  baselines: readonly Baseline[],
  markets: readonly Market[],
): Promise<readonly Trial[]> {
  const trials: Trial[] = []
  for (const { harness } of baselines) {
    const had = await lab.settleAll(
      horizons.map(({ name, later }) => (note: Note) => ({
        kind: harness.kind,
        when: name,
        wasBought: false,
        checks: harness.measure(harness.start, note, later).checks,
      })),
    )
    trials.push(...had)
    if (harness.kind !== 'token') continue
    const bought = await lab.settleAll(
      horizons.map(({ name, later }) => (note: Note) => {
        const state = boughtState(lab, harness, note, markets)
        return state === undefined
          ? []
          : [{ kind: harness.kind, when: name, wasBought: true, checks: harness.measure(state, note, later).checks }]
      }),
    )
    trials.push(...bought.flat())
  }
  return trials
}

/** The holder comes to the token by an ordinary transfer, from the pool where there is one. */
function boughtState(lab: Lab, harness: Harness, note: Note, markets: readonly Market[]): State | undefined {
  const seller = markets[0]?.address ?? lab.actors.stranger
  const state = withBalance(lab, lab.base, note, lab.target, seller, harness.amount * 4n)
  if (state === undefined) return undefined
  const data = callData(selectors.transfer, lab.actors.holder, harness.amount)
  const result = lab.run(state, { from: seller, to: lab.target, data }, note)
  return result.ok && harness.held(state, note) >= harness.amount / 4n ? state : undefined
}

/** A power that is nobody's now belongs to whoever can make themselves its holder. */
function inherited(powers: readonly Power[], explorations: readonly Exploration[], known: Known): readonly Power[] {
  const outcomes = explorations.flatMap((one) => one.outcomes)
  const digits = new Set(Object.values(known.lab.actors).map((one) => one.slice(2)))
  const takers = new Map<string, Right[]>()
  for (const { right, result, words, actor } of outcomes) {
    for (const effect of result.effects) {
      if (effect.is !== 'write' || effect.value.v === effect.before || effect.value.v === 0n) continue
      const isChosen =
        [actor, ...words.map(addressOf)].some((one) => addressOf(effect.value.v) === one) || effect.key !== undefined
      if (!isChosen) continue
      const ids = [`${effect.account}:${effect.slot}`]
      if (effect.key !== undefined) ids.push(`${effect.account}:${shapeOf(effect.key, effect.slot, digits)}`)
      for (const id of ids) takers.set(id, [...(takers.get(id) ?? []), right])
    }
  }
  const telling = new Set(powers.filter(({ kind }) => kind !== 'set').map(({ selector }) => selector))
  const common = new Set(
    explorations.flatMap(({ outcomes }) =>
      outcomes.filter(({ right }) => right.is === 'anyone').map((one) => one.selector),
    ),
  )
  // A setting that experiments could not make sense of says nothing of a function that anybody may call.
  const kept = powers.filter(
    ({ kind, selector }) =>
      kind !== 'set' || !(telling.has(selector) || common.has(selector) || ordinary.has(selector)),
  )
  return kept.flatMap((power) => {
    const { right } = power
    const ids =
      right.is === 'address'
        ? right.places.map(({ account, slot }) => `${account}:${slot}`)
        : right.is === 'list'
          ? right.guard.keys.map((key, index) => {
              const entry = right.guard.entries[index]
              return entry === undefined ? '' : `${entry.account}:${shapeOf(key, entry.slot, digits)}`
            })
          : []
    const heirs = ids.flatMap((id) => takers.get(id) ?? [])
    return [power, ...heirs.filter((heir) => heir !== right).map((heir) => ({ ...power, right: heir }))]
  })
}

async function heldPowers(lab: Lab, powers: readonly Power[], extra: readonly string[]): Promise<readonly HeldPower[]> {
  const lists = powers.some(({ right }) => right.is === 'list')
  const named = lists ? await namedAddresses(lab, extra) : []
  const byId = new Map<string, readonly Holder[]>()
  const holders = async (right: Right): Promise<readonly Holder[]> => {
    if (right.is === 'anyone' || right.is === 'hidden') return [{ kind: right.is }]
    if (right.is === 'address') return [await holderAt(lab, right.address)]
    const members = await membersOf(lab, right, named)
    if (members.length === 0) return [{ kind: 'unknown' }]
    return Promise.all(members.slice(0, 5).map((one) => holderAt(lab, one)))
  }
  const held: HeldPower[] = []
  for (const power of powers) {
    const { right } = power
    const id =
      right.is === 'address'
        ? right.address
        : right.is === 'list'
          ? right.guard.entries.map(({ account, slot }) => `${account}:${slot}`).join()
          : right.is
    const known = byId.get(id) ?? (await holders(right))
    byId.set(id, known)
    held.push({ ...power, holders: known })
  }
  return held
}

async function ownerOf(lab: Lab): Promise<Holder | undefined> {
  const word = await lab.settle((note) => askWord(lab, lab.base, note, lab.target, callData('8da5cb5b')))
  return word === undefined || word >> 160n !== 0n ? undefined : holderAt(lab, addressOf(word))
}

function coverageOf({ world }: Lab, addresses: readonly string[], results: readonly Result[]) {
  const reached = new Set(results.flatMap(({ sites }) => [...sites]))
  const all = addresses.flatMap((address) =>
    [...(world.codes.get(address)?.sinks.keys() ?? [])].map((pc) => `${address}:${pc}`),
  )
  return { sites: all.length, unreached: all.filter((site) => !reached.has(site)).length }
}

const maxSecondSteps = 6

/** Where somebody privileged named an address, what that makes possible: deposits may be sent there by a second call. */
function secondSteps(
  known: Known,
  explorations: readonly Exploration[],
  functions: readonly string[],
): readonly ((note: Note) => readonly Power[])[] {
  const { lab, baselines } = known
  if (!baselines.some(({ harness }) => harness.kind === 'deposit')) return []
  const firsts = explorations
    .flatMap(({ outcomes }) => outcomes)
    .filter(({ right, actor, result }) => {
      const chosen = new Set([actor, lab.actors.consent, lab.actors.recipient])
      return (
        right.is !== 'anyone' &&
        result.effects.some(
          (effect) => effect.is === 'write' && effect.key === undefined && chosen.has(addressOf(effect.value.v)),
        )
      )
    })
    .slice(0, maxSecondSteps)
  return firsts.map((first) => (note: Note) => {
    const question = { start: first.result.state, places: [], amount: baselines[0]?.harness.amount ?? 1n, maxRuns: 4 }
    return functions
      .filter((one) => !ordinary.has(one))
      .slice(0, 40)
      .flatMap((selector) => explore(lab, selector, { ...question, first: first.actor }, note).outcomes)
      .flatMap((outcome) => powersOf(known, outcome, note))
      .filter(({ kind }) => kind === 'drain')
      .map((power) => ({ ...power, selector: first.selector, right: first.right, actor: first.actor }))
  })
}

/** Places in storage whose contents are called. */
function calleesIn(explorations: readonly Exploration[]): ReadonlySet<string> {
  const places = new Set<string>()
  for (const { results } of explorations) {
    for (const { effects } of results) {
      for (const effect of effects) {
        if (effect.is !== 'call') continue
        for (const { account, slot, key } of loadsIn(effect.to.t))
          if (key === undefined) places.add(`${account}:${slot}`)
      }
    }
  }
  return places
}

/** Whether something was written down under somebody's name, or their name itself. */
function credits({ ok, effects }: Result, who: string): boolean {
  const names = new Set([who.slice(2)])
  return (
    ok &&
    effects.some((effect) => effect.is === 'write' && (isKeyedBy(effect.key, names) || effect.value.v === BigInt(who)))
  )
}

/** Whether a call took tokens that the caller had let the contract spend. */
function pullsFromCaller({ actor, result }: Outcome): boolean {
  return result.effects.some(
    (effect) =>
      effect.is === 'call' &&
      effect.ok &&
      Buffer.from(effect.data.bytes.subarray(0, 4)).toString('hex') === selectors.transferFrom &&
      addressOf(wordAt(effect.data.bytes, 4)) === actor,
  )
}

/** By the way out, taken again before it is written down that it was taken. */
const openPower = { kind: 'drain', right: { is: 'anyone' }, figure: undefined } as const

const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const maxSpenders = 6

/** Accounts that the contract lets spend its tokens: they need no function of it. */
async function allowedPowers(
  lab: Lab,
  currencies: readonly string[],
  kind: 'drain' | 'treasury',
): Promise<readonly HeldPower[]> {
  const { target, reader, world } = lab
  if (currencies.length === 0) return []
  const topics = [approvalTopic, `0x${target.slice(2).padStart(64, '0')}`]
  const logs = await reader
    .request('eth_getLogs', [{ address: [...currencies], topics, fromBlock: '0x0', toBlock: reader.blockTag }])
    .catch((error: unknown) => {
      // A node that refuses so many blocks leaves what storage and code name.
      if (!(error instanceof RpcError)) throw error
      return []
    })
  const logged = z
    .array(z.object({ topics: z.tuple([z.string(), z.string(), z.string()]) }))
    .catch([])
    .parse(logs)
  const named = [
    ...logged.map(({ topics: [, , spender] }) => `0x${spender.slice(-40)}`),
    ...[...(world.storage.get(target)?.values() ?? [])].filter((word) => word >> 80n !== 0n).map(addressOf),
    ...(world.codes.get(target)?.addresses ?? []),
  ]
  const spenders = [...new Set(named)].filter((one) => !isNobody(one) && one !== target && !currencies.includes(one))
  const pairs = currencies.flatMap((token) => spenders.slice(0, maxSpenders).map((spender) => ({ token, spender })))
  const leaves = await lab.settle((note) =>
    pairs.map(({ token, spender }) =>
      askWord(lab, lab.base, note, token, callData(selectors.allowance, target, spender)),
    ),
  )
  const found = pairs.filter((_pair, index) => (leaves[index] ?? 0n) > 0n)
  const held: HeldPower[] = []
  for (const { token, spender } of found) {
    const holder = await holderAt(lab, spender)
    // What a contract does with its leave, e.g. an exchange, is its own affair; somebody's key needs no function.
    if (holder.kind !== 'account' || holder.address !== spender) continue
    const right: Right = { is: 'address', address: spender, places: [], bySignature: false }
    const means = `the leave to spend its token ${token}, which it has given already`
    held.push({ kind, selector: selectors.approve, actor: spender, right, figure: undefined, means, holders: [holder] })
  }
  return held
}

/** Whether ether that a user sends is written down under the user's name. */
async function creditsEther(lab: Lab, functions: readonly string[], start: State): Promise<boolean> {
  const { holder, target } = { ...lab.actors, target: lab.target }
  const value = 10n ** 18n
  const credited = await lab.settleAll(
    ['', ...functions].map((selector) => (note: Note) => {
      const tries = selector === '' ? [new Uint8Array(0)] : [callData(selector), callData(selector, 1n)]
      return tries.some((data) => {
        const first = lab.run(forkOf(start), { from: holder, to: target, data, value }, note)
        const price = [...(first.compared.get(paidPlace) ?? [])].find((one) => one > 1n && one < 1000n * value)
        if (first.ok || price === undefined) return credits(first, holder)
        return credits(lab.run(forkOf(start), { from: holder, to: target, data, value: price }, note), holder)
      })
    }),
  )
  return credited.some(Boolean)
}
