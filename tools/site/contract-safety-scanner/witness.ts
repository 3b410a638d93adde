import { z } from 'zod'

import { UpstreamError, wordOf } from '../../../src/tool/tool.ts'
import { forkOf, type State } from './evm/state.ts'
import { askWord, type Harness, horizons, type Market, selectors, wordOfResult } from './harness.ts'
import { callData, type Lab, type Note } from './lab.ts'

/** One thing that an ordinary user does, ready to be done: a single call on a state. */
type Act = {
  readonly what: string
  readonly state: State
  readonly from: string
  readonly data: Uint8Array
  /** Seconds that it has to wait anyway. */
  readonly wait?: number
  /** Whose balance must grow for it to count as done; only the call itself counts where it is left out. */
  readonly to: string | undefined
}

/** What the node itself came to, beside what was computed here. */
export type Witness = {
  /** Whether every act ended as it was computed; undefined where the node cannot simulate. */
  readonly confirmed: boolean | undefined
  /** What failed at the node although it was computed to succeed. */
  readonly failed: readonly string[]
}

/** `said`: it went through, and whether anything arrived could not be seen; `nothing`: nothing did. */
type Ending = 'done' | 'said' | 'nothing' | 'failed'

const noWitness: Witness = { confirmed: undefined, failed: [] }
/** Now, a block later and a day later. */
const times: ReadonlySet<string> = new Set(['now', 'a block later', 'a day later'])

/**
 * Has the node itself simulate a transfer, a sale or a withdrawal, on its own state with the holder's entry put in: a
 * second opinion on what the interpreter here computed. At most six requests, and six more where the first way is not
 * known to the node.
 */
export async function witnessOf(lab: Lab, harness: Harness | undefined, markets: readonly Market[]): Promise<Witness> {
  if (harness === undefined) return noWitness
  const acts = await lab.settle((note) => actsOf(lab, harness, markets, note))
  const tries = horizons
    .filter(({ name }) => times.has(name))
    .flatMap(({ name, later }) => acts.map((act) => ({ act, name, later })))
  const here = await lab.settle((note) =>
    tries.map(({ act, later }) => computed(lab, act, later + (act.wait ?? 0), note)),
  )
  const [first, ...rest] = tries
  if (first === undefined) return noWitness
  // Whether the node knows how to is seen at the first.
  const seen = await simulated(lab, first.act, first.later + (first.act.wait ?? 0))
  if (seen === undefined) return noWitness
  const there = [
    seen,
    ...(await Promise.all(rest.map(({ act, later }) => simulated(lab, act, later + (act.wait ?? 0))))),
  ]
  const works = there.map((ending, index) =>
    ending === undefined || (ending === 'said' && here[index] === false)
      ? undefined
      : ending === 'done' || ending === 'said',
  )
  const failed = tries.flatMap(({ act, name }, index) =>
    here[index] === true && works[index] === false ? [`${act.what} (${name})`] : [],
  )
  return { confirmed: works.every((one, index) => one === undefined || one === here[index]), failed }
}

function actsOf(lab: Lab, harness: Harness, markets: readonly Market[], note: Note): readonly Act[] {
  const { holder, friend } = lab.actors
  const { start, amount, kind, exit, wait = 0 } = harness
  if (exit !== undefined)
    return [{ what: 'withdrawing', state: start, from: holder, data: exit.data, wait, to: undefined }]
  if (kind === 'nft') {
    const data = callData(selectors.transferFrom, holder, friend, amount)
    return [{ what: 'sending', state: start, from: holder, data, to: undefined }]
  }
  const part = amount / 4n
  const sending = {
    what: 'sending',
    state: start,
    from: holder,
    data: callData(selectors.transfer, friend, part),
    to: friend,
  }
  const [market] = markets
  if (market === undefined || lab.base.codes.has(market.address)) return [sending]
  const state = forkOf(start)
  lab.run(state, { from: holder, to: lab.target, data: callData(selectors.approve, market.router, part) }, note)
  const data = callData(selectors.transferFrom, holder, market.address, part)
  return [sending, { what: 'selling', state, from: market.router, data, to: market.address }]
}

/** How the interpreter here sees it end. */
function computed(lab: Lab, { state, from, data, to }: Act, later: number, note: Note): boolean {
  const after = forkOf(state)
  const balance = (): bigint =>
    to === undefined ? 0n : (askWord(lab, after, note, lab.target, callData(selectors.balanceOf, to)) ?? 0n)
  const before = balance()
  const result = lab.run(after, { from, to: lab.target, data, later }, note)
  const wasSaid = result.ok && (result.data.bytes.length < 32 || wordOfResult(result) !== 0n)
  return wasSaid && (to === undefined || balance() > before)
}

const callSchema = z.object({ status: z.string(), returnData: z.string() })
const simulationSchema = z.tuple([z.object({ calls: z.array(callSchema) })])

/** How the node sees it end; undefined where it does not simulate. */
async function simulated(lab: Lab, act: Act, later: number): Promise<Ending | undefined> {
  const { reader, target, world } = lab
  const time = quantity(world.block.timestamp + BigInt(Math.max(2, later)))
  const stateOverrides = overridesFor(lab, act)
  // A price that an ordinary wallet would offer: some code tells a simulation by its being free.
  const gas = { gas: quantity(8_000_000n), gasPrice: quantity(world.block.baseFee + 1_000_000n) }
  const call = { from: act.from, to: target, data: hexOf(act.data), ...gas }
  const balance = { from: act.from, to: target, data: hexOf(callData(selectors.balanceOf, act.to ?? act.from)), ...gas }
  const calls = act.to === undefined ? [call] : [balance, call, balance]
  const answer = await reader
    .request('eth_simulateV1', [
      { blockStateCalls: [{ blockOverrides: { time }, stateOverrides, calls }] },
      reader.blockTag,
    ])
    .catch(refusal)
  const parsed = simulationSchema.safeParse(answer)
  const ended = parsed.success ? endOf(act, parsed.data[0].calls) : undefined
  if (ended === 'done' || ended === 'nothing' || (ended === 'failed' && later < 100)) return ended
  // Here the block's number can be moved on along with its time, which a day takes.
  const number = quantity(world.block.number + BigInt(Math.max(1, Math.floor(later / 2))))
  const returned = await reader
    .request('eth_call', [call, reader.blockTag, stateOverrides, { time, number }])
    .catch(refusal)
  if (returned === 'reverted') return 'failed'
  if (typeof returned !== 'string' || !returned.startsWith('0x')) return ended
  const wasSaid = returned.length < 66 || BigInt(returned.slice(0, 66)) !== 0n
  return wasSaid ? 'said' : 'failed'
}

function endOf({ to }: Act, calls: readonly z.output<typeof callSchema>[]): Ending | undefined {
  const done = calls[to === undefined ? 0 : 1]
  if (done === undefined) return undefined
  const wasSaid = done.status === '0x1' && (done.returnData.length < 66 || BigInt(done.returnData.slice(0, 66)) !== 0n)
  if (to === undefined || !wasSaid) return wasSaid ? 'done' : 'failed'
  const [before, after] = [calls[0]?.returnData ?? '0x', calls[2]?.returnData ?? '0x'].map((one) =>
    one.length < 66 ? 0n : BigInt(one.slice(0, 66)),
  )
  return (after ?? 0n) > (before ?? 0n) ? 'done' : 'nothing'
}

/** A node that does not know the method, or is out of reach, is no witness; a revert is an answer. */
function refusal(error: unknown): 'reverted' | undefined {
  if (!(error instanceof UpstreamError)) throw error
  return 'isRevert' in error && error.isRevert === true ? 'reverted' : undefined
}

/** What the experiment put into the state, for the node to put in too. */
function overridesFor({ actors }: Lab, { state, from }: Act): Readonly<Record<string, object>> {
  const payers = new Set([from, actors.holder])
  // A collection of which nobody has anything is none that it can be about.
  const coded = [...state.codes.keys()].filter((one) => one !== actors.item || state.storage.has(one))
  const accounts = new Set([...state.storage.keys(), ...coded, ...payers])
  return Object.fromEntries(
    [...accounts].map((account) => {
      const slots: Readonly<Record<string, string>> = Object.fromEntries(
        [...(state.storage.get(account) ?? [])].map(([slot, value]) => [word(slot), word(value)] as const),
      )
      const has = state.balances.get(account) ?? (payers.has(account) ? 10n ** 21n : undefined)
      const code = state.codes.get(account)?.hex
      return [
        account,
        {
          ...(has === undefined ? {} : { balance: quantity(has) }),
          ...(code === undefined ? {} : { code }),
          ...(Object.keys(slots).length === 0 ? {} : { stateDiff: slots }),
        },
      ]
    }),
  )
}

function hexOf(data: Uint8Array): string {
  return `0x${Buffer.from(data).toString('hex')}`
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

function word(value: bigint): string {
  return `0x${wordOf(value)}`
}
