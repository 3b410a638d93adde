import { z } from 'zod'

import { UpstreamError, type Upstreams } from '../../../src/tool/tool.ts'

type Chain = Upstreams['chain']

/** What happened when an ordinary holder tried to send and to sell the token, without anything reaching the chain. */
export type Trial = {
  readonly sending: Attempt
  /** Moved by a router to the token's pools, the worst of them; to an account in their place where none is known. */
  readonly selling: Attempt
  readonly hasPool: boolean
}

export type Attempt = { readonly works: boolean; /** Of what was sent, 0 to 100. */ readonly arrivedPercent: number }

/** Nobody has their keys; the first is given tokens in a copy of the chain's state. */
const holder = '0x70117a7e00000000000000000000000000000001'
const stranger = '0x70117a7e00000000000000000000000000000002'
const standIn = '0x70117a7e00000000000000000000000000000003'
const router = '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24'
const weth = '0x4200000000000000000000000000000000000006'
const [pairFactory, poolFactory] = [
  '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
  '0x33128a8fc17869897dce68ed026d694621f6fdfd',
] as const

const marker = 10n ** 24n
const zeroAddress = `0x${'0'.repeat(40)}`

/** Tries it out; undefined where the balances or the node do not allow it. */
export async function tryTransfers(chain: Chain, token: string): Promise<Trial | undefined> {
  try {
    const slot = await balanceSlotOf(chain, token)
    return slot === undefined ? undefined : await attempt(chain, token, slot)
  } catch (error) {
    // Not every node simulates, and what the chain refuses here says nothing about the token.
    if (!(error instanceof UpstreamError)) throw error
    return undefined
  }
}

/** Where the token keeps the holder's balance: every usual place gets a figure of its own, and the token reads one back. */
async function balanceSlotOf(chain: Chain, token: string): Promise<string | undefined> {
  const { slots, stateDiff } = await (usual ??= usualSlots())
  const read = await chain.request({
    method: 'eth_call',
    params: [{ to: token, data: `0x70a08231${word(holder)}` }, 'latest', { [token]: { stateDiff } }],
  })
  if (typeof read !== 'string' || !/^0x[0-9a-f]{64}$/i.test(read)) return undefined
  const index = BigInt(read) - marker
  return index >= 0n && index < BigInt(slots.length) ? slots[Number(index)] : undefined
}

type Slots = { readonly slots: readonly string[]; readonly stateDiff: Readonly<Record<string, string>> }

/** The same for every token, as the holder is always the same: hashing them anew takes longer than the rest of a scan. */
let usual: Promise<Slots> | undefined

/** Mappings in the first slots as Solidity and Vyper lay them out, and two libraries with places of their own. */
async function usualSlots(): Promise<Slots> {
  const { keccak256 } = await import('viem')
  const solidity = (slot: string): string => keccak256(`0x${word(holder)}${slot}`)
  const plain = Array.from({ length: 256 }, (_value, index) => solidity(numberWord(index)))
  const vyper = Array.from({ length: 32 }, (_value, index) => keccak256(`0x${numberWord(index)}${word(holder)}`))
  const openzeppelin = solidity('52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00')
  const solady = keccak256(`0x${holder.slice(2)}000000000000000087a211a2`)
  const slots = [...plain, ...vyper, openzeppelin, solady]
  return { slots, stateDiff: Object.fromEntries(slots.map((slot, index) => [slot, hexWord(marker + BigInt(index))])) }
}

const callSchema = z.looseObject({ status: z.string(), returnData: z.string().regex(/^0x[0-9a-fA-F]*$/) })
const simulatedSchema = z.tuple([z.looseObject({ calls: z.array(callSchema) })])

async function attempt(chain: Chain, token: string, slot: string): Promise<Trial | undefined> {
  const { pools, supply } = await marketOf(chain, token)
  // Little enough for every limit on a single sale.
  const share = supply / 10_000n
  const amount = share < 10_000n ? 10_000n : share
  const half = amount / 2n
  const targets = pools.length === 0 ? [standIn] : pools
  const portion = half / BigInt(targets.length)
  const call = (from: string, data: string): object => ({ from, to: token, input: data })
  const balance = (of: string): object => call(holder, `0x70a08231${word(of)}`)
  const answer = await chain.request({
    method: 'eth_simulateV1',
    params: [
      {
        blockStateCalls: [
          {
            stateOverrides: { [token]: { stateDiff: { [slot]: hexWord(amount) } } },
            calls: [
              balance(stranger),
              call(holder, `0xa9059cbb${word(stranger)}${bigWord(half)}`),
              balance(stranger),
              ...targets.flatMap((target) => [
                balance(target),
                call(holder, `0x095ea7b3${word(router)}${bigWord(portion)}`),
                call(router, `0x23b872dd${word(holder)}${word(target)}${bigWord(portion)}`),
                balance(target),
              ]),
            ],
          },
        ],
        validation: false,
      },
      'latest',
    ],
  })
  const parsed = simulatedSchema.safeParse(answer)
  if (!parsed.success || parsed.data[0].calls.length !== 3 + targets.length * 4) return undefined
  const [before, sent, after, ...sales] = parsed.data[0].calls
  const sold = targets.map((_target, index) => {
    const [poolBefore, , sale, poolAfter] = sales.slice(index * 4)
    return attemptOf(sale, poolBefore, poolAfter, portion)
  })
  return {
    sending: attemptOf(sent, before, after, half),
    selling: sold.reduce(worse),
    hasPool: pools.length > 0,
  }
}

function worse(one: Attempt, other: Attempt): Attempt {
  if (one.works !== other.works) return one.works ? other : one
  return other.arrivedPercent < one.arrivedPercent ? other : one
}

type Call = z.output<typeof callSchema>

function attemptOf(call: Call | undefined, before: Call | undefined, after: Call | undefined, amount: bigint): Attempt {
  const [had, has] = [amountIn(before), amountIn(after)]
  // Old tokens return nothing; a token that returns false did not send.
  const said = call?.status === '0x1' && (call.returnData === '0x' || (amountIn(call) ?? 0n) === 1n)
  const arrived = had === undefined || has === undefined || has < had ? 0n : has - had
  const arrivedPercent = Number((arrived * 10_000n) / amount) / 100
  return { works: said && arrived > 0n, arrivedPercent: said ? Math.min(100, arrivedPercent) : 0 }
}

function amountIn(call: Call | undefined): bigint | undefined {
  return call?.status === '0x1' && call.returnData.length === 66 ? BigInt(call.returnData) : undefined
}

/**
 * The token's pools and its supply: the one that the large exchanges know and the one that the token names itself. A
 * token that cannot be sold may name an address that it lets everybody send to, so its own word is not enough.
 */
async function marketOf(
  chain: Chain,
  token: string,
): Promise<{ readonly pools: readonly string[]; readonly supply: bigint }> {
  const pair = word(token) + word(weth)
  const [supply, named, alsoNamed, ...listed] = await chain.multicall([
    { to: token, data: '0x18160ddd' },
    { to: token, data: '0x49bd5a5e' },
    { to: token, data: '0xa8aa1b31' },
    { to: pairFactory, data: `0xe6a43905${pair}` },
    ...[10_000, 3_000, 500].map((fee) => ({ to: poolFactory, data: `0x1698ee82${pair}${numberWord(fee)}` })),
  ])
  const first = (answers: readonly (RawResult | undefined)[]): readonly string[] =>
    answers
      .flatMap((answer) => poolIn(answer) ?? [])
      .filter((pool) => pool !== token)
      .slice(0, 1)
  return {
    pools: [...new Set([...first(listed), ...first([named, alsoNamed])])],
    supply: supply?.success === true && supply.data.length === 66 ? BigInt(supply.data) : 0n,
  }
}

type RawResult = Awaited<ReturnType<Chain['multicall']>>[number]

function poolIn(answer: RawResult | undefined): string | undefined {
  const found = answer?.success === true ? /^0x0{24}([0-9a-f]{40})$/i.exec(answer.data)?.[1] : undefined
  const pool = `0x${found?.toLowerCase() ?? ''}`
  return found === undefined || pool === zeroAddress ? undefined : pool
}

function word(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}

function numberWord(value: number): string {
  return value.toString(16).padStart(64, '0')
}

function bigWord(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

function hexWord(value: bigint): string {
  return `0x${bigWord(value)}`
}
