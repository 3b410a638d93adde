import { maxWords, type Shape } from '../arguments.ts'
import { forkOf, type State } from '../evm/state.ts'
import { callData, type Lab, type Note } from '../lab.ts'
import type { Fault } from './faults.ts'
import { search, shapeOf, type Tail, type Tried } from './search.ts'
import { type Stage, wealthIn } from './stage.ts'

const most = { trusted: 3, functions: 4, runs: 36, relays: 12, relayRuns: 30, orders: 3 }

/** Functions by which messages of other chains are handed in, as bridges name them. */
const receivers: ReadonlySet<string> = new Set([
  '001d3567', // lzReceive(uint16,bytes,uint64,bytes)
  '13137d65', // lzReceive((uint32,bytes32,uint64),bytes32,bytes,address,bytes)
  'ab8236f3', // sgReceive(uint16,bytes,uint256,address,uint256,bytes)
  '85572ffb', // ccipReceive((bytes32,uint64,bytes,bytes,(address,uint256)[]))
  '56d5d475', // handle(uint32,bytes32,bytes)
  '529dca32', // receiveWormholeMessages(bytes,bytes[],bytes32,uint16,bytes32)
  '49160658', // execute(bytes32,string,string,bytes)
])

/**
 * Another contract is trusted, whoever speaks through it: anybody can have it say what pays them, or it hands in
 * messages of which nobody asks who sent them.
 */
export function messageFaults(stage: Stage, note: Note): readonly Fault[] {
  const { lab } = stage
  const trusted = new Map<string, Set<string>>()
  for (const { selector, rights } of stage.explorations)
    for (const right of rights)
      if (right.is === 'address' && !right.bySignature && lab.world.codes.get(right.address)?.bytes.length)
        trusted.set(right.address, (trusted.get(right.address) ?? new Set()).add(selector))
  for (const [speaker, listening] of [...trusted].slice(0, most.trusted)) {
    for (const selector of [...listening].filter((one) => one.length === 8).slice(0, most.functions)) {
      if (stage.isSpent()) return []
      const orders = paying(stage, note, speaker, selector)
      if (orders.length === 0) continue
      // What nobody whom the chain knows could have sent was taken for what it said.
      if (receivers.has(selector)) return [{ is: 'relayed', selector }]
      if (orders.some((one) => isRelayed(stage, note, speaker, one))) return [{ is: 'relayed', selector }]
    }
  }
  return []
}

/** Calls by the trusted contract by which somebody is paid what others put in. */
function paying(stage: Stage, note: Note, speaker: string, selector: string): readonly Tried[] {
  const { lab, thief, victim, amount, tokens, state } = stage
  const orders = [
    [thief, amount],
    [amount, thief],
    [victim, thief, amount],
    ...tokens.map((token) => [token, thief, amount]),
  ].map((words) => callData('00000000', ...words).subarray(4))
  const from = forkOf(state)
  from.balances.set(speaker, (lab.world.balances.get(speaker) ?? 0n) + 10n ** 18n)
  const tails: readonly Tail[] = [...orders, 'empty']
  const asked = {
    state: from,
    selector,
    actor: speaker,
    payer: victim,
    payee: thief,
    named: thief,
    tails,
    runs: most.runs,
  }
  return search(stage, note, asked)
    .filter(({ result }) => isPaid(stage, note, from, result.state))
    .slice(0, most.orders)
}

function isPaid(stage: Stage, note: Note, before: State, after: State): boolean {
  const { lab, thief, victim } = stage
  const change = (who: string): readonly bigint[] => {
    const had = wealthIn(stage, note, before, who)
    return wealthIn(stage, note, after, who).map((one, at) => one - (had[at] ?? 0n))
  }
  const [gained, own, left] = [change(thief), change(victim), change(lab.target)]
  return gained.some((one, at) => one > 0n && ((own[at] ?? 0n) < 0n || (left[at] ?? 0n) < 0n))
}

/** Whether somebody without any right has the trusted contract make the same call. */
function isRelayed(stage: Stage, note: Note, speaker: string, order: Tried): boolean {
  const { lab, thief, state } = stage
  const there: Lab = { ...lab, target: speaker }
  const elsewhere: Stage = { ...stage, lab: there, explorations: [] }
  const shape = shapeOf(stage, order.selector)
  const bodies = [callOf(shape, order), ...bytesIn(shape, order.words)]
  const packed = Buffer.concat([addressBytes(lab.target), addressBytes(thief)])
  const tails: readonly Tail[] = [...bodies, packed]
  const relays = lab.world.codes.get(speaker)?.selectors ?? []
  return relays.slice(0, most.relays).some((selector) => {
    if (stage.isSpent()) return false
    const asked = {
      state,
      selector,
      actor: thief,
      payer: thief,
      payee: lab.target,
      named: lab.target,
      callees: [lab.target],
      tails,
    }
    return search(elsewhere, note, { ...asked, runs: most.relayRuns }).some(({ result }) =>
      isPaid(stage, note, state, result.state),
    )
  })
}

function addressBytes(address: string): Uint8Array {
  return Buffer.from(address.slice(2), 'hex')
}

/** What stood where the call took bytes. */
function bytesIn({ uses }: Shape, words: readonly bigint[]): readonly Uint8Array[] {
  return [...uses].flatMap(([at, own]) => {
    const offset = own.has('offset') ? words[(at - 4) / 32] : undefined
    const tail = offset === undefined ? undefined : tailAt(words, Number(offset / 32n))
    return tail === undefined || tail.length === 0 ? [] : [tail]
  })
}

function tailAt(words: readonly bigint[], start: number): Uint8Array | undefined {
  const length = words[start]
  if (start < maxWords || length === undefined || length > 2_048n) return undefined
  const body = words.slice(start + 1, start + 1 + Math.ceil(Number(length) / 32))
  return callData('00000000', ...body).subarray(4, 4 + Number(length))
}

/** The call without the room that is left between its arguments. */
function callOf({ uses }: Shape, { selector, words }: Tried): Uint8Array {
  const heads = [...uses.keys()].filter((at) => at >= 4 && (at - 4) % 32 === 0 && (at - 4) / 32 < maxWords)
  const count = Math.max(0, ...heads.map((at) => (at - 4) / 32 + 1))
  const compact = words.slice(0, count)
  for (const index of compact.keys()) {
    const offset = uses.get(4 + index * 32)?.has('offset') === true ? words[index] : undefined
    const tail = offset === undefined ? undefined : tailAt(words, Number(offset / 32n))
    if (tail === undefined) continue
    compact[index] = BigInt(compact.length * 32)
    compact.push(BigInt(tail.length))
    for (let at = 0; at < tail.length; at += 32)
      compact.push(
        BigInt(
          `0x${Buffer.from(tail.subarray(at, at + 32))
            .toString('hex')
            .padEnd(64, '0')}`,
        ),
      )
  }
  return callData(selector, ...compact)
}
