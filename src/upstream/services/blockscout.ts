import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { HttpRequest } from '../http/client.ts'
import type { BoundHttp } from '../http/bound.ts'

/** How the explorer came by a contract's source: it was sent for this address, or known from elsewhere. */
type BlockscoutMethod = 'source_published' | 'bytecode_match' | 'sourcify' | 'verifier_alliance'

/** What the explorer says of a contract. Names and source are text of whoever published them: untrusted. */
type BlockscoutContract = {
  readonly isVerified: boolean
  readonly match: 'full' | 'partial' | null
  /** Null where the contract is not verified. */
  readonly method: BlockscoutMethod | null
  readonly name: string | null
  readonly language: string | null
  readonly compilerVersion: string | null
  readonly evmVersion: string | null
  readonly optimizationEnabled: boolean | null
  readonly optimizationRuns: number | null
  readonly licenseType: string | null
  readonly verifiedAt: string | null
  /** The code on the chain is no longer the one that was verified. */
  readonly isChangedBytecode: boolean
  /** A contract with the same bytecode that was verified. */
  readonly twin: string | null
  readonly proxyType: string | null
  readonly implementations: readonly { readonly address: string; readonly name: string | null }[]
  readonly abi: readonly unknown[] | null
  readonly mainFile: string | null
  /** Paths and lengths in characters, the main file first. */
  readonly files: readonly { readonly path: string; readonly characters: number }[]
  readonly fetchedAt: Date
}

/** What the explorer says of an address, contract or not. */
type BlockscoutAddress = {
  readonly hash: string
  /** Also true for an account that delegates by EIP-7702. */
  readonly isContract: boolean
  readonly isVerified: boolean
  readonly name: string | null
  readonly ensName: string | null
  readonly balanceWei: string | null
  readonly creator: string | null
  readonly creationTransaction: string | null
  readonly isScam: boolean
  readonly reputation: string | null
  readonly tags: readonly string[]
  readonly token: { readonly name: string | null; readonly symbol: string | null; readonly type: string | null } | null
  readonly fetchedAt: Date
}

type BlockscoutCounters = {
  readonly transactions: number | null
  readonly tokenTransfers: number | null
  readonly gasUsed: string | null
}

type BlockscoutStats = {
  readonly totalBlocks: number | null
  readonly totalTransactions: number | null
  readonly totalAddresses: number | null
  readonly averageBlockTimeMs: number | null
  readonly gasUsedToday: string | null
  /** In gwei. */
  readonly gasPrices: {
    readonly slow: number | null
    readonly average: number | null
    readonly fast: number | null
  } | null
  readonly marketCap: string | null
  readonly tvl: string | null
  readonly fetchedAt: Date
}

/** One row of the list of newly verified contracts. */
type BlockscoutNewContract = {
  readonly address: string
  readonly name: string | null
  readonly compilerVersion: string | null
  readonly optimizationEnabled: boolean | null
  readonly transactions: number | null
  readonly verifiedAt: string | null
  readonly proxyType: string | null
  readonly implementation: string | null
}

type BlockscoutToken = {
  readonly address: string
  readonly name: string | null
  readonly symbol: string | null
  readonly holders: number | null
  readonly transfers: number | null
  readonly priceUsd: number | null
  readonly volume24hUsd: number | null
  readonly marketCapUsd: number | null
  readonly type: string | null
  readonly decimals: number | null
}

/** The Blockscout explorer of Base. Each method is one request unless it says more. @throws UpstreamError */
export type Blockscout = {
  /** The address of the explorer's pages, without a slash at the end. */
  readonly origin: string
  /** Null where the explorer knows no contract there. */
  readonly contract: (address: string) => Promise<BlockscoutContract | null>
  /** Null where the explorer has never seen the address. */
  readonly address: (address: string) => Promise<BlockscoutAddress | null>
  readonly counters: (address: string) => Promise<BlockscoutCounters | null>
  /** When the address was first part of a transaction; null where it never was. */
  readonly firstTransaction: (address: string) => Promise<Date | null>
  readonly stats: () => Promise<BlockscoutStats>
  /** The newest verified contracts, newest first. */
  readonly newContracts: () => Promise<readonly BlockscoutNewContract[]>
  /** ERC-20 tokens by market value; one request per page of 50. */
  readonly tokens: (pages: number) => Promise<readonly BlockscoutToken[]>
  /** The largest holders of an ERC-20 token, at most 50, and how many there are in all; two requests. Null where it is none. */
  readonly holders: (
    token: string,
  ) => Promise<{ readonly largest: readonly string[]; readonly total: number | null; readonly fetchedAt: Date } | null>
  /** Transactions per day, oldest first. */
  readonly dailyTransactions: () => Promise<readonly { readonly date: string; readonly transactions: number }[]>
}

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)
const number = z
  .union([z.number(), z.string().min(1).transform(Number)])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined || !Number.isFinite(value) ? null : value))
const flag = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)
const implementations = z
  .array(
    z
      .looseObject({ address_hash: text, address: text, name: text })
      .transform(({ address_hash, address, name }) => ({ address: address_hash ?? address, name })),
  )
  .nullish()
  .catch(null)
  .transform((rows) => (rows ?? []).flatMap(({ address, name }) => (address === null ? [] : [{ address, name }])))

const contractSchema = z
  .looseObject({
    name: text,
    language: text,
    compiler_version: text,
    evm_version: text,
    optimization_enabled: flag,
    optimization_runs: number,
    license_type: text,
    verified_at: text,
    is_verified: flag,
    is_fully_verified: flag,
    is_partially_verified: flag,
    is_verified_via_sourcify: flag,
    is_verified_via_eth_bytecode_db: flag,
    is_verified_via_verifier_alliance: flag,
    is_changed_bytecode: flag,
    verified_twin_address_hash: text,
    proxy_type: text,
    implementations,
    abi: z.array(z.unknown()).nullish().catch(null),
    source_code: text,
    file_path: text,
    additional_sources: z
      .array(z.looseObject({ file_path: z.string(), source_code: z.string() }))
      .nullish()
      .catch(null),
    deployed_bytecode: text,
    creation_bytecode: text,
  })
  // A rate limit can come as status 200 with a message and nothing else.
  .refine(
    (body) =>
      body.is_verified !== null ||
      body.deployed_bytecode !== null ||
      body.creation_bytecode !== null ||
      body.proxy_type !== null ||
      Array.isArray(body.abi),
  )

const addressSchema = z.looseObject({
  hash: z.string(),
  is_contract: flag,
  is_verified: flag,
  name: text,
  ens_domain_name: text,
  coin_balance: text,
  creator_address_hash: text,
  creation_transaction_hash: text,
  creation_tx_hash: text,
  is_scam: flag,
  reputation: text,
  public_tags: z
    .array(z.union([z.string(), z.looseObject({ display_name: z.string() }).transform((tag) => tag.display_name)]))
    .nullish()
    .catch(null),
  token: z.looseObject({ name: text, symbol: text, type: text }).nullish().catch(null),
})

const countersSchema = z.looseObject({
  transactions_count: z.union([z.string(), z.number()]).transform(Number),
  token_transfers_count: number,
  gas_usage_count: text,
})

/** The older interface of explorers: status 0 is also how it says that there is nothing. */
const firstTransactionSchema = z.union([
  z.looseObject({
    status: z.literal('1'),
    result: z.tuple([z.looseObject({ timeStamp: z.string().regex(/^\d{1,12}$/) })]).rest(z.unknown()),
  }),
  z.looseObject({ status: z.literal('0'), result: z.array(z.unknown()).max(0), message: z.string().regex(/^No /) }),
])

// An object with the price in newer versions. `number` takes everything, so it stands last.
const gasPrice = z.union([z.looseObject({ price: number }).transform(({ price }) => price), number])
const statsSchema = z
  .looseObject({
    total_blocks: number,
    total_transactions: number,
    total_addresses: number,
    average_block_time: number,
    gas_used_today: text,
    gas_prices: z.looseObject({ slow: gasPrice, average: gasPrice, fast: gasPrice }).nullish().catch(null),
    market_cap: text,
    tvl: text,
  })
  .refine((body) => body.total_blocks !== null || body.total_transactions !== null)

const newContractsSchema = z.looseObject({
  items: z.array(
    z.looseObject({
      address: z.looseObject({ hash: z.string(), name: text, implementations, proxy_type: text }),
      compiler_version: text,
      optimization_enabled: flag,
      transactions_count: number,
      transaction_count: number,
      tx_count: number,
      verified_at: text,
    }),
  ),
})

const tokensSchema = z.looseObject({
  items: z.array(
    z.looseObject({
      address_hash: text,
      address: text,
      name: text,
      symbol: text,
      holders_count: number,
      holders: number,
      transfers_count: number,
      exchange_rate: number,
      volume_24h: number,
      circulating_market_cap: number,
      type: text,
      decimals: number,
    }),
  ),
  next_page_params: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .nullish()
    .catch(null),
})

const holdersSchema = z.looseObject({
  items: z.array(z.looseObject({ address: z.looseObject({ hash: z.string() }) })),
})
const holdersCountSchema = z
  .looseObject({ holders_count: number, holders: number, total_supply: text, type: text })
  .refine((body) => body.type !== null || body.total_supply !== null)

const chartSchema = z.looseObject({
  chart_data: z.array(
    z
      .looseObject({ date: z.string(), transactions_count: number, transaction_count: number, tx_count: number })
      .transform((row) => ({
        date: row.date,
        transactions: row.transactions_count ?? row.transaction_count ?? row.tx_count,
      })),
  ),
})

/** Source of a contract with its libraries can be large; only facts of it are kept. */
const maxBytes = 8 * 1024 * 1024

/** Builds the client of the Blockscout explorer. */
export function createBlockscout({ http }: { readonly http: BoundHttp }): Blockscout {
  async function read<S extends z.ZodType>(
    schema: S,
    request: HttpRequest,
  ): Promise<{ readonly data: z.output<S>; readonly fetchedAt: Date } | null> {
    const { status, body, fetchedAt } = await http.request({ maxBytes, accept: [404], ...request })
    if (status === 404) return null
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new UpstreamError('blockscout', undefined, { cause: parsed.error })
    return { data: parsed.data, fetchedAt }
  }

  /** As `read`, where the path always exists. */
  async function readAlways<S extends z.ZodType>(schema: S, request: HttpRequest) {
    const answer = await read(schema, { accept: [], ...request })
    if (answer === null) throw new UpstreamError('blockscout')
    return answer
  }

  return {
    origin: http.origin,

    contract: async (address) => {
      const answer = await read(contractSchema, { path: `/api/v2/smart-contracts/${address}`, ttlMs: 300_000 })
      if (answer === null) return null
      const { data, fetchedAt } = answer
      const isVerified = data.is_verified ?? false
      const files =
        data.source_code === null ? [] : [{ path: data.file_path ?? '', characters: data.source_code.length }]
      return {
        isVerified,
        match: data.is_fully_verified === true ? 'full' : data.is_partially_verified === true ? 'partial' : null,
        method: isVerified ? methodOf(data) : null,
        name: data.name,
        language: data.language,
        compilerVersion: data.compiler_version,
        evmVersion: data.evm_version,
        optimizationEnabled: data.optimization_enabled,
        optimizationRuns: data.optimization_runs,
        licenseType: data.license_type,
        verifiedAt: data.verified_at,
        isChangedBytecode: data.is_changed_bytecode ?? false,
        twin: data.verified_twin_address_hash,
        proxyType: data.proxy_type,
        implementations: data.implementations,
        abi: data.abi ?? null,
        mainFile: data.file_path,
        files: [
          ...files,
          ...(data.additional_sources ?? []).map(({ file_path, source_code }) => ({
            path: file_path,
            characters: source_code.length,
          })),
        ],
        fetchedAt,
      }
    },

    address: async (address) => {
      const answer = await read(addressSchema, { path: `/api/v2/addresses/${address}` })
      if (answer === null) return null
      const { data, fetchedAt } = answer
      return {
        hash: data.hash,
        isContract: data.is_contract ?? false,
        isVerified: data.is_verified ?? false,
        name: data.name,
        ensName: data.ens_domain_name,
        balanceWei: data.coin_balance,
        creator: data.creator_address_hash,
        creationTransaction: data.creation_transaction_hash ?? data.creation_tx_hash,
        isScam: data.is_scam ?? false,
        reputation: data.reputation,
        tags: data.public_tags ?? [],
        token: data.token ?? null,
        fetchedAt,
      }
    },

    counters: async (address) => {
      const answer = await read(countersSchema, { path: `/api/v2/addresses/${address}/counters` })
      if (answer === null) return null
      const { transactions_count, token_transfers_count, gas_usage_count } = answer.data
      return {
        transactions: Number.isFinite(transactions_count) ? transactions_count : null,
        tokenTransfers: token_transfers_count,
        gasUsed: gas_usage_count,
      }
    },

    firstTransaction: async (address) => {
      // Newest first is the only order of the newer interface.
      const query = new URLSearchParams({
        module: 'account',
        action: 'txlist',
        address,
        sort: 'asc',
        page: '1',
        offset: '1',
      })
      const { data } = await readAlways(firstTransactionSchema, { path: `/api?${query.toString()}`, ttlMs: 300_000 })
      return data.status === '0' ? null : new Date(Number(data.result[0].timeStamp) * 1000)
    },

    stats: async () => {
      const { data, fetchedAt } = await readAlways(statsSchema, { path: '/api/v2/stats' })
      return {
        totalBlocks: data.total_blocks,
        totalTransactions: data.total_transactions,
        totalAddresses: data.total_addresses,
        averageBlockTimeMs: data.average_block_time,
        gasUsedToday: data.gas_used_today,
        gasPrices: data.gas_prices ?? null,
        marketCap: data.market_cap,
        tvl: data.tvl,
        fetchedAt,
      }
    },

    newContracts: async () => {
      const { data } = await readAlways(newContractsSchema, { path: '/api/v2/smart-contracts' })
      return data.items.map((row) => ({
        address: row.address.hash,
        name: row.address.name,
        compilerVersion: row.compiler_version,
        optimizationEnabled: row.optimization_enabled,
        transactions: row.transactions_count ?? row.transaction_count ?? row.tx_count,
        verifiedAt: row.verified_at,
        proxyType: row.address.proxy_type,
        implementation: row.address.implementations[0]?.address ?? null,
      }))
    },

    tokens: async (pages) => {
      const rows: BlockscoutToken[] = []
      // Each page says where the next one starts; the filter must be sent again with it.
      let query: string | null = 'type=ERC-20'
      for (let page = 0; page < pages && query !== null; page += 1) {
        const { data }: { readonly data: z.output<typeof tokensSchema> } = await readAlways(tokensSchema, {
          path: `/api/v2/tokens?${query}`,
        })
        rows.push(...data.items.flatMap(tokenOf))
        query =
          data.next_page_params === null || data.next_page_params === undefined ? null : next(data.next_page_params)
      }
      return rows
    },

    holders: async (token) => {
      const [list, facts] = await Promise.all([
        read(holdersSchema, { path: `/api/v2/tokens/${token}/holders`, ttlMs: 60_000 }),
        read(holdersCountSchema, { path: `/api/v2/tokens/${token}`, ttlMs: 60_000 }),
      ])
      if (list === null || facts === null) return null
      return {
        largest: list.data.items.map(({ address }) => address.hash.toLowerCase()),
        total: facts.data.holders_count ?? facts.data.holders,
        fetchedAt: list.fetchedAt,
      }
    },

    dailyTransactions: async () => {
      const { data } = await readAlways(chartSchema, { path: '/api/v2/stats/charts/transactions' })
      return data.chart_data
        .flatMap(({ date, transactions }) => (transactions === null ? [] : [{ date, transactions }]))
        .toSorted((a, b) => a.date.localeCompare(b.date))
    },
  }
}

function methodOf(data: z.output<typeof contractSchema>): BlockscoutMethod {
  // A match in the database of bytecodes means that the source was published for another address.
  if (data.is_verified_via_eth_bytecode_db === true) return 'bytecode_match'
  if (data.is_verified_via_sourcify === true) return 'sourcify'
  return data.is_verified_via_verifier_alliance === true ? 'verifier_alliance' : 'source_published'
}

function next(parameters: Readonly<Record<string, string | number | boolean | null>>): string {
  return new URLSearchParams({
    type: 'ERC-20',
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, value === null ? 'null' : String(value)]),
    ),
  }).toString()
}

function tokenOf(row: z.output<typeof tokensSchema>['items'][number]): readonly BlockscoutToken[] {
  const address = row.address_hash ?? row.address
  if (address === null) return []
  return [
    {
      address,
      name: row.name,
      symbol: row.symbol,
      holders: row.holders_count ?? row.holders,
      transfers: row.transfers_count,
      priceUsd: row.exchange_rate,
      volume24hUsd: row.volume_24h,
      marketCapUsd: row.circulating_market_cap,
      type: row.type,
      decimals: row.decimals,
    },
  ]
}
