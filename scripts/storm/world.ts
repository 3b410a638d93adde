import { serveFaultyFacilitator, simulatedBackend, type FacilitatorFault } from '../../test/money/faulty-facilitator.ts'
import { serveFaultyRpc } from '../../test/money/faulty-rpc.ts'
import { createSimulator, createTestClock, type Simulator } from '../../test/money/simulator.ts'
import type { Dice } from './dice.ts'
import { sleep } from './nodes.ts'

/** What the facilitator was asked to settle, and what it did instead. */
export type SettleCall = {
  readonly at: number
  readonly fault: FacilitatorFault
  /** The chain held transfers back: a yes was said of one that no block had. */
  readonly isEarly: boolean
}

/** The chain and the facilitator, both in a bad mood until told to calm down. */
export type World = {
  readonly env: Readonly<Record<string, string>>
  readonly chain: Simulator
  readonly settlesOf: (nonce: string) => readonly SettleCall[]
  /** All faults end, and what waits is mined. */
  readonly calm: () => Promise<void>
  /** How often each kind of weather came, and what the facilitator did instead of settling. */
  readonly seen: () => Readonly<Record<string, number>>
  /** The chain's clock goes ahead: what was not used until then never will be, and what is there lies deep. */
  readonly letTimePass: (ms: number) => void
  readonly close: () => Promise<void>
}

export const payTo = '0x1111111111111111111111111111111111111111'

const settleFaults = {
  none: 66,
  'drop-after-broadcast': 7,
  slow: 5,
  'status-500': 4,
  'status-429': 1,
  garbage: 2,
  reset: 3,
  'wrong-payer': 2,
  'wrong-network': 1,
  'settlement-pending': 3,
  duplicate: 2,
  refuse: 1,
  'lie-success': 1,
  'lie-failure': 2,
} as const

const verifyFaults = {
  none: 92,
  slow: 1,
  'status-500': 2,
  garbage: 1,
  reset: 1,
  'wrong-payer': 1,
  refuse: 2,
} as const

/**
 * A lie about a transfer that no block shows yet cannot be seen through by anybody; this long the chain must stay
 * clear.
 */
const clearForMs = 3_000
/** The same where a transaction waits for a block of six seconds. */
const clearForSlowMs = 13_000

export type WorldParts = {
  readonly dice: Dice
  /**
   * From then on the facilitator swears now and then to what it has not done. The first such yes costs it its credit
   * for good.
   */
  readonly liesFrom: number
  /** Called before the facilitator does anything about a settlement. */
  readonly onSettle: (nonce: string) => void
  /** Whether the facilitator may refuse one call with this payment while another one goes on. */
  readonly mayRefuse: (nonce: string) => boolean
}

export async function startWorld({ dice, liesFrom, onSettle, mayRefuse }: WorldParts): Promise<World> {
  const clock = createTestClock()
  const chain = createSimulator(clock)
  const settles = new Map<string, SettleCall[]>()
  const facilitator = await serveFaultyFacilitator(await simulatedBackend(chain))
  const gas = gasPrices()
  const rpc = await serveFaultyRpc((method, params) => gas(method) ?? chain.handle(method, params))
  const calming = new AbortController()
  let clearUntil = 0
  let isHolding = false
  const seen = new Map<string, number>()
  const count = (name: string): void => {
    seen.set(name, (seen.get(name) ?? 0) + 1)
  }

  const faultOf = (weights: Readonly<Partial<Record<FacilitatorFault, number>>>): FacilitatorFault => {
    if (calming.signal.aborted) return 'none'
    const fault = dice.weighted(weights as Readonly<Record<FacilitatorFault, number>>)
    // Now and then longer than the server's patience, so that the transfer comes when the server has given up on it.
    if (fault === 'slow') facilitator.slowness(dice.chance(0.15) ? 17_000 : dice.between(300, 4_000))
    return fault
  }
  facilitator.choose('settle', (nonce) => {
    const drawn = faultOf(settleFaults)
    const isLate = Date.now() + (chain.isDelayed() ? clearForSlowMs : clearForMs) > clearUntil
    const isDisbelieved = drawn === 'lie-success' && Date.now() < liesFrom
    const fault =
      drawn === 'lie-failure' && isLate ? 'drop-after-broadcast' : isDisbelieved ? 'drop-after-broadcast' : drawn
    if (fault === 'lie-failure') count(chain.isDelayed() ? 'broadcast and denied, slow blocks' : 'broadcast and denied')
    else if (fault !== 'none') count(`settle: ${fault}`)
    settles.set(nonce, [...(settles.get(nonce) ?? []), { at: Date.now(), fault, isEarly: isHolding }])
    onSettle(nonce)
    return fault
  })
  facilitator.choose('verify', (nonce) => {
    const fault = faultOf(verifyFaults)
    return fault === 'refuse' && !mayRefuse(nonce) ? 'none' : fault
  })

  const weather = async (): Promise<void> => {
    while (!calming.signal.aborted) {
      const kind = dice.weighted({ clear: 50, slow: 12, holding: 18, lagging: 10, down: 5, error: 5 })
      const blockMs = dice.pick([2_000, 6_000])
      const ms = lastsMs(kind, dice)
      count(kind === 'slow' ? `blocks of ${blockMs / 1_000} s` : kind)
      if (kind === 'clear' || kind === 'slow') clearUntil = Date.now() + ms
      if (kind === 'slow') chain.pace({ blockMs, isDelayed: true })
      isHolding = kind === 'holding'
      if (isHolding) chain.hold()
      if (kind === 'lagging') chain.lag(dice.between(2_000, 20_000))
      if (kind === 'down' || kind === 'error') rpc.set(kind)
      await sleep(ms)
      if (kind === 'slow') chain.pace({ blockMs: 2_000, isDelayed: false })
      chain.mine()
      isHolding = false
      chain.lag(0)
      rpc.set('none')
    }
  }
  const weatherOver = weather()

  return {
    env: {
      TOLLGATE_PAY_TO: payTo,
      TOLLGATE_FACILITATOR_URL: facilitator.url,
      TOLLGATE_BASE_RPC_URLS: rpc.url,
      TOLLGATE_MAINNET_RPC_URLS: rpc.url,
    },
    chain,
    settlesOf: (nonce) => settles.get(nonce) ?? [],
    calm: async () => {
      calming.abort()
      await weatherOver
    },
    seen: () => Object.fromEntries([...seen].sort(([a], [b]) => (a < b ? -1 : 1))),
    letTimePass: clock.advance,
    close: async () => {
      await facilitator.close()
      await rpc.close()
    },
  }
}

function lastsMs(kind: string, dice: Dice): number {
  if (kind === 'clear') return dice.between(4_000, 9_000)
  // Long enough for a transfer to wait for its block and for two blocks after it.
  return kind === 'slow' ? dice.between(14_000, 22_000) : dice.between(300, 4_000)
}

/** What the gas tool asks for. Every answer differs from the one before, so that a tool that ran twice is found out. */
function gasPrices(): (method: string) => unknown {
  let count = 0
  const hex = (value: number): string => `0x${value.toString(16)}`
  return (method) => {
    count += 1
    if (method === 'eth_gasPrice' || method === 'eth_maxPriorityFeePerGas') return hex(1_000_000 + count)
    if (method !== 'eth_feeHistory') return undefined
    return {
      oldestBlock: hex(60_000_000 + count),
      baseFeePerGas: [hex(5_000_000 + count), hex(5_000_001 + count), hex(5_000_002 + count)],
      gasUsedRatio: [0.5, 0.5],
      reward: [
        [hex(1), hex(2), hex(3)],
        [hex(1), hex(2), hex(3)],
      ],
    }
  }
}
