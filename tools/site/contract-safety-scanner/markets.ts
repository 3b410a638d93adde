import { RpcError, UpstreamError, type Upstreams } from '../../../src/tool/tool.ts'
import { addressOf } from './evm/machine.ts'
import { askWord, type Market, selectors } from './harness.ts'
import { isNobody, loggedAddresses } from './holders.ts'
import { callData, type Lab, routers } from './lab.ts'
import { sellsOtherwise } from './sales.ts'

const weth = '0x4200000000000000000000000000000000000006'
const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
/** What tokens are mostly sold for. */
export const quotes = [weth, usdc] as const

/** Uniswap v4 keeps all tokens in one contract; sellers reach it through Permit2. */
const poolManager = '0x498581ff718922c3f8e6a244956af099b2652b2b'

/** The exchanges' factories, what tells their pools of one pair apart, and who moves a seller's tokens there. */
const factories = [
  {
    name: 'Uniswap v2',
    address: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
    selector: 'e6a43905',
    kinds: [undefined],
    router: routers.uniswapV2,
    isPair: true,
  },
  {
    name: 'Aerodrome',
    address: '0x420dd381b31aef6683db6b902084cb0ffece40da',
    selector: '79bc57d5',
    kinds: [0n, 1n],
    router: routers.aerodrome,
    isPair: true,
  },
  {
    name: 'Uniswap v3',
    address: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
    selector: '1698ee82',
    kinds: [100n, 500n, 3000n, 10_000n],
    router: routers.uniswapV3,
    isPair: false,
  },
  ...[
    '0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a',
    '0xade65c38cd4849adba595a4323a8c7ddfe89716a',
    '0xf8f2eb4940cfe7d13603dddd87f123820fc061ef',
  ].map((address) => ({
    name: 'Aerodrome Slipstream',
    address,
    selector: '28af8d0b',
    kinds: [1n, 10n, 50n, 100n, 200n, 2000n],
    router: routers.slipstream,
    isPair: false,
  })),
] as const

/** Getters by which tokens name their own pool. */
const ownPools = ['49bd5a5e', 'a8aa1b31', '16f0115b', '26c5a66d'] as const
const maxMarkets = 8

/** Where the token can be sold: what the exchanges list, and whatever the token itself names as a pool. */
export async function findMarkets(lab: Lab, chain: Upstreams['chain']): Promise<readonly Market[]> {
  const [listed, named] = await Promise.all([listedMarkets(lab, chain), namedMarkets(lab)])
  const markets: Market[] = [...listed]
  for (const one of named) if (!markets.some(({ address }) => address === one.address)) markets.push(one)
  if (!markets.some(({ address }) => address === poolManager)) {
    markets.push({ address: poolManager, name: 'Uniswap v4', router: routers.permit2, isPair: false, isPool: true })
  }
  // Some tokens tell pools from people by whether there is code.
  const venue = {
    address: lab.actors.consent,
    name: 'a contract',
    router: routers.uniswapV2,
    isPair: false,
    isPool: true,
  }
  return [...markets.slice(0, maxMarkets), venue]
}

async function listedMarkets({ target, cut }: Lab, chain: Upstreams['chain']): Promise<readonly Market[]> {
  const lookups = factories.flatMap((factory) =>
    [weth, usdc]
      .filter((quote) => quote !== target)
      .flatMap((quote) => factory.kinds.map((kind) => ({ factory, quote, kind }))),
  )
  try {
    const answers = await chain.multicall(
      lookups.map(({ factory, quote, kind }) => ({
        to: factory.address,
        data: `0x${Buffer.from(callData(factory.selector, target, quote, ...(kind === undefined ? [] : [kind]))).toString('hex')}`,
      })),
    )
    return lookups.flatMap(({ factory, quote, kind }, index) => {
      const answer = answers[index]
      if (answer?.success !== true || answer.data.length !== 66) return []
      const address = addressOf(BigInt(answer.data))
      if (isNobody(address) || address === target) return []
      const fee = kind === undefined ? '' : ` (${kind})`
      const name = `${factory.name}${fee} ${quote === weth ? 'WETH' : 'USDC'} pool`
      return [{ address, name, router: factory.router, isPair: factory.isPair, isPool: true }]
    })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    // A chain without the batch contract has none of these exchanges either, or none that can be asked at once.
    if (!(error instanceof RpcError)) cut('pools')
    return []
  }
}

/** Pools that the token names by a getter, or keeps to itself in its storage or code. */
async function namedMarkets(lab: Lab): Promise<readonly Market[]> {
  const { target, world, actors } = lab
  const own = await lab.settle((note) =>
    ownPools.map((selector) => askWord(lab, lab.base, note, target, callData(selector))),
  )
  const declared = own.flatMap((word) => (word === undefined || word >> 160n !== 0n ? [] : [addressOf(word)]))
  const stored = [...(world.storage.get(target)?.values() ?? [])]
    .filter((word) => word >> 80n !== 0n)
    .flatMap(packed)
    // Short texts are kept in one word too; an address has no long run of zeros.
    .filter((one) => !/0{14}/.test(one.slice(2)))
  const coded = [...world.codes.values()].flatMap(({ addresses }) => addresses)
  const logged = await loggedAddresses(lab).catch((error: unknown) => {
    // A node that refuses so many blocks leaves what storage and code name.
    if (!(error instanceof UpstreamError)) throw error
    return []
  })
  const known: ReadonlySet<string> = new Set([weth, usdc, target, ...Object.values(routers), ...Object.values(actors)])
  const kept = new Set([...declared, ...stored, ...coded])
  const named = [...new Set([...kept, ...logged])]
    .filter(
      (one) =>
        !isNobody(one) &&
        !known.has(one) &&
        !world.codes.get(target)?.hex.includes('363d3d373d3d3d363d73' + one.slice(2)),
    )
    .slice(0, 10)
  const pools = await lab.settle((note) =>
    named.map((one) => askWord(lab, lab.base, note, one, callData(selectors.token0)) !== undefined),
  )
  return named.flatMap((address, index) => {
    const isPool = pools[index] === true
    const isPlain = (world.codes.get(address)?.bytes.length ?? 0) === 0
    if (!isPool && (!isPlain || !kept.has(address)) && !declared.includes(address)) return []
    const name =
      isPool || declared.includes(address)
        ? `pool ${address} that the contract names`
        : `${address}, which the contract names`
    return [
      {
        address,
        name,
        router: routers.uniswapV2,
        isPair: isPool,
        isPool: isPool || declared.includes(address),
        sells: (state, note, sale) => sellsOtherwise(lab, state, note, { pool: address, ...sale }),
      },
    ]
  })
}

/** Addresses in a word that may share it with a flag or a small number. */
function packed(word: bigint): readonly string[] {
  const low = addressOf(word)
  const high = addressOf(word >> 8n)
  return (word & 0xffn) <= 1n && word >> 160n !== 0n ? [low, high] : [low]
}
