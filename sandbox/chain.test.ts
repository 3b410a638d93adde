import { createPublicClient, createWalletClient, http, parseAbi, parseSignature, toHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { contracts } from './addresses.ts'
import { startChain, type Chain } from './chain.ts'
import { registerTools } from './registry.ts'
import { poll, rpc } from './rpc.ts'
import { signAuthorization, usdcBalance, type SignedAuthorization } from './sign.ts'
import { demoWallets, operator, walletOf } from './wallets.ts'

const { payer, holder, stranger } = demoWallets()
const payTo = walletOf('payTo').address
const { usdc, smartWallet } = contracts
const usdcDomain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdc } as const

const usdcAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
])
const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
])
const registryAbi = parseAbi([
  'struct ToolConfig { address creator; string metadataURI; bytes32 manifestHash; address accessPredicate; }',
  'function getToolConfig(uint256 toolId) view returns (ToolConfig)',
  'function tryHasAccess(uint256 toolId, address account, bytes data) view returns (bool ok, bool granted)',
  'function supportsInterface(bytes4) view returns (bool)',
  'function registerTool(string metadataURI, bytes32 manifestHash, address accessPredicate) returns (uint256 toolId)',
  'error ToolNotFound(uint256 toolId)',
  'error InvalidAccessPredicate(address predicate)',
])
const predicateAbi = parseAbi([
  'struct AccessRequirement { bytes4 kind; bytes data; string label; }',
  'function getRequirements(uint256 toolId) view returns (AccessRequirement[] requirements, uint8 logic)',
  'function supportsInterface(bytes4) view returns (bool)',
])

let chain: Chain
let reader: ReturnType<typeof createPublicClient>

beforeAll(async () => {
  const started = performance.now()
  chain = await startChain()
  console.error(`The chain was ready after ${Math.round(performance.now() - started)} ms.`)
  reader = createPublicClient({ transport: http(chain.rpcUrl) })
})

afterAll(() => chain.stop())

type Overload = 'vrs' | 'bytes'

function argsOf({ authorization, signature }: SignedAuthorization, overload: Overload) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const terms = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const
  if (overload === 'bytes') return [...terms, signature] as const
  const { r, s, v, yParity } = parseSignature(signature)
  return [...terms, Number(v ?? BigInt(yParity + 27)), r, s] as const
}

/** Sends the transfer from the stranger's account; anyone may. */
async function transfer(signed: SignedAuthorization, overload: Overload = 'vrs'): Promise<void> {
  const account = privateKeyToAccount(stranger.privateKey)
  const { request } = await reader.simulateContract({
    account,
    address: usdc,
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: argsOf(signed, overload),
  })
  const hash = await createWalletClient({ account, transport: http(chain.rpcUrl) }).writeContract({
    ...request,
    chain: null,
  })
  const mined = (): Promise<unknown> => rpc(chain.rpcUrl, 'eth_getTransactionReceipt', hash)
  await poll(async () => (await mined()) ?? undefined, 'the transfer', 5_000)
}

function stateOf({ authorization: { from, nonce } }: SignedAuthorization): Promise<boolean> {
  return reader.readContract({ address: usdc, abi: usdcAbi, functionName: 'authorizationState', args: [from, nonce] })
}

describe('the clock and the past of the chain', () => {
  it('keeps the time of the machine, so that an authorization ends when its signer meant', async () => {
    const block = await reader.getBlock()
    expect(Math.abs(Number(block.timestamp) - Date.now() / 1000)).toBeLessThan(5)
  })

  it('has blocks two seconds apart and fees like those of Base for a fee history', async () => {
    const history = await reader.getFeeHistory({ blockCount: 20, rewardPercentiles: [50] })
    expect(history.gasUsedRatio).toHaveLength(20)
    expect(history.baseFeePerGas.every((fee) => fee > 4_000_000n && fee < 8_000_000n)).toBe(true)
    const last = await reader.getBlockNumber()
    const [late, early] = await Promise.all([
      reader.getBlock({ blockNumber: last - 2n }),
      reader.getBlock({ blockNumber: last - 12n }),
    ])
    // The chain lives on meanwhile, by a clock of whole seconds.
    expect(Math.abs(Number(late.timestamp - early.timestamp) - 20)).toBeLessThanOrEqual(2)
  })

  it('gives each demo wallet what its name promises', async () => {
    expect(await usdcBalance(chain.rpcUrl, payer.address)).toBe(1_000_000_000n)
    expect(await usdcBalance(chain.rpcUrl, holder.address)).toBe(10_000_000n)
    expect(await usdcBalance(chain.rpcUrl, stranger.address)).toBe(0n)
    expect(await usdcBalance(chain.rpcUrl, payTo)).toBe(0n)
    const passes = (of: Hex): Promise<bigint> =>
      reader.readContract({ address: contracts.toolPass, abi: tokenAbi, functionName: 'balanceOf', args: [of] })
    expect([await passes(holder.address), await passes(payer.address)]).toEqual([1n, 0n])
    expect(await reader.getBalance({ address: stranger.address })).toBeGreaterThan(0n)
  })

  it('has the tokens of a portfolio at their real addresses with their real decimals', async () => {
    const results = await Promise.all(
      [contracts.weth, contracts.aero, contracts.cbBtc].map(async (address) => [
        await reader.readContract({ address, abi: tokenAbi, functionName: 'symbol' }),
        await reader.readContract({ address, abi: tokenAbi, functionName: 'decimals' }),
        await reader.readContract({ address, abi: tokenAbi, functionName: 'balanceOf', args: [payer.address] }),
      ]),
    )
    expect(results).toEqual([
      ['WETH', 18, 500_000_000_000_000_000n],
      ['AERO', 18, 1_500_000_000_000_000_000_000n],
      ['cbBTC', 8, 25_000_000n],
    ])
  })

  it('has burns, stakers with a gain and trades of the native token to find', async () => {
    const { nativeToken, dead, nativePair, stakedNative } = contracts
    const event = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])[0]
    const find = (args: { readonly from?: Hex; readonly to?: Hex }): Promise<unknown[]> =>
      reader.getLogs({ address: nativeToken, event, args, fromBlock: 0n })
    expect(await find({ to: dead })).toHaveLength(6)
    expect(await find({ to: stakedNative })).toHaveLength(7)
    expect(await find({ from: nativePair })).toHaveLength(4)
    const one = 10n ** 18n
    expect(
      await reader.readContract({ address: stakedNative, abi: tokenAbi, functionName: 'convertToAssets', args: [one] }),
    ).toBeGreaterThan(one)
  })

  it('answers many reads in one through Multicall3', async () => {
    const results = await reader.multicall({
      multicallAddress: contracts.multicall3,
      contracts: [
        { address: usdc, abi: usdcAbi, functionName: 'name' },
        { address: usdc, abi: usdcAbi, functionName: 'version' },
        { address: contracts.dead, abi: usdcAbi, functionName: 'decimals' },
      ],
    })
    expect(results.map(({ result }) => result)).toEqual(['USD Coin', '2', undefined])
  })
})

describe("the sandbox's USDC, in the words of the real one", () => {
  it.each(['vrs', 'bytes'] as const)('moves the money once for a signature given as %s', async (overload) => {
    const before = await usdcBalance(chain.rpcUrl, payTo)
    const signed = await signAuthorization({ wallet: payer, to: payTo, value: 25_000n })
    expect(await stateOf(signed)).toBe(false)
    await transfer(signed, overload)
    expect(await usdcBalance(chain.rpcUrl, payTo)).toBe(before + 25_000n)
    expect(await stateOf(signed)).toBe(true)
    await expect(transfer(signed, overload)).rejects.toThrow('FiatTokenV2: authorization is used or canceled')
  })

  it('moves the money of a contract wallet whose owner signed, and of no other', async () => {
    const before = await usdcBalance(chain.rpcUrl, smartWallet)
    await transfer(await signAuthorization({ wallet: payer, from: smartWallet, to: payTo, value: 1_000n }), 'bytes')
    expect(await usdcBalance(chain.rpcUrl, smartWallet)).toBe(before - 1_000n)
    const foreign = await signAuthorization({ wallet: stranger, from: smartWallet, to: payTo, value: 1_000n })
    await expect(transfer(foreign, 'bytes')).rejects.toThrow('FiatTokenV2: invalid signature')
  })

  it('takes a transfer of nothing, which uses up the nonce', async () => {
    const signed = await signAuthorization({ wallet: stranger, to: payTo, value: 0n })
    await transfer(signed)
    expect(await stateOf(signed)).toBe(true)
  })

  const inAnHour = BigInt(Math.floor(Date.now() / 1000) + 3_600)
  it.each([
    ['an expired authorization', { validBefore: 1n }, 'FiatTokenV2: authorization is expired'],
    ['one for later', { validAfter: inAnHour }, 'FiatTokenV2: authorization is not yet valid'],
    ['more than there is', { value: 10n ** 12n }, 'ERC20: transfer amount exceeds balance'],
    ['another chain', { chainId: 1 }, 'FiatTokenV2: invalid signature'],
    ['another name', { name: 'USDC' }, 'FiatTokenV2: invalid signature'],
    ["another's money", { from: holder.address }, 'FiatTokenV2: invalid signature'],
  ])('refuses %s', async (_, terms, reason) => {
    await expect(transfer(await signAuthorization({ wallet: payer, to: payTo, value: 1n, ...terms }))).rejects.toThrow(
      reason,
    )
  })

  it('refuses a cancelled authorization', async () => {
    const signed = await signAuthorization({ wallet: payer, to: payTo, value: 1n })
    const { nonce } = signed.authorization
    const account = privateKeyToAccount(payer.privateKey)
    const signature = await account.signTypedData({
      domain: usdcDomain,
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: payer.address, nonce },
    })
    const hash = await createWalletClient({ account, transport: http(chain.rpcUrl) }).writeContract({
      chain: null,
      address: usdc,
      abi: usdcAbi,
      functionName: 'cancelAuthorization',
      args: [payer.address, nonce, signature],
    })
    await reader.waitForTransactionReceipt({ hash, pollingInterval: 20, timeout: 5_000 })
    await expect(transfer(signed)).rejects.toThrow('FiatTokenV2: authorization is used or canceled')
  })

  it('refuses the mirrored form of a signature', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const { authorization, signature } = await signAuthorization({ wallet: payer, to: payTo, value: 1n })
    const { r, s, yParity } = parseSignature(signature)
    const mirrored: Hex = `${r}${toHex(order - BigInt(s), { size: 32 }).slice(2)}${yParity === 0 ? '1c' : '1b'}`
    await expect(transfer({ authorization, signature: mirrored })).rejects.toThrow(
      "ECRecover: invalid signature 's' value",
    )
  })

  it('lets nobody but the payee use an authorization to receive', async () => {
    const { authorization, signature } = await signAuthorization({ wallet: payer, to: payTo, value: 1n })
    await expect(
      reader.simulateContract({
        account: stranger.address,
        address: usdc,
        abi: usdcAbi,
        functionName: 'receiveWithAuthorization',
        args: argsOf({ authorization, signature }, 'bytes') as never,
      }),
    ).rejects.toThrow('FiatTokenV2: caller must be the payee')
  })

  it('lets a spender take what a permit allows', async () => {
    const account = privateKeyToAccount(payer.privateKey)
    const terms = { owner: payer.address, spender: stranger.address, value: 77n, deadline: inAnHour }
    const signature = await account.signTypedData({
      domain: usdcDomain,
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { ...terms, nonce: 0n },
    })
    const permit = (value: bigint): Promise<unknown> =>
      reader.simulateContract({
        account: stranger.address,
        address: usdc,
        abi: usdcAbi,
        functionName: 'permit',
        args: [terms.owner, terms.spender, value, terms.deadline, signature],
      })
    await expect(permit(77n)).resolves.toBeDefined()
    await expect(permit(78n)).rejects.toThrow('EIP2612: invalid signature')
  })
})

describe('the registry of tools', () => {
  const tool = {
    metadataURI: 'http://127.0.0.1:8402/.well-known/ai-tool/ask.json',
    manifestHash: toHex(1n, { size: 32 }),
  }
  const read = { address: contracts.registry, abi: registryAbi } as const

  it('registers tools, opens one with a pass to its holder and the other to everyone', async () => {
    const [gated = 0n, open = 0n] = await registerTools(chain.rpcUrl, [
      { ...tool, opensWithPass: true },
      { ...tool, opensWithPass: false },
    ])
    expect([gated, open]).toEqual([1n, 2n])
    expect(await reader.readContract({ ...read, functionName: 'getToolConfig', args: [gated] })).toEqual({
      creator: operator,
      metadataURI: tool.metadataURI,
      manifestHash: tool.manifestHash,
      accessPredicate: contracts.ownerPredicate,
    })
    const access = (id: bigint, account: Hex): Promise<readonly [boolean, boolean]> =>
      reader.readContract({ ...read, functionName: 'tryHasAccess', args: [id, account, '0x'] })
    expect(await access(gated, holder.address)).toEqual([true, true])
    expect(await access(gated, stranger.address)).toEqual([true, false])
    expect(await access(open, stranger.address)).toEqual([true, true])
    await expect(access(9n, holder.address)).rejects.toThrow('ToolNotFound')
    const [requirements, logic] = await reader.readContract({
      address: contracts.ownerPredicate,
      abi: predicateAbi,
      functionName: 'getRequirements',
      args: [gated],
    })
    expect(requirements[0]).toMatchObject({ kind: '0xbdf8c428' })
    expect(requirements[0]?.data.toLowerCase()).toContain(contracts.toolPass.slice(2).toLowerCase())
    expect(logic).toBe(1)
  })

  it('takes a predicate without code at its word, and refuses a contract that says it is none', async () => {
    const register = { ...read, functionName: 'registerTool', account: operator } as const
    const hash = tool.manifestHash
    await expect(
      reader.simulateContract({ ...register, args: [tool.metadataURI, hash, contracts.registry] }),
    ).rejects.toThrow('InvalidAccessPredicate')
    const { result } = await reader.simulateContract({ ...register, args: [tool.metadataURI, hash, contracts.dead] })
    expect(result).toBe(3n)
  })

  it('speaks ERC-165 with the ids of the standard', async () => {
    const speaks = (address: Hex, id: Hex): Promise<boolean> =>
      reader.readContract({ address, abi: registryAbi, functionName: 'supportsInterface', args: [id] })
    expect(await speaks(contracts.registry, '0xf1dc8075')).toBe(true)
    expect(await speaks(contracts.ownerPredicate, '0xbdf9dc18')).toBe(true)
    expect(await speaks(contracts.ownerPredicate, '0xf1dc8075')).toBe(false)
  })
})
