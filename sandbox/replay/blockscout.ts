import { contracts } from '../addresses.ts'
import artifacts from '../contracts/artifacts.json' with { type: 'json' }
import type { LoopbackAnswer } from '../loopback.ts'
import { publicSubjects } from '../public-subjects.ts'
import { operator, walletOf } from '../wallets.ts'
import { etherUsd } from './market.ts'
import { segmentsOf, type Replay } from './replay.ts'

type Known = {
  readonly address: string
  readonly name: Exclude<keyof typeof artifacts, 'sourcesHash' | 'compiler'>
  /** Days since its source was published; null where nobody published it. */
  readonly verifiedDaysAgo: number | null
  readonly transactions: number
  readonly proxy?: { readonly type: string; readonly implementation: string; readonly name: string }
}

/** The contracts of the sandbox's chain, as its explorer knows them: all published but the honeypot and the clone. */
const known: readonly Known[] = [
  { address: contracts.usdc, name: 'SandboxUSDC', verifiedDaysAgo: 400, transactions: 91_204 },
  { address: contracts.weth, name: 'SandboxWETH', verifiedDaysAgo: 400, transactions: 80_151 },
  { address: contracts.aero, name: 'SandboxAERO', verifiedDaysAgo: 300, transactions: 30_442 },
  { address: contracts.cbBtc, name: 'SandboxCbBTC', verifiedDaysAgo: 200, transactions: 12_817 },
  { address: contracts.permit2, name: 'Permit2', verifiedDaysAgo: 390, transactions: 55_310 },
  { address: contracts.multicall3, name: 'Multicall3', verifiedDaysAgo: 410, transactions: 48_020 },
  { address: contracts.registry, name: 'ToolRegistry8257', verifiedDaysAgo: 30, transactions: 620 },
  { address: contracts.ownerPredicate, name: 'ERC721OwnerPredicate', verifiedDaysAgo: 30, transactions: 41 },
  { address: contracts.toolPass, name: 'ToolPass', verifiedDaysAgo: 21, transactions: 310 },
  { address: contracts.nativeToken, name: 'NativeToken', verifiedDaysAgo: 14, transactions: 9_023 },
  { address: contracts.stakedNative, name: 'StakedNative', verifiedDaysAgo: 13, transactions: 1_204 },
  { address: contracts.smartWallet, name: 'SmartWallet', verifiedDaysAgo: 9, transactions: 12 },
  { address: contracts.certificates, name: 'AgentCertRegistry', verifiedDaysAgo: 7, transactions: 33 },
  { address: contracts.demoVault, name: 'DemoVault', verifiedDaysAgo: 3, transactions: 4 },
  {
    address: contracts.demoProxy,
    name: 'DemoProxy',
    verifiedDaysAgo: 2,
    transactions: 87,
    proxy: { type: 'eip1967', implementation: contracts.demoVault, name: 'DemoVault' },
  },
  { address: contracts.demoHoneypot, name: 'DemoHoneypot', verifiedDaysAgo: null, transactions: 212 },
]

const compiler = { compiler_version: 'v0.8.37', evm_version: 'cancun', language: 'solidity', license_type: 'mit' }
const day = 86_400_000

type TokenRow = readonly [address: string, name: string, symbol: string, decimals: string, holders: number, usd: number]

/** A token is priced as the sandbox's other services price it, where they do. */
const tokens: readonly TokenRow[] = [
  [contracts.usdc, 'USD Coin', 'USDC', '6', 4_811_022, 0.9998],
  [contracts.weth, 'Wrapped Ether', 'WETH', '18', 3_104_550, etherUsd],
  [contracts.aero, 'Aerodrome', 'AERO', '18', 812_377, 0.6974],
  [contracts.cbBtc, 'Coinbase Wrapped BTC', 'cbBTC', '8', 640_118, 85_110.25],
  ...Array.from({ length: 16 }, (_value, index): TokenRow => [
    `0x${(0xbeef_0000 + index).toString(16).padStart(40, '0')}`,
    `Sandbox Token ${index + 1}`,
    `SBX${index + 1}`,
    '18',
    90_000 - index * 4_700,
    round(1.9 / (index + 1)),
  ]),
]

/** The Blockscout explorer, of a network as lively as an ordinary day makes it. */
export const blockscout: Replay = {
  name: 'BLOCKSCOUT',
  notFound: { message: 'Not found' },
  answer({ path, query }, { now }) {
    const [api, version, kind, id, part] = segmentsOf(path)
    if (api === 'api' && version === undefined && query.get('action') === 'txlist') {
      return ok(firstOf(query.get('address') ?? '', now))
    }
    if (api !== 'api' || version !== 'v2') return undefined
    const at = (daysAgo: number): string => new Date(now.getTime() - daysAgo * day).toISOString()
    if (kind === 'stats' && id === undefined) return ok(stats)
    if (kind === 'stats' && id === 'charts' && part === 'transactions') return ok({ chart_data: chart(at) })
    if (kind === 'smart-contracts') return id === undefined ? ok(newest(at)) : contractOf(id, at)
    if (kind === 'tokens' && id === undefined)
      return ok({ items: tokenRows(query.get('type')), next_page_params: null })
    if (kind === 'addresses' && id !== undefined) return part === 'counters' ? countersOf(id) : addressOf(id)
    return undefined
  },
}

function ok(body: unknown): LoopbackAnswer {
  return { status: 200, body }
}

function find(address: string): Known | undefined {
  return known.find((one) => one.address.toLowerCase() === address.toLowerCase())
}

function contractOf(address: string, at: (daysAgo: number) => string): LoopbackAnswer | undefined {
  if (address.toLowerCase() === contracts.demoClone.toLowerCase()) {
    const implementations = [{ address_hash: contracts.demoVault, name: 'DemoVault' }]
    return ok({ deployed_bytecode: '0x', creation_bytecode: null, proxy_type: 'eip1167', implementations })
  }
  const contract = find(address)
  if (contract === undefined) return undefined
  const { name, verifiedDaysAgo, proxy } = contract
  const { abi, bytecode, deployedBytecode } = artifacts[name]
  const code = { deployed_bytecode: deployedBytecode, creation_bytecode: bytecode, creation_status: 'success' }
  const implementations = proxy === undefined ? [] : [{ address_hash: proxy.implementation, name: proxy.name }]
  const shape = { ...code, proxy_type: proxy?.type ?? null, implementations }
  if (verifiedDaysAgo === null) return ok(shape)
  return ok({
    ...shape,
    ...compiler,
    name,
    abi,
    is_verified: true,
    is_fully_verified: true,
    is_partially_verified: false,
    is_verified_via_sourcify: false,
    is_verified_via_eth_bytecode_db: false,
    is_verified_via_verifier_alliance: false,
    is_changed_bytecode: false,
    verified_twin_address_hash: null,
    optimization_enabled: true,
    optimization_runs: 200,
    verified_at: at(verifiedDaysAgo),
    file_path: `${name}.sol`,
    source_code: `// The source of ${name} is in the sandbox's folder of contracts.\n`,
    additional_sources: [],
  })
}

function newest(at: (daysAgo: number) => string): unknown {
  const verified = known.flatMap((one) => (one.verifiedDaysAgo === null ? [] : [{ ...one, days: one.verifiedDaysAgo }]))
  return {
    items: verified
      .toSorted((a, b) => a.days - b.days)
      .map(({ address, name, days, transactions, proxy }) => ({
        address: {
          hash: address,
          name,
          is_contract: true,
          is_verified: true,
          proxy_type: proxy?.type ?? null,
          implementations: proxy === undefined ? [] : [{ address_hash: proxy.implementation, name: proxy.name }],
        },
        ...compiler,
        optimization_enabled: true,
        transactions_count: transactions,
        verified_at: at(days),
        coin_balance: '0',
        market_cap: null,
      })),
    next_page_params: null,
  }
}

function addressOf(address: string): LoopbackAnswer | undefined {
  const contract = find(address)
  // The explorer has seen every account that its chain has.
  const isClone = address.toLowerCase() === contracts.demoClone.toLowerCase()
  const isHoneypot = contract?.name === 'DemoHoneypot'
  return ok({
    hash: address,
    is_contract: contract !== undefined || isClone,
    is_verified: contract !== undefined && contract.verifiedDaysAgo !== null,
    name: contract === undefined || contract.verifiedDaysAgo === null ? null : contract.name,
    coin_balance: '0',
    creator_address_hash: contract === undefined ? null : operator,
    creation_transaction_hash: null,
    ens_domain_name: null,
    is_scam: false,
    reputation: isHoneypot ? 'spam' : 'ok',
    public_tags: isHoneypot ? [{ label: 'reported', display_name: 'Reported' }] : [],
    proxy_type: contract?.proxy?.type ?? (isClone ? 'eip1167' : null),
    implementations: [],
    token: null,
  })
}

/** Accounts that have been on the chain for a while; everybody else never did anything, the stranger included. */
const regulars: ReadonlySet<string> = new Set(
  [
    ...(['payer', 'holder', 'facilitator', 'operator', 'payTo'] as const).map((name) => walletOf(name).address),
    publicSubjects.person.address,
  ].map((address) => address.toLowerCase()),
)

function transactionsOf(address: string): number | undefined {
  return find(address)?.transactions ?? (regulars.has(address.toLowerCase()) ? 24 : undefined)
}

function countersOf(address: string): LoopbackAnswer | undefined {
  const transactions = transactionsOf(address)
  if (transactions === undefined) return undefined
  return ok({
    transactions_count: String(transactions),
    token_transfers_count: String(transactions * 2),
    gas_usage_count: String(transactions * 61_000),
    validations_count: '0',
  })
}

/** Whoever did something came to the chain two hundred days ago. */
function firstOf(address: string, now: Date): unknown {
  if (transactionsOf(address) === undefined) return { message: 'No transactions found', result: [], status: '0' }
  const timeStamp = String(Math.floor((now.getTime() - 200 * day) / 1000))
  return { message: 'OK', result: [{ timeStamp, from: address, isError: '0' }], status: '1' }
}

const stats = {
  sandbox: true,
  average_block_time: 2_000,
  coin_price: String(etherUsd),
  gas_prices: { slow: 0.006, average: 0.0062, fast: 0.0075 },
  gas_used_today: '8410223904417',
  market_cap: '0',
  network_utilization_percentage: 31.4,
  total_addresses: '412880113',
  total_blocks: '39000210',
  total_transactions: '3920114502',
  transactions_today: '8412377',
  tvl: null,
} as const

function chart(at: (daysAgo: number) => string): readonly unknown[] {
  return Array.from({ length: 30 }, (_value, index) => ({
    date: at(index + 1).slice(0, 10),
    transactions_count: 8_400_000 + ((index * 7_919) % 13) * 61_000 - index * 9_000,
  }))
}

function tokenRows(type: string | null): readonly unknown[] {
  if (type !== null && type !== 'ERC-20') return []
  return tokens.map(([address_hash, name, symbol, decimals, holders, usd], index) => ({
    address_hash,
    name,
    symbol,
    decimals,
    holders_count: String(holders),
    transfers_count: String(holders * 9),
    exchange_rate: String(usd),
    volume_24h: String(round(holders * usd * 3.1)),
    circulating_market_cap: String(round(40_000_000_000 / (index + 1))),
    total_supply: '1000000000000000000000000000',
    type: 'ERC-20',
    icon_url: null,
    reputation: 'ok',
  }))
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
