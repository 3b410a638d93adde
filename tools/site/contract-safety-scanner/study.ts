import type { Upstreams } from '../../../src/tool/tool.ts'
import { isInflatable, paysTwice } from './deposits.ts'
import { explore } from './explore.ts'
import { selectors } from './harness.ts'
import type { Market } from './harness.ts'
import type { Holder } from './holders.ts'
import { writersIn } from './assumed.ts'
import { codesOf } from './codes.ts'
import { type Cut, type Note, openLab } from './lab.ts'
import {
  calleesIn,
  codeKeepers,
  currencyTokens,
  decidersOf,
  exploreOthers,
  keysIn,
  keysOfCode,
  maxKeepers,
  scalesIn,
  usersOf,
  vacantPlaces,
} from './neighbours.ts'
import { findMarkets } from './markets.ts'
import { controlOf, guardsIn, type Known, type Power, powersOf } from './powers.ts'
import { coverageOf, openPower, secondSteps } from './beyond.ts'
import { allowedPowers, type HeldPower, heldPowers, inherited, ownerOf } from './rights.ts'
import {
  answersAsToken,
  baselinesOf,
  credits,
  harnessesOf,
  isRealPool,
  pullsFromCaller,
  sendsEther,
  startOf,
  type Trial,
  trialsOf,
} from './trials.ts'
import { witnessOf } from './witness.ts'

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
  /** Functions that keep ether which anybody sends with them, and write nothing down for it. */
  readonly keeping: readonly string[]
  /** Nobody has anything in it yet, and whoever comes first can take most of what the next one puts in. */
  readonly isInflatable: boolean
  /** Addresses that ordinary use asks, at which there is no code yet: whoever puts some there decides. */
  readonly vacant: readonly string[]
  /** Contracts that are asked before something of a holder's is moved. */
  readonly deciders: readonly string[]
  /** Changing instructions that no experiment came to, and how many there are. */
  readonly unreached: number
  readonly sites: number
  /** What was left out, and why. */
  readonly cuts: ReadonlySet<Cut>
  readonly overrides: boolean
  /** Whether the node itself, asked to simulate the holder's transfer, came to the same end; undefined where it cannot. */
  readonly confirmed: boolean | undefined
  /** What failed at the node although it was computed to succeed. */
  readonly failed: readonly string[]
}

/** Studies one contract by experiments on the node's state. */
export async function studyOf(chain: Upstreams['chain'], target: string, now: () => Date): Promise<Study> {
  const lab = await openLab(chain, target, now)
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
    writers: writersIn(
      explorations.flatMap(({ outcomes }) => outcomes),
      new Set(Object.values(lab.actors).map((one) => one.slice(2))),
    ),
    scales: scalesIn(lab, explorations),
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
  const ether = await sendsEther(lab, functions, start)
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
      (ether.isCredited ||
        explorations.some(({ outcomes }) =>
          outcomes.some((outcome) => pullsFromCaller(outcome) && credits(outcome.result, outcome.actor)),
        )),
    keeping: ether.keeping,
    isInflatable: await lab.settle((note) => harnesses.some((harness) => isInflatable(lab, note, harness))),
    vacant,
    deciders,
    ...coverageOf(
      lab,
      [target, ...runs.map((run) => run.implementation)],
      [...explorations.flatMap(({ results }) => results), ...baselines.flatMap(({ measure }) => measure.results)],
    ),
    cuts: lab.cuts(),
    overrides: lab.reader.overrides(),
    ...witness,
  }
}
