import { encodeDeployData, encodeFunctionData, keccak256, toHex, type Address, type Hex } from 'viem'
import { parseAbi, parseUnits } from 'viem'

import { contracts, type Contracts } from './addresses.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import artifacts from './contracts/artifacts.json' with { type: 'json' }
import { fundedMagicWallets } from './magic.ts'
import { publicSubjects } from './public-subjects.ts'
import { rpc, rpcBatch, type RpcCall } from './rpc.ts'
import { sendSteps, type Step } from './transactions.ts'
import { operator, residentOf, walletOf } from './wallets.ts'

export type ChainOptions = {
  /** 8453, Base, unless given; 31337 for suites that refuse to pay on a real network's id. */
  readonly chainId?: number
  /** 0, a free port, unless given. */
  readonly port?: number
  /** Path of the anvil program; found among the installed packages unless given. */
  readonly anvilBinary?: string
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

/** Known by their addresses: a wallet of a real exchange, and the contract that holds positions in Uniswap's pools. */
const exchangeWallet: Address = '0x28C6c06298d514Db089934071355E5743bf21d60'
const positionManager: Address = '0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1'

const nativeSupply = parseUnits('1000000000', 18)

const abi = parseAbi([
  'constructor(uint256 supply)',
  'function initialize(address owner)',
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function burn(uint256 value)',
])
const certAbi = parseAbi([
  'function issue(address agent, bytes32 certHash, bytes32 batteryHash, uint64 expiresAt)',
  'function revoke(address agent)',
])
const permit2Abi = parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)'])
const honeypotAbi = parseAbi(['function launch()'])
/** Where EIP-1967 keeps the address that a proxy runs. */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const passAbi = parseAbi(['function mint(address to) returns (uint256)'])
const vaultAbi = parseAbi(['function deposit(uint256 assets, address receiver) returns (uint256)'])
const wethAbi = parseAbi(['function deposit() payable'])
const addressConstructor = parseAbi(['constructor(address it)'])

/** Starts a chain with its contracts, wallets and a short past. */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const chainId = options.chainId ?? 8453
  const anvil = await startSeeded(options, chainId)
  const fees = keepFees(anvil.rpcUrl)
  const stop = (): Promise<void> => {
    clearInterval(fees)
    return anvil.stop()
  }
  return { rpcUrl: anvil.rpcUrl, chainId, pid: anvil.pid, contracts, stop }
}

/** How often a chain that got stuck over its past is given up for a new one. */
const starts = 3

async function startSeeded(options: ChainOptions, chainId: number): Promise<Anvil> {
  for (let start = 1; ; start += 1) {
    const anvil = await startAnvil({
      chainId,
      port: options.port ?? 0,
      ...(options.anvilBinary === undefined ? {} : { binary: options.anvilBinary }),
      genesisTimestamp: nowSeconds() - historyBlocks * secondsPerBlock,
    })
    try {
      await seed(anvil.rpcUrl)
      return anvil
    } catch (error) {
      await anvil.stop()
      if (start === starts) throw error
    }
  }
}

// The clock of the chain is the machine's: what a wallet signs "until in a minute" is judged by it.
function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Sets the base fee of the next block to one of a calm day, a little different each time. */
function setFee(rpcUrl: string, round: number): Promise<unknown> {
  return rpc(rpcUrl, 'anvil_setNextBlockBaseFeePerGas', toHex(baseFeeWei + BigInt((round * 79_190) % 400_000)))
}

/** The fee of an empty chain falls to nothing in a minute, so each block is given one. */
function keepFees(rpcUrl: string): NodeJS.Timeout {
  let round: number = pauses.beforeNow
  const timer = setInterval(() => {
    setFee(rpcUrl, round++).catch(() => {
      // The chain is stopping, or too busy to care about its fees.
    })
  }, secondsPerBlock * 500)
  return timer.unref()
}

async function seed(rpcUrl: string): Promise<void> {
  const residents = ['ada', 'bela', 'chidi', 'dora', 'emil', 'fumi'].map(residentOf)
  const payer = walletOf('payer').address
  const holder = walletOf('holder').address
  const person = publicSubjects.person.address
  const { trader } = publicSubjects
  const actors = [operator, payer, holder, contracts.nativePair, exchangeWallet, positionManager, ...residents]
  const send = (steps: readonly Step[]): Promise<void> => sendSteps(rpcUrl, steps)
  const pass = (blocks: number): Promise<unknown> => rpc(rpcUrl, 'anvil_mine', toHex(blocks), toHex(secondsPerBlock))

  await rpcBatch(rpcUrl, [
    ...placed.map(([name, address]): RpcCall => ['anvil_setCode', address, artifacts[name].deployedBytecode]),
    ...actors.map((account) => balance(account, '2')),
    ['anvil_setCode', contracts.demoClone, cloneOf(contracts.demoVault)],
    ['anvil_setStorageAt', contracts.demoProxy, implementationSlot, toHex(BigInt(contracts.demoVault), { size: 32 })],
    balance(walletOf('facilitator').address, '1000'),
    balance(walletOf('stranger').address, '0.05'),
    balance(person, '4.2'),
    balance(trader, '1'),
  ])

  const { usdc, aero, cbBtc, weth, toolPass, nativeToken, stakedNative, smartWallet, nativePair, dead } = contracts
  await send([
    { from: operator, data: bytecodeOf('ToolPass') },
    { from: operator, data: encodeDeployData({ abi, bytecode: bytecodeOf('NativeToken'), args: [nativeSupply] }) },
    { from: operator, data: deployWith('StakedNative', nativeToken) },
    { from: operator, data: deployWith('SmartWallet', payer) },
    { from: operator, data: bytecodeOf('AgentCertRegistry') },
    certify(holder, '0x5eed'),
    certify(payer, '0xdead'),
    certify(person, '0xe5a0'),
    {
      from: operator,
      to: contracts.certificates,
      data: encodeFunctionData({ abi: certAbi, functionName: 'revoke', args: [payer] }),
    },
    { from: operator, to: usdc, data: encodeFunctionData({ abi, functionName: 'initialize', args: [operator] }) },
    mint(usdc, payer, parseUnits('1000', 6)),
    mint(usdc, holder, parseUnits('10', 6)),
    mint(usdc, smartWallet, parseUnits('100', 6)),
    mint(usdc, person, parseUnits('1250.5', 6)),
    mint(aero, person, parseUnits('300', 18)),
    mint(usdc, trader, parseUnits('40', 6)),
    ...fundedMagicWallets().map((address) => mint(usdc, address, parseUnits('10', 6))),
    mint(aero, payer, parseUnits('1500', 18)),
    mint(cbBtc, payer, parseUnits('0.25', 8)),
    { from: payer, to: weth, value: parseUnits('0.5', 18), data: encodeFunctionData({ abi: wethAbi }) },
    { from: operator, to: toolPass, data: encodeFunctionData({ abi: passAbi, args: [holder] }) },
    {
      from: operator,
      to: contracts.demoProxy,
      data: encodeFunctionData({ abi, functionName: 'initialize', args: [operator] }),
    },
    { from: operator, to: contracts.demoHoneypot, data: encodeFunctionData({ abi: honeypotAbi }) },
    ...approvalsOf(payer, residents[0] ?? holder),
    ...approvalsOf(trader, residents[1] ?? holder),
    transfer(operator, nativePair, '50000000'),
    transfer(operator, holder, '2500000'),
    transfer(operator, payer, '50000'),
    transfer(operator, exchangeWallet, '400000'),
    transfer(operator, positionManager, '200000'),
    ...residents.map((resident, index) => transfer(operator, resident, String(4_000_000 - index * 600_000))),
  ])
  await pass(pauses.afterDeployment)

  const stakers = [holder, ...residents.slice(0, 5)]
  await send(
    stakers.flatMap((from, index) => {
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
  )
  // A reward for the stakers: a share is worth more than the token it was bought with. By itself, because between
  // senders there is no order, and what comes before the first stake takes all the shares from those who stake.
  await send([transfer(operator, stakedNative, '210000')])
  await pass(pauses.afterStaking)

  await send([
    ...['1250000', '40000', '315000.5', '8000', '1', '77000'].map((amount, index) =>
      transfer(index % 2 === 0 ? operator : (residents[index] ?? operator), dead, amount),
    ),
    {
      from: operator,
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
    transfer(residents[3] ?? holder, exchangeWallet, '150000'),
    transfer(exchangeWallet, residents[4] ?? holder, '90000'),
    transfer(nativePair, positionManager, '80000'),
    transfer(positionManager, residents[2] ?? holder, '30000'),
    // To somebody who never does anything.
    transfer(operator, residentOf('gita'), '60000'),
  ])
  // The blocks that a fee history shows get a fee each. One call at a time: the chain works on the calls of a batch in
  // any order.
  for (let block = 0; block < pauses.beforeNow; block++) {
    await setFee(rpcUrl, block)
    await pass(1)
  }
  await setFee(rpcUrl, pauses.beforeNow)
  await rpc(rpcUrl, 'evm_setTime', nowSeconds())
}

/** Contracts whose code is put where the real ones are. */
const placed = [
  ['SandboxUSDC', contracts.usdc],
  ['Multicall3', contracts.multicall3],
  ['ToolRegistry8257', contracts.registry],
  ['ERC721OwnerPredicate', contracts.ownerPredicate],
  ['SandboxWETH', contracts.weth],
  ['GasPriceOracle', contracts.gasPriceOracle],
  ['SandboxAERO', contracts.aero],
  ['SandboxCbBTC', contracts.cbBtc],
  ['Permit2', contracts.permit2],
  ['DemoVault', contracts.demoVault],
  ['DemoProxy', contracts.demoProxy],
  ['DemoHoneypot', contracts.demoHoneypot],
] as const

/**
 * What the payer lets others spend: everything of one token, a part of another inside Permit2, and of a third no more.
 */
function approvalsOf(from: Address, friend: Address): readonly Step[] {
  const { usdc, aero, cbBtc, permit2, stakedNative } = contracts
  const approve = (to: Address, spender: Address, value: bigint): Step => {
    return { from, to, data: encodeFunctionData({ abi, functionName: 'approve', args: [spender, value] }) }
  }
  const inPermit2 = encodeFunctionData({ abi: permit2Abi, args: [usdc, stakedNative, parseUnits('75', 6), 2 ** 40] })
  return [
    approve(usdc, permit2, 2n ** 256n - 1n),
    { from, to: permit2, data: inPermit2 },
    approve(aero, friend, parseUnits('250', 18)),
    approve(cbBtc, friend, parseUnits('0.1', 8)),
    approve(cbBtc, friend, 0n),
  ]
}

/** The code of a minimal proxy (EIP-1167). */
function cloneOf(target: Address): Hex {
  return `0x363d3d373d3d3d363d73${target.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`
}

function balance(account: Address, ether: string): RpcCall {
  return ['anvil_setBalance', account, toHex(parseUnits(ether, 18))]
}

function bytecodeOf(
  name: keyof typeof artifacts & ('AgentCertRegistry' | 'ToolPass' | 'NativeToken' | 'StakedNative' | 'SmartWallet'),
): Hex {
  return artifacts[name].bytecode as Hex
}

function deployWith(name: 'StakedNative' | 'SmartWallet', argument: Address): Hex {
  return encodeDeployData({ abi: addressConstructor, bytecode: bytecodeOf(name), args: [argument] })
}

/** A certificate that does not expire; the hashes are those of invented documents. */
function certify(agent: Address, seed: Hex): Step {
  const args = [agent, keccak256(seed), keccak256(keccak256(seed)), 0n] as const
  return {
    from: operator,
    to: contracts.certificates,
    data: encodeFunctionData({ abi: certAbi, functionName: 'issue', args }),
  }
}

function mint(token: Address, to: Address, value: bigint): Step {
  return { from: operator, to: token, data: encodeFunctionData({ abi, functionName: 'mint', args: [to, value] }) }
}

function transfer(from: Address, to: Address, amount: string): Step {
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, parseUnits(amount, 18)] })
  return { from, to: contracts.nativeToken, data }
}
