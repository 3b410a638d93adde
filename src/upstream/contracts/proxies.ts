import { UpstreamError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Blockscout } from '../services/blockscout.ts'
import type { Chain } from '../chain/rpc.ts'
import { findSource, type ContractSource } from './source.ts'
import { delegateOf, fixedTargetOf, readCode, type CodeReading } from './bytecode.ts'
import { RpcError } from '../chain/rpc-error.ts'
import {
  multicall3,
  multicall3Reads,
  type RawCall,
  type RawResult,
  wordOf,
  wordsIn,
  zeroAddress,
} from '../chain/abi.ts'
import type { Sourcify } from '../services/sourcify.ts'

/** Ways in which a contract runs the code of another one. */
export type ProxyKind =
  | 'eip1967'
  | 'eip1967_beacon'
  | 'eip1822'
  | 'eip1967_oz'
  | 'eip1167'
  | 'clone_with_immutable_arguments'
  | 'minimal_proxy'
  | 'eip2535'
  | 'master_copy'
  | 'comptroller'
  | 'basic_implementation'

/** One address that a contract runs the code of, and where the contract keeps that address. */
type ProxyTarget = {
  readonly kind: ProxyKind
  /** Where the target is written, e.g. `eip1967.proxy.implementation` or `bytecode`. */
  readonly slot: string
  readonly implementation: string
  readonly hasCode: boolean
}

/** Who can decide about a contract. */
export type Controller = {
  readonly address: string
  readonly kind: 'none' | 'account' | 'multisig' | 'timelock' | 'contract'
}

/** A contract as the chain shows it, whatever anybody published about it. All addresses are in lower case. */
export type Contract = {
  readonly kind: 'contract'
  readonly code: CodeReading
  readonly proxy: {
    /** Empty where the contract runs its own code. */
    readonly targets: readonly ProxyTarget[]
    readonly beacon: string | null
    /** The one whom EIP-1967, or the slot of ZeppelinOS before it, lets change the implementation; null where it is empty. */
    readonly admin: string | null
    /** Whether somebody can replace the code. Clones and Safes do not count. */
    readonly isUpgradeable: boolean
    /** Who can replace the code; null where that is nobody or cannot be told. */
    readonly controller: Controller | null
  }
  /** The code that does the work: of the targets, or the contract's own. */
  readonly logic: readonly { readonly address: string; readonly code: CodeReading }[]
  /** What `owner()` answers; null where nothing answers. */
  readonly owner: Controller | null
  readonly balanceWei: bigint
}

export type ContractReading =
  | Contract
  | { readonly kind: 'none' }
  /** An account that delegates by EIP-7702: still an account. */
  | { readonly kind: 'delegated'; readonly delegate: string }

/** What stands on the chain at an address. */
export type Contracts = {
  /** Up to a dozen calls for a proxy, two for a plain contract. @throws UpstreamError */
  readonly read: (address: string) => Promise<ContractReading>
  /** What was published about a contract; two requests at most. @throws UpstreamError where nobody can say. */
  readonly source: (address: string) => Promise<ContractSource>
  /** Sizes of the code at many addresses in one call; 0 for an account, one that delegates included. */
  readonly codeSizes: (addresses: readonly string[]) => Promise<readonly number[]>
}

/** Where proxies keep the address of what they run. Each is a hash, minus one for those of EIP-1967. */
export const proxySlots = {
  'eip1967.proxy.implementation': '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  'eip1967.proxy.beacon': '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  'eip1967.proxy.admin': '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  PROXIABLE: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  'org.zeppelinos.proxy.implementation': '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  'org.zeppelinos.proxy.admin': '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b',
} as const
const slotZero = '0x0000000000000000000000000000000000000000000000000000000000000000'

/** Selectors of what a proxy and its keepers may answer. */
const asks = {
  owner: '0x8da5cb5b',
  implementation: '0x5c60da1b',
  masterCopy: '0xa619486e',
  facetAddresses: '0x52ef6b2c',
  facetAddress: '0xcdffacc6',
  diamondCut: '0x1f931c1c',
  comptrollerImplementation: '0xbb82aa5e',
  getMinDelay: '0xf27a0c92',
  delay: '0x6a42b8f8',
  getThreshold: '0xe75235b8',
} as const

const maxFacets = 50
/** Code is read of so many targets; a larger diamond is judged by its first ones. */
const maxLogic = 12
/** These replace their target when somebody says so; a clone or a Safe's singleton stays. */
const upgradeableKinds: ReadonlySet<ProxyKind> = new Set([
  'eip1967',
  'eip1967_beacon',
  'eip1822',
  'eip1967_oz',
  'comptroller',
  'basic_implementation',
])

export type ContractsParts = {
  readonly chain: Omit<Chain, 'client'>
  readonly blockscout: Pick<Blockscout, 'origin' | 'contract'>
  readonly sourcify: Sourcify
  readonly clock: Clock
}

/** Builds the reader of contracts on one chain. */
export function createContracts({ chain, blockscout, sourcify, clock }: ContractsParts): Contracts {
  async function read(address: string): Promise<ContractReading> {
    const hex = await codeOf(address)
    if (hex === '0x') return { kind: 'none' }
    const delegate = delegateOf(hex)
    if (delegate !== undefined) return { kind: 'delegated', delegate }

    const code = readCode(hex)
    const fixed = fixedTargetOf(hex)
    const delegates = code.instructions.some((name) => name === 'DELEGATECALL' || name === 'CALLCODE')
    // Code without a delegating instruction runs nobody else's, whatever lies in its slots.
    const slots = delegates && fixed === undefined ? await slotsOf(address) : noSlots
    const { beacon, admin } = slots
    // What the contract itself answers stands last: a hostile one can eat the gas of everything after it.
    const [
      balance,
      beaconTarget,
      beaconOwner,
      adminOwner,
      owner,
      implementation,
      comptroller,
      masterCopy,
      facets,
      cut,
    ] = await readAll([
      { to: multicall3, data: multicall3Reads.getEthBalance + wordOf(address) },
      { to: beacon ?? zeroAddress, data: asks.implementation },
      { to: beacon ?? zeroAddress, data: asks.owner },
      { to: admin ?? zeroAddress, data: asks.owner },
      { to: address, data: asks.owner },
      { to: address, data: asks.implementation },
      { to: address, data: asks.comptrollerImplementation },
      { to: address, data: asks.masterCopy },
      { to: address, data: asks.facetAddresses },
      { to: address, data: asks.facetAddress + asks.diamondCut.slice(2).padEnd(64, '0') },
    ])
    const cutFacet = addressIn(cut)

    const candidates: (readonly [ProxyKind, string, string | null])[] = []
    if (fixed !== undefined) candidates.push([fixed.kind, 'bytecode', fixed.target])
    candidates.push(
      ['eip1967', 'eip1967.proxy.implementation', slots.implementation],
      ['eip1967_beacon', 'eip1967.proxy.beacon', beacon === null ? null : addressIn(beaconTarget)],
      ['eip1822', 'PROXIABLE', slots.proxiable],
      ['eip1967_oz', 'org.zeppelinos.proxy.implementation', slots.zeppelin],
    )
    if (slots.zero !== null && slots.zero === addressIn(masterCopy))
      candidates.push(['master_copy', 'slot 0', slots.zero])
    if (delegates && fixed === undefined) {
      const listed = addressesIn(facets)
      // The loupe's list is optional in practice; who answers for the cut is at least one facet.
      const known = listed.length > 0 ? listed : cutFacet === null ? [] : [cutFacet]
      candidates.push(...known.map((facet) => ['eip2535', 'diamond facet', facet] as const))
      if (candidates.every(([, , target]) => target === null)) {
        candidates.push(
          ['comptroller', 'comptrollerImplementation()', addressIn(comptroller)],
          ['basic_implementation', 'implementation()', addressIn(implementation)],
        )
      }
    }
    const found = candidates.flatMap(([kind, slot, target]) =>
      target === null || target === address ? [] : [{ kind, slot, implementation: target }],
    )

    const ownerAddress = addressIn(owner, true)
    const ownerOfAdmin = admin === null ? null : addressIn(adminOwner, true)
    const ownerOfBeacon = beacon === null ? null : addressIn(beaconOwner, true)
    const controllers = unique([ownerAddress, admin, ownerOfAdmin, ownerOfBeacon])
    const [logicCodes, controllerKinds] = await Promise.all([
      Promise.all(
        unique(found.map((one) => one.implementation))
          .slice(0, maxLogic)
          .map(codeAt),
      ),
      kindsOf(controllers),
    ])
    const hexOf = new Map(logicCodes)
    const controllerOf = (who: string | null): Controller | null =>
      who === null ? null : { address: who, kind: controllerKinds.get(who) ?? 'none' }

    const targets = found
      .map((one) => ({ ...one, hasCode: hexOf.get(one.implementation) !== '0x' }))
      // A getter or a function of the same name may answer anything; only what has code can be run.
      .filter(({ kind, hasCode }) => hasCode || (kind !== 'basic_implementation' && kind !== 'comptroller'))
    const isCuttable = targets.some(({ kind }) => kind === 'eip2535') && cutFacet !== null
    // A beacon that does not say what it stands for today can say something else tomorrow.
    const isUpgradeable = isCuttable || beacon !== null || targets.some(({ kind }) => upgradeableKinds.has(kind))
    const logic = targets.flatMap(({ implementation }) => {
      const at = hexOf.get(implementation)
      return at === undefined || at === '0x' ? [] : [{ address: implementation, code: readCode(at) }]
    })
    // Who may replace the code: the owner of the beacon, or the admin's owner where the admin is a contract of its own.
    const keeper = beacon === null ? (admin === null ? ownerAddress : (ownerOfAdmin ?? admin)) : ownerOfBeacon

    return {
      kind: 'contract',
      code,
      proxy: {
        targets,
        beacon,
        admin,
        isUpgradeable,
        controller: isUpgradeable ? controllerOf(keeper) : null,
      },
      logic: logic.length === 0 ? [{ address, code }] : logic,
      owner: controllerOf(ownerAddress),
      balanceWei: balance?.success === true && balance.data.length === 66 ? BigInt(balance.data) : 0n,
    }
  }

  /** In one call, or one by one where a contract eats even the gas that the batch needs to end. */
  async function readAll(calls: readonly RawCall[]): Promise<readonly RawResult[]> {
    try {
      return await chain.multicall(calls)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return Promise.all(calls.map(readOne))
    }
  }

  async function readOne(call: RawCall): Promise<RawResult> {
    try {
      const data = await chain.request({ method: 'eth_call', params: [call, 'latest'] })
      if (typeof data !== 'string') throw new UpstreamError('base-rpc')
      return { success: true, data }
    } catch (error) {
      // A contract that refuses has not answered; a node that fails fails the reading.
      if (!(error instanceof RpcError)) throw error
      return { success: false, data: '0x' }
    }
  }

  async function codeOf(address: string): Promise<string> {
    const code = await chain.request({ method: 'eth_getCode', params: [address, 'latest'] })
    if (typeof code !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(code)) throw new UpstreamError('base-rpc')
    return code
  }

  async function codeAt(address: string): Promise<readonly [string, string]> {
    return [address, await codeOf(address)]
  }

  async function slotsOf(address: string): Promise<Slots> {
    const read = async (slot: string): Promise<string | null> => {
      const word = await chain.request({ method: 'eth_getStorageAt', params: [address, slot, 'latest'] })
      if (typeof word !== 'string' || !/^0x[0-9a-f]{0,64}$/i.test(word)) throw new UpstreamError('base-rpc')
      // The high bytes may hold something else; an address is the low twenty.
      const target = `0x${word.slice(2).padStart(40, '0').slice(-40).toLowerCase()}`
      return target === zeroAddress ? null : target
    }
    const [implementation, beacon, admin, proxiable, zeppelin, zero] = await Promise.all([
      read(proxySlots['eip1967.proxy.implementation']),
      read(proxySlots['eip1967.proxy.beacon']),
      read(proxySlots['eip1967.proxy.admin']),
      read(proxySlots.PROXIABLE),
      read(proxySlots['org.zeppelinos.proxy.implementation']),
      read(slotZero),
    ])
    // USDC and its like: the token's own owner() mints and pauses, but only this account may change the code.
    const keeper = admin ?? (zeppelin === null ? null : await read(proxySlots['org.zeppelinos.proxy.admin']))
    return { implementation, beacon, admin: keeper, proxiable, zeppelin, zero }
  }

  /** Tells accounts, multisigs and timelocks apart by their code and by what they answer. */
  async function kindsOf(addresses: readonly string[]): Promise<ReadonlyMap<string, Controller['kind']>> {
    const live = addresses.filter((address) => address !== zeroAddress)
    if (live.length === 0) return new Map()
    const questions = [asks.getMinDelay, asks.delay, asks.getThreshold]
    const [sizes, answers] = await Promise.all([
      codeSizes(live),
      readAll(live.flatMap((to) => questions.map((data): RawCall => ({ to, data })))),
    ])
    return new Map(
      live.map((address, index) => {
        if (sizes[index] === 0) return [address, 'account']
        const [minDelay, delay, threshold] = questions.map((_ask, ask) =>
          isWord(answers[index * questions.length + ask]),
        )
        if (minDelay === true || delay === true) return [address, 'timelock']
        return [address, threshold === true ? 'multisig' : 'contract']
      }),
    )
  }

  async function codeSizes(addresses: readonly string[]): Promise<readonly number[]> {
    if (addresses.length === 0) return []
    try {
      const data = sizesProgram + addresses.map(wordOf).join('')
      const returned = await chain.request({ method: 'eth_call', params: [{ data }, 'latest'] })
      const words = typeof returned === 'string' ? (returned.slice(2).match(/.{64}/g) ?? []) : []
      if (words.length !== addresses.length) throw new UpstreamError('base-rpc')
      return words.map((word) => Number(BigInt(`0x${word}`)))
    } catch (error) {
      // An RPC may not run code that is nowhere deployed; then each address is asked for.
      if (!(error instanceof RpcError)) throw error
      const codes = await Promise.all(addresses.map(codeOf))
      return codes.map((code) => (delegateOf(code) === undefined ? code.length / 2 - 1 : 0))
    }
  }

  return {
    read,
    codeSizes,
    source: (address) =>
      findSource({ blockscout, sourcify, chainId: chain.chainId, now: new Date(clock.now()) }, address),
  }
}

type Slots = Readonly<Record<'implementation' | 'beacon' | 'admin' | 'proxiable' | 'zeppelin' | 'zero', string | null>>
const noSlots: Slots = { implementation: null, beacon: null, admin: null, proxiable: null, zeppelin: null, zero: null }

/**
 * A program that returns the code size of every address appended to it, one word each. An account that delegates by
 * EIP-7702 has 23 bytes that begin with `ef`, which no contract's code may, and counts as none.
 */
const sizesProgram = [
  // The addresses are copied to memory: PUSH1 0x33 CODESIZE SUB, DUP1 PUSH1 0x33 PUSH0 CODECOPY. Then the index, zero.
  '0x60333803',
  '8060335f39',
  '5f',
  // 0x0a: while index < length go on at 0x14, else return the memory.
  '5b818110601457',
  '505ff3',
  // 0x14: the size, and behind the addresses the first byte of the code.
  '5b8051803b9060015f85833c50',
  // The size counts where that byte is not 0xef; it takes the address's place.
  '825160f81c60ef141502',
  '8152602001600a56',
].join('')

function unique(addresses: readonly (string | null)[]): readonly string[] {
  return [...new Set(addresses)].filter((address) => address !== null)
}

function isWord(result: RawResult | undefined): boolean {
  return result?.success === true && result.data.length === 66
}

/** The one address a call returned; null where it returned nothing of the kind, or nobody. */
function addressIn(result: RawResult | undefined, orNobody = false): string | null {
  if (result === undefined || !isWord(result)) return null
  const [, padding, address] = /^0x([0-9a-f]{24})([0-9a-f]{40})$/i.exec(result.data) ?? []
  if (padding === undefined || address === undefined || !/^0*$/.test(padding)) return null
  const found = `0x${address.toLowerCase()}`
  return found === zeroAddress && !orNobody ? null : found
}

/** The addresses of an ABI-encoded `address[]`. */
function addressesIn(result: RawResult | undefined): readonly string[] {
  const [offset, length, ...items] = wordsIn(result)
  if (offset !== 32n || length === undefined || length > BigInt(items.length)) return []
  return items
    .slice(0, Math.min(Number(length), maxFacets))
    .map((item) => `0x${item.toString(16).padStart(40, '0')}`)
    .filter((address) => address.length === 42 && address !== zeroAddress)
}
