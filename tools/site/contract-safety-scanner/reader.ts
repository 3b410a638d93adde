import { RpcError, UpstreamError, type Upstreams } from '../../../src/tool/tool.ts'
import { programOf } from './evm/program.ts'
import type { Block, Missing, World } from './evm/state.ts'

type Chain = Upstreams['chain']

/** Brings what experiments are missing from the chain, in as few requests as the node allows. */
export type Reader = {
  /** Fills the world; false where the requests are used up and something stays unknown. */
  readonly fill: (world: World, missing: Iterable<Missing>) => Promise<boolean>
  readonly request: (method: string, params: readonly unknown[]) => Promise<unknown>
  readonly spent: () => number
  /** Whether the node runs a call with code put in place of a contract's own. */
  readonly overrides: () => boolean
  readonly blockTag: string
}

/** Together with what is asked of the explorers this stays below sixty. */
const maxRequests = 46
const slotsPerRequest = 256
const singleReads = 24

/**
 * Returns the words that are kept in the slots whose numbers it is given: CALLDATALOAD, SLOAD and MSTORE in a loop. It
 * is put in place of a contract's code for one call, so that one request reads many slots.
 */
const readSlots = '0x5f5b8036111560145780355481526020016001565b365ff3'

/** Reads the head of the chain and builds the reader that stays with that block. */
export async function openReader(chain: Chain): Promise<{ readonly reader: Reader; readonly block: Block }> {
  let spent = 0
  let canOverride = true
  const request: Reader['request'] = (method, params) => {
    spent += 1
    return chain.request({ method, params })
  }
  const head = await request('eth_getBlockByNumber', ['latest', false])
  const block = blockOf(head, BigInt(chain.chainId))
  // A node behind a balancer may not have the newest block yet; the answer of the head itself names it.
  const blockTag = `0x${block.number.toString(16)}`

  async function slots(world: World, account: string, wanted: readonly bigint[]): Promise<boolean> {
    const known = world.storage.get(account) ?? new Map<bigint, bigint>()
    world.storage.set(account, known)
    let isWhole = true
    for (let from = 0; from < wanted.length; from += slotsPerRequest) {
      const part = wanted.slice(from, from + slotsPerRequest)
      if (spent >= maxRequests) return false
      const words = canOverride ? await together(account, part) : undefined
      if (words === undefined) isWhole = (await oneByOne(account, part, known)) && isWhole
      else for (const [index, slot] of part.entries()) known.set(slot, words[index] ?? 0n)
    }
    return isWhole
  }

  async function together(account: string, part: readonly bigint[]): Promise<readonly bigint[] | undefined> {
    try {
      const data = `0x${part.map((slot) => slot.toString(16).padStart(64, '0')).join('')}`
      const returned = await request('eth_call', [{ to: account, data }, blockTag, { [account]: { code: readSlots } }])
      const words = typeof returned === 'string' ? (returned.slice(2).match(/.{64}/g) ?? []) : []
      if (words.length !== part.length) throw new UpstreamError('base-rpc')
      return words.map((word) => BigInt(`0x${word}`))
    } catch (error) {
      // A node may not take overrides; then each slot is asked for.
      if (!(error instanceof RpcError)) throw error
      canOverride = false
      return undefined
    }
  }

  async function oneByOne(account: string, part: readonly bigint[], known: Map<bigint, bigint>): Promise<boolean> {
    const asked = part.slice(0, Math.max(0, Math.min(singleReads, maxRequests - spent)))
    await Promise.all(
      asked.map(async (slot) => {
        const word = await request('eth_getStorageAt', [account, `0x${slot.toString(16)}`, blockTag])
        known.set(slot, typeof word === 'string' && /^0x[0-9a-f]+$/i.test(word) ? BigInt(word) : 0n)
      }),
    )
    return asked.length === part.length
  }

  async function code(world: World, account: string): Promise<void> {
    const hex = await request('eth_getCode', [account, blockTag])
    if (typeof hex !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(hex)) throw new UpstreamError('base-rpc')
    world.codes.set(account, programOf(hex.toLowerCase()))
  }

  async function balance(world: World, account: string): Promise<void> {
    const amount = await request('eth_getBalance', [account, blockTag])
    world.balances.set(account, typeof amount === 'string' && /^0x[0-9a-f]+$/i.test(amount) ? BigInt(amount) : 0n)
  }

  async function fill(world: World, missing: Iterable<Missing>): Promise<boolean> {
    const bySlot = new Map<string, bigint[]>()
    const singles: (() => Promise<void>)[] = []
    for (const one of missing) {
      if (one.what === 'slot') bySlot.set(one.account, [...(bySlot.get(one.account) ?? []), one.slot])
      else if (one.what === 'code') singles.unshift(() => code(world, one.account))
      else singles.push(() => balance(world, one.account))
    }
    const room = Math.max(0, maxRequests - spent - bySlot.size)
    const [read] = await Promise.all([
      Promise.all([...bySlot].map(([account, wanted]) => slots(world, account, wanted))),
      Promise.all(singles.slice(0, room).map((ask) => ask())),
    ])
    return read.every(Boolean) && singles.length <= room
  }

  return {
    block,
    reader: { fill, request, spent: () => spent, overrides: () => canOverride, blockTag },
  }
}

function blockOf(head: unknown, chainId: bigint): Block {
  const word = (name: string): bigint => {
    const value: unknown = typeof head === 'object' && head !== null ? Reflect.get(head, name) : undefined
    return typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : 0n
  }
  const number = word('number')
  if (number === 0n && word('timestamp') === 0n) throw new UpstreamError('base-rpc')
  return {
    number,
    timestamp: word('timestamp'),
    baseFee: word('baseFeePerGas'),
    coinbase: word('miner'),
    gasLimit: word('gasLimit'),
    chainId,
  }
}
