import {
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import { parseAbi, parseUnits } from 'viem'

import { canonical } from './addresses.ts'
import { startAnvil } from './anvil.ts'
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import { poll, rpc, rpcBatch, type RpcCall } from './rpc.ts'
import { residentOf, walletOf } from './wallets.ts'

export type ChainOptions = {
  /** 8453, Base, unless given; 31337 for suites that refuse to pay on a real network's id. */
  readonly chainId?: number
  /** 0, a free port, unless given. */
  readonly port?: number
  /** Path of the anvil program; found among the installed packages unless given. */
  readonly anvilBinary?: string
}

export type Contracts = typeof canonical & {
  readonly toolPass: Address
  readonly nativeToken: Address
  readonly stakedNative: Address
  /** An ERC-1271 wallet that belongs to the payer and has 100 USDC. */
  readonly smartWallet: Address
  /** Where the native token is traded, as far as transfers show it. */
  readonly nativePair: Address
}

export type Chain = {
  readonly rpcUrl: string
  readonly chainId: number
  readonly pid: number
  readonly contracts: Contracts
  readonly stop: () => Promise<void>
}

const secondsPerBlock = 2
/** Blocks between the groups of the story below; together the past of the chain. */
const pauses = { afterDeployment: 60, afterStaking: 60, afterBurns: 60, beforeNow: 30 } as const
const historyBlocks = Object.values(pauses).reduce((sum, blocks) => sum + blocks, 0)
/** 0.006 gwei, what Base charges on a calm day. */
const baseFeeWei = 6_000_000n
const gasPerTransaction = 3_000_000n

const deployer = walletOf('operator').address
const nativeSupply = parseUnits('1000000000', 18)

/** The contracts that the operator deploys, in the order of its transactions, which decides their addresses. */
const deployments = ['toolPass', 'nativeToken', 'stakedNative', 'smartWallet'] as const
const deployed = Object.fromEntries(
  deployments.map((name, nonce) => [name, getContractAddress({ from: deployer, nonce: BigInt(nonce) })]),
) as Record<(typeof deployments)[number], Address>

/** Every contract's address: the same on each start. */
export const contracts: Contracts = { ...canonical, ...deployed, nativePair: getAddress(residentOf('native pair')) }

const abi = parseAbi([
  'constructor(uint256 supply)',
  'function initialize(address owner)',
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function burn(uint256 value)',
])
const passAbi = parseAbi(['function mint(address to) returns (uint256)'])
const vaultAbi = parseAbi(['function deposit(uint256 assets, address receiver) returns (uint256)'])
const wethAbi = parseAbi(['function deposit() payable'])
const addressConstructor = parseAbi(['constructor(address it)'])

type Step = { readonly from: Address; readonly to?: Address; readonly data?: Hex; readonly value?: bigint }

/** Starts a chain with its contracts, wallets and a short past. */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const chainId = options.chainId ?? 8453
  const anvil = await startAnvil({
    chainId,
    port: options.port ?? 0,
    ...(options.anvilBinary === undefined ? {} : { binary: options.anvilBinary }),
    genesisTimestamp: nowSeconds() - historyBlocks * secondsPerBlock,
  })
  try {
    await seed(anvil.rpcUrl)
  } catch (error) {
    await anvil.stop()
    throw error
  }
  return { rpcUrl: anvil.rpcUrl, chainId, pid: anvil.pid, contracts, stop: anvil.stop }
}

// The clock of the chain is the machine's: what a wallet signs "until in a minute" is judged by it.
function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

async function seed(rpcUrl: string): Promise<void> {
  const nonces = new Map<Address, number>()
  const residents = ['ada', 'bela', 'chidi', 'dora', 'emil', 'fumi'].map(residentOf)
  const payer = walletOf('payer').address
  const holder = walletOf('holder').address
  const actors = [deployer, payer, holder, contracts.nativePair, ...residents]
  const send = async (steps: readonly Step[]): Promise<void> => {
    const hashes = await rpcBatch(
      rpcUrl,
      steps.map(({ from, to, data, value }) => {
        const nonce = nonces.get(from) ?? 0
        nonces.set(from, nonce + 1)
        return [
          'eth_sendTransaction',
          { from, to, data, value: toHex(value ?? 0n), nonce: toHex(nonce), gas: toHex(gasPerTransaction) },
        ]
      }),
    )
    await poll(() => allMined(rpcUrl, hashes), 'the first transactions of the chain', 20_000)
  }
  const pass = (blocks: number): Promise<unknown> => rpc(rpcUrl, 'anvil_mine', toHex(blocks), toHex(secondsPerBlock))

  await rpcBatch(rpcUrl, [
    ...placed.map(([name, address]): RpcCall => ['anvil_setCode', address, artifacts[name].deployedBytecode]),
    ...actors.map((actor): RpcCall => ['anvil_impersonateAccount', actor]),
    ...actors.map((account) => balance(account, '100')),
    balance(walletOf('facilitator').address, '1000'),
    balance(walletOf('stranger').address, '0.05'),
  ])

  const { usdc, aero, cbBtc, weth, toolPass, nativeToken, stakedNative, smartWallet, nativePair, dead } = contracts
  await send([
    { from: deployer, data: bytecodeOf('ToolPass') },
    { from: deployer, data: encodeDeployData({ abi, bytecode: bytecodeOf('NativeToken'), args: [nativeSupply] }) },
    { from: deployer, data: deployWith('StakedNative', nativeToken) },
    { from: deployer, data: deployWith('SmartWallet', payer) },
    { from: deployer, to: usdc, data: encodeFunctionData({ abi, functionName: 'initialize', args: [deployer] }) },
    mint(usdc, payer, parseUnits('1000', 6)),
    mint(usdc, holder, parseUnits('10', 6)),
    mint(usdc, smartWallet, parseUnits('100', 6)),
    mint(aero, payer, parseUnits('1500', 18)),
    mint(cbBtc, payer, parseUnits('0.25', 8)),
    { from: payer, to: weth, value: parseUnits('0.5', 18), data: encodeFunctionData({ abi: wethAbi }) },
    { from: deployer, to: toolPass, data: encodeFunctionData({ abi: passAbi, args: [holder] }) },
    transfer(deployer, nativePair, '50000000'),
    transfer(deployer, holder, '2500000'),
    transfer(deployer, payer, '50000'),
    ...residents.map((resident, index) => transfer(deployer, resident, String(4_000_000 - index * 600_000))),
  ])
  await pass(pauses.afterDeployment)

  const stakers = [holder, ...residents.slice(0, 5)]
  await send([
    ...stakers.flatMap((from, index) => {
      const assets = parseUnits(String(1_200_000 - index * 190_000), 18)
      return [
        {
          from,
          to: nativeToken,
          data: encodeFunctionData({ abi, functionName: 'approve', args: [stakedNative, assets] }),
        },
        { from, to: stakedNative, data: encodeFunctionData({ abi: vaultAbi, args: [assets, from] }) },
      ]
    }),
    // A reward for the stakers: a share is worth more than the token it was bought with.
    transfer(deployer, stakedNative, '210000'),
  ])
  await pass(pauses.afterStaking)

  await send([
    ...['1250000', '40000', '315000.5', '8000', '1', '77000'].map((amount, index) =>
      transfer(index % 2 === 0 ? deployer : (residents[index] ?? deployer), dead, amount),
    ),
    {
      from: deployer,
      to: nativeToken,
      data: encodeFunctionData({ abi, functionName: 'burn', args: [parseUnits('500000', 18)] }),
    },
  ])
  await pass(pauses.afterBurns)

  await send([
    transfer(nativePair, residents[5] ?? holder, '900000'),
    transfer(residents[0] ?? holder, nativePair, '350000'),
    transfer(nativePair, holder, '120000'),
    transfer(residents[1] ?? holder, residents[2] ?? holder, '640000'),
    transfer(nativePair, payer, '150'),
  ])
  await rpcBatch(
    rpcUrl,
    actors.map((actor): RpcCall => ['anvil_stopImpersonatingAccount', actor]),
  )

  // The fee of an empty chain falls to nothing in a minute, so the blocks that a fee history shows get one each.
  // One call at a time from here on: the chain works on the calls of a batch in any order.
  for (let block = 0; block < pauses.beforeNow; block++) {
    await rpc(rpcUrl, 'anvil_setNextBlockBaseFeePerGas', toHex(baseFeeWei + BigInt((block * 79_190) % 400_000)))
    await pass(1)
  }
  await rpc(rpcUrl, 'anvil_setNextBlockBaseFeePerGas', toHex(baseFeeWei))
  await rpc(rpcUrl, 'evm_setTime', nowSeconds())
}

/** Contracts whose code is put where the real ones are. */
const placed = [
  ['SandboxUSDC', canonical.usdc],
  ['Multicall3', canonical.multicall3],
  ['ToolRegistry8257', canonical.registry],
  ['ERC721OwnerPredicate', canonical.ownerPredicate],
  ['SandboxWETH', canonical.weth],
  ['GasPriceOracle', canonical.gasPriceOracle],
  ['SandboxAERO', canonical.aero],
  ['SandboxCbBTC', canonical.cbBtc],
] as const

/** True when all are in a block, undefined while one is not. @throws when one of them failed. */
async function allMined(rpcUrl: string, hashes: readonly unknown[]): Promise<true | undefined> {
  const receipts = (await rpcBatch(
    rpcUrl,
    hashes.map((hash): RpcCall => ['eth_getTransactionReceipt', hash]),
  )) as ({ readonly status: string } | null)[]
  const failed = receipts.findIndex((receipt) => receipt !== null && receipt.status !== '0x1')
  if (failed >= 0) throw new Error(`Transaction ${failed} of a seeding step failed.`)
  return receipts.includes(null) ? undefined : true
}

function balance(account: Address, ether: string): RpcCall {
  return ['anvil_setBalance', account, toHex(parseUnits(ether, 18))]
}

function bytecodeOf(name: keyof typeof artifacts & ('ToolPass' | 'NativeToken' | 'StakedNative' | 'SmartWallet')): Hex {
  return artifacts[name].bytecode as Hex
}

function deployWith(name: 'StakedNative' | 'SmartWallet', argument: Address): Hex {
  return encodeDeployData({ abi: addressConstructor, bytecode: bytecodeOf(name), args: [argument] })
}

function mint(token: Address, to: Address, value: bigint): Step {
  return { from: deployer, to: token, data: encodeFunctionData({ abi, functionName: 'mint', args: [to, value] }) }
}

function transfer(from: Address, to: Address, amount: string): Step {
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, parseUnits(amount, 18)] })
  return { from, to: contracts.nativeToken, data }
}
