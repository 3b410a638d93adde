import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { createGate } from '../src/access/admit.ts'
import { admitLocally } from '../src/access/grant.ts'
import { createQuota } from '../src/access/quota.ts'
import { createSiweCheck } from '../src/access/siwe.ts'
import { type Call, createCall } from '../src/call/call.ts'
import type { DescribeConfig } from '../src/describe/config.ts'
import { inputSchemaOf } from '../src/describe/schemas.ts'
import { CallError } from '../src/errors.ts'
import { createChainReader, type Rpc } from '../src/payments/chain-proof.ts'
import { PaymentRequiredError } from '../src/payments/envelope.ts'
import { createFacilitator, type Facilitator } from '../src/payments/facilitator.ts'
import { createLedger, type Ledger } from '../src/payments/ledger.ts'
import { createSignatureCheck } from '../src/payments/signature.ts'
import { legacyNetworkOf, type PaymentTerms, toAtomic } from '../src/payments/terms.ts'
import type { Clock } from '../src/platform/clock.ts'
import { type Config, upstreamNames } from '../src/platform/config.ts'
import type { Hit } from '../src/platform/failpoint.ts'
import type { Log } from '../src/platform/log.ts'
import type { Store } from '../src/store/store.ts'
import { createRegistry, type Registry } from '../src/tool/registry.ts'
import { usdOf } from '../src/tool/price.ts'
import type { CatalogEntry, Tool, ToolSettings } from '../src/tool/tool.ts'
import { endpointOf } from '../src/tool/urls.ts'
import { createUpstreams, type UpstreamName, type UpstreamsHouse } from '../src/upstream/upstreams.ts'
import { packageInfo } from './package-info.ts'

/** What both kinds of house are built from. */
export type HouseParts = {
  readonly config: Config
  readonly tools: readonly Tool[]
  readonly clock: Clock
  readonly log: Log
  readonly hit: Hit
  readonly fetch: typeof globalThis.fetch
}

/** The tools run here, for the user of this process, with the user's own keys: no payment, no store. */
export type LocalHouse = {
  readonly registry: Registry
  readonly call: Call
  readonly upstreams: UpstreamsHouse
}

/** The tools are served to others, who pay. */
export type PaidHouse = LocalHouse & {
  readonly baseUrl: string
  readonly describe: DescribeConfig
  readonly challengeOf: ReturnType<typeof createGate>['challengeOf']
  readonly ledger: Ledger
  readonly store: Store
  readonly facilitator: Facilitator
  readonly paymentUrl: (id: string) => string
  readonly checkSiwe: ReturnType<typeof createSiweCheck>
  /** Begins to look after payments that are due; `stop` ends it when the last look is over. */
  readonly startSweeper: () => { readonly stop: () => Promise<void> }
  readonly close: () => Promise<void>
}

const sweepEveryMs = 1_000
const keepResultsMs = 24 * 3_600_000

export function createLocalHouse(parts: HouseParts): LocalHouse {
  const { config } = parts
  const registry = createRegistry(parts.tools)
  const baseUrl = config.publicUrl ?? 'http://127.0.0.1'
  const upstreams = openUpstreams(parts, [])
  const call = createCall({
    ...parts,
    admit: admitLocally,
    upstreams: upstreams.bind,
    settings: settingsOf(config, baseUrl),
    catalog: () => catalogOf(registry, baseUrl),
    toolOf: registry.bySlug,
  })
  return { registry, upstreams, call }
}

/** @param baseUrl address of the server as the world sees it. */
export async function createPaidHouse(
  parts: HouseParts & { readonly baseUrl: string; readonly store: Store },
): Promise<PaidHouse> {
  const { config, clock, log, store, baseUrl } = parts
  if (config.payTo === undefined) throw new Error('TOLLGATE_PAY_TO is needed to serve paid tools.')
  const registry = createRegistry(parts.tools)
  const upstreams = openUpstreams(parts, [new URL(baseUrl).host])
  const rpc = rpcOf(upstreams)
  const chain = createChainReader(rpc)
  const facilitator = createFacilitator({ url: config.facilitatorUrl, now: clock.now })
  const terms = termsOf(config, config.payTo)
  const paymentUrl = (id: string): string => `${baseUrl}/api/agentic/payments/${id}`
  const ledger = createLedger({
    store: store.payments,
    facilitator,
    chain,
    checkSignature: await createSignatureCheck(terms),
    clock,
    log,
    hit: parts.hit,
    owner: `${process.pid}-${randomBytes(6).toString('hex')}`,
    syncAuditAtomic: toAtomic(config.syncAuditUsd),
    maxInFlight: config.maxInFlight,
    paymentUrl,
  })
  const describe = describeOf(config, config.payTo, baseUrl)
  const gate = createGate({
    terms,
    ledger,
    quota: createQuota({ counters: store.counters, clock }),
    serviceName: describe.serverName,
    inputSchemaOf,
  })
  const call = createCall({
    ...parts,
    admit: gate.admit,
    challengeOf: gate.challengeOf,
    upstreams: upstreams.bind,
    settings: settingsOf(config, baseUrl),
    catalog: () => catalogOf(registry, baseUrl),
    toolOf: registry.bySlug,
  })
  return {
    registry,
    upstreams,
    baseUrl,
    describe,
    challengeOf: gate.challengeOf,
    ledger,
    store,
    facilitator,
    paymentUrl,
    call: refuseWhileDown(call, facilitator),
    checkSiwe: createSiweCheck({
      origin: baseUrl,
      chainId: config.chainId,
      now: clock.now,
      contractAccepts: contractSignature(upstreams),
    }),
    startSweeper: () => startSweeper({ clock, ledger, store, log }),
    close: async () => {
      facilitator.close()
      await upstreams.close()
      await store.close()
    },
  }
}

/** Nobody is invited to sign a payment that could not be taken at the moment. */
function refuseWhileDown(call: Call, facilitator: Facilitator): Call {
  return async (request) => {
    try {
      return await call(request)
    } catch (error) {
      if (!(error instanceof PaymentRequiredError) || error.refused !== undefined || facilitator.status() === 'ok')
        throw error
      throw new CallError('facilitator_unavailable', 'Payments cannot be taken at the moment.', {
        nextStep: 'Ask again in a few seconds. Nothing was charged.',
        retryAfterSeconds: 5,
      })
    }
  }
}

export function termsOf(config: Config, payTo: string): PaymentTerms {
  return {
    network: config.network,
    chainId: config.chainId,
    asset: config.asset.address,
    assetName: config.asset.name,
    assetVersion: config.asset.version,
    payTo,
  }
}

function describeOf(config: Config, payTo: string, baseUrl: string): DescribeConfig {
  return {
    baseUrl,
    facilitatorUrl: config.facilitatorUrl,
    network: config.network,
    networkName: legacyNetworkOf(config.network),
    asset: config.asset.address,
    payTo,
    version: packageInfo.version,
    serverName: packageInfo.serverName,
    ownerName: config.ownerName,
    supportUrl: config.supportUrl ?? `${packageInfo.repository}/issues`,
    sandbox: config.sandbox,
    npmName: packageInfo.name,
    mcpRegistryName: packageInfo.mcpName,
    smitheryName: packageInfo.smitheryName,
    ...(config.index402Hash === undefined ? {} : { index402Hash: config.index402Hash }),
    repository: packageInfo.repository,
  }
}

function settingsOf(config: Config, baseUrl: string): ToolSettings {
  return {
    publicOrigin: new URL(baseUrl).origin,
    projectTokens: config.projectTokens,
    snapshotDir: join(config.dataDir, 'snapshots'),
    ...(config.native === undefined ? {} : { native: config.native }),
    ...(config.toolPass === undefined ? {} : { toolPass: config.toolPass }),
    ...(config.registry === undefined ? {} : { registry: config.registry }),
    ...(config.certificates === undefined ? {} : { certificates: config.certificates }),
  }
}

function catalogOf(registry: Registry, baseUrl: string): readonly CatalogEntry[] {
  return registry.all.map((tool) => ({
    slug: tool.slug,
    family: tool.family,
    name: tool.name,
    description: tool.description,
    tags: tool.tags,
    mode: tool.access.mode,
    priceUsd: usdOf(tool.access),
    endpoint: endpointOf(tool, baseUrl),
    latencySlaMs: tool.latencySlaMs,
  }))
}

/** What a service is called in the environment, and in the code. */
const serviceOf: Readonly<Record<(typeof upstreamNames)[number], UpstreamName>> = {
  GAMMA: 'gamma',
  CLOB: 'clob',
  GITHUB: 'github',
  SCORECARD: 'scorecard',
  DEPSDEV: 'depsdev',
  LLAMA: 'llama',
  COINGECKO: 'coingecko',
  DEXSCREENER: 'dexscreener',
  GECKOTERMINAL: 'geckoterminal',
  BLOCKSCOUT: 'blockscout',
  SOURCIFY: 'sourcify',
  OPENSEA: 'opensea',
  CLANKER: 'clanker',
  BANKR: 'bankr',
  GOPLUS: 'goplus',
}

function openUpstreams({ config, clock, fetch }: HouseParts, refuseHosts: readonly string[]): UpstreamsHouse {
  const urls: Partial<Record<UpstreamName, string>> = {}
  for (const name of upstreamNames) {
    const url = config.upstreamUrls[name]
    if (url !== undefined) urls[serviceOf[name]] = url
  }
  return createUpstreams({
    config: {
      baseRpcUrls: config.baseRpcUrls,
      mainnetRpcUrls: config.mainnetRpcUrls,
      chainId: config.chainId,
      urls,
      keys: config.keys,
      webHosts: config.webHosts,
      refuseHosts,
      userAgent: `${packageInfo.name}/${packageInfo.version} (+${packageInfo.repository})`,
    },
    fetch,
    clock,
  })
}

/** The chain for the money's own questions, each bounded by itself. */
function rpcOf(upstreams: UpstreamsHouse): Rpc {
  return (method, params) => upstreams.bind(AbortSignal.timeout(4_000)).chain.request({ method, params })
}

function contractSignature(upstreams: UpstreamsHouse) {
  return async (address: string, text: string, signature: string): Promise<boolean | undefined> => {
    try {
      const client = await upstreams.bind(AbortSignal.timeout(3_000)).chain.client()
      const { isAddress, isHex } = await import('viem')
      if (!isAddress(address, { strict: false }) || !isHex(signature)) return false
      return await client.verifyMessage({ address, message: text, signature })
    } catch {
      // Whatever went wrong, nobody was asked successfully; the caller answers 503.
      return undefined
    }
  }
}

type SweeperParts = { readonly clock: Clock; readonly ledger: Ledger; readonly store: Store; readonly log: Log }

function startSweeper({ clock, ledger, store, log }: SweeperParts): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController()
  let dayOfCleaning = ''
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        // A full batch means that more is waiting.
        while ((await ledger.sweep()) >= 20 && !stopping.signal.aborted);
        const day = new Date(clock.now()).toISOString().slice(0, 10)
        if (day !== dayOfCleaning) {
          dayOfCleaning = day
          await store.payments.dropResults(clock.now() - keepResultsMs)
          await store.counters.sweep(day, clock.now())
        }
      } catch (error) {
        log.error('sweeper.failed', { error })
      }
      await clock.sleep(sweepEveryMs, stopping.signal)
    }
  }
  const running = loop()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Where the ledger is: Postgres when several nodes share it, else one file. */
export async function openStore(config: Config): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    throw new Error('DATABASE_URL is set, but this version keeps its ledger in SQLite only.')
  }
  const { openSqliteStore } = await import('../src/store/sqlite.ts')
  return openSqliteStore(join(config.dataDir, 'ledger.db'))
}
