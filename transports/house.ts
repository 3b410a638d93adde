import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { createGate } from '../src/access/admit.ts'
import { createQuota } from '../src/access/quota.ts'
import { createHolderCheck, isDelegate } from '../src/access/holder.ts'
import { createIdentityCheck } from '../src/access/identity.ts'
import { createPassDoor } from '../src/access/pass.ts'
import { createSiweCheck } from '../src/access/siwe.ts'
import { type Call, createCall } from '../src/call/call.ts'
import { createRunTool } from '../src/call/run-tool.ts'
import type { DescribeConfig } from '../src/describe/config.ts'
import { unavailableReasonOf } from '../src/describe/availability.ts'
import { signaturesPath } from '../src/describe/documents.ts'
import { type AiToolDocument, aiToolDocumentsOf } from '../src/describe/erc8257.ts'
import { inputSchemaOf } from '../src/describe/schemas.ts'
import { CallError } from '../src/errors.ts'
import { createChainReader, type Rpc } from '../src/payments/chain-reader.ts'
import { PaymentRequiredError } from '../src/payments/x402/required.ts'
import { createFacilitator, type Facilitator } from '../src/payments/facilitator.ts'
import { createLedger, type Ledger } from '../src/payments/ledger/ledger.ts'
import { createContractSignatures } from '../src/payments/eip3009/contract-signature.ts'
import { createSignatureCheck } from '../src/payments/eip3009/signature.ts'
import { legacyNetworkOf, type PaymentTerms, toAtomic } from '../src/payments/terms.ts'
import type { Clock } from '../src/platform/clock.ts'
import type { Config } from '../src/platform/config.ts'
import { ConfigError } from '../src/platform/config-error.ts'
import { createResponseSigner, readSigningKey, type ResponseSigner } from '../src/platform/http-signature.ts'
import type { Log } from '../src/platform/log.ts'
import type { Store } from '../src/store/store.ts'
import { isPassOnly } from '../src/tool/access.ts'
import { createRegistry } from '../src/tool/registry.ts'
import type { ToolSettings } from '../src/tool/tool.ts'
import type { UpstreamsHouse } from '../src/upstream/upstreams.ts'
import { RpcError } from '../src/upstream/chain/rpc-error.ts'
import { createToolRegistry } from '../src/upstream/chain/tool-registry.ts'
import { catalogOf, type HouseParts, type LocalHouse, openUpstreams, settingsOf } from './local-house.ts'
import { packageInfo } from './package-info.ts'
import { createRegisteredTools, type RegisteredTools } from './registered-tools.ts'
import { readSecretFile } from './secret-file.ts'

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
  readonly registered: RegisteredTools
  /** ERC-8257 manifests of the site tools that are sold here. */
  readonly manifests: readonly AiToolDocument[]
  readonly settings: ToolSettings
  /** Signs 402s and paid answers; undefined where the operator has no key for it. */
  readonly signer: ResponseSigner | undefined
  /** Begins to look after payments that are due; `stop` ends it when the last look is over. */
  readonly startSweeper: () => { readonly stop: () => Promise<void> }
  readonly close: () => Promise<void>
}

const sweepEveryMs = 1_000
const keepResultsMs = 24 * 3_600_000

/** @param baseUrl address of the server as the world sees it. */
export async function createPaidHouse(
  parts: HouseParts & { readonly baseUrl: string; readonly store: Store },
): Promise<PaidHouse> {
  const { config, clock, log, store, baseUrl } = parts
  if (config.payTo === undefined) throw new Error('TOLLGATE_PAY_TO is needed to serve paid tools.')
  const registry = createRegistry(parts.tools)
  const upstreams = openUpstreams(parts, [new URL(baseUrl).hostname])
  const rpc = rpcOf(upstreams, 4_000)
  const chain = createChainReader(rpc)
  const facilitator = createFacilitator({ url: config.facilitatorUrl, now: clock.now })
  const terms = termsOf(config, config.payTo)
  const contracts = createContractSignatures({
    terms,
    rpc: rpcOf(upstreams, 3_000),
    isRevert: (error) => error instanceof RpcError && error.isRevert,
  })
  const paymentUrl = (id: string): string => `${baseUrl}/api/agentic/payments/${id}`
  const checkSignature = await createSignatureCheck(terms)
  const ledger = createLedger({
    store: store.payments,
    facilitator,
    chain,
    checkSignature,
    clock,
    log,
    hit: parts.hit,
    owner: `${process.pid}-${randomBytes(6).toString('hex')}`,
    syncAuditAtomic: toAtomic(config.syncAuditUsd),
    maxInFlight: config.maxInFlight,
    paymentUrl,
  })
  const signer = await signerOf(config, baseUrl, clock)
  const describe = {
    ...describeOf(config, config.payTo, baseUrl),
    ...(signer === undefined ? {} : { signingKeyId: signer.keyId }),
  }
  const checkSiwe = createSiweCheck({
    origin: baseUrl,
    chainId: config.chainId,
    now: clock.now,
    contractAccepts: contracts.ofText,
  })
  const registered = createRegisteredTools({
    list: registryList(parts, upstreams),
    baseUrl,
    creator: describe.creator,
    clock,
  })
  const settings = settingsOf(config, baseUrl)
  const sold = registry.site.filter((tool) => unavailableReasonOf(tool, settings) === undefined)
  const manifests = await aiToolDocumentsOf(sold, describe)
  const ownManifests = new Map(manifests.map((manifest) => [manifest.url, manifest.text]))
  const gate = createGate({
    terms,
    ledger,
    quota: createQuota({ counters: store.counters, clock }),
    toolPass: config.toolPass,
    pass: createPassDoor({
      checkSiwe,
      checkIdentity: createIdentityCheck({
        terms,
        counters: store.counters,
        checkSignature,
        now: clock.now,
        contractSigned: contracts.ofAuthorization,
      }),
      holds: createHolderCheck({
        rpc,
        clock,
        toolPass: config.toolPass,
        registry: config.registry,
        registeredTool: registered.find,
      }),
      counters: store.counters,
      now: clock.now,
      singleUse: config.siweSingleUse,
      isDelegate: config.delegates ? (delegate, vault) => isDelegate(rpc, delegate, vault) : undefined,
    }),
    serviceName: describe.serverName,
    signaturesUrl: signer === undefined ? undefined : `${baseUrl}${signaturesPath}`,
    inputSchemaOf,
  })
  const call = createCall({
    ...parts,
    admit: gate.admit,
    challengeOf: gate.challengeOf,
    settings,
    runTool: createRunTool({
      clock,
      upstreams: upstreams.bind,
      settings,
      ownManifest: (url) => ownManifests.get(url),
      catalog: () => catalogOf(registry, baseUrl),
      toolOf: registry.bySlug,
    }),
  })
  return {
    registry,
    offered: registry.all.filter((tool) => unavailableReasonOf(tool, settings) === undefined),
    upstreams,
    baseUrl,
    describe,
    challengeOf: gate.challengeOf,
    ledger,
    store,
    facilitator,
    paymentUrl,
    call: refuseWhileDown(call, facilitator),
    checkSiwe,
    registered,
    manifests,
    settings,
    signer,
    startSweeper: () => startSweeper({ clock, ledger, store, log }),
    close: async () => {
      await facilitator.close()
      await upstreams.close()
      await store.close()
    },
  }
}

/** @throws ConfigError where the operator's key cannot be used. */
async function signerOf(
  { signingKeyFile }: Config,
  baseUrl: string,
  clock: Clock,
): Promise<ResponseSigner | undefined> {
  if (signingKeyFile === undefined) return undefined
  const variable = 'TOLLGATE_SIGNING_KEY_FILE'
  const text = await readSecretFile(signingKeyFile, variable)
  try {
    return createResponseSigner(readSigningKey(text), new URL(baseUrl).origin, clock.now)
  } catch (error) {
    throw new ConfigError([`${variable}: ${error instanceof Error ? error.message : 'the key cannot be used'}`])
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
      // What only a pass opens asks for no payment, and its proof goes to no facilitator.
      if (isPassOnly(request.tool.access)) throw error
      throw new CallError('facilitator_unavailable', 'Payments cannot be taken at the moment.', {
        nextStep: 'Ask again in a few seconds.',
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

export function describeOf(config: Config, payTo: string, baseUrl: string): DescribeConfig {
  return {
    baseUrl,
    facilitatorUrl: withoutSecrets(config.facilitatorUrl),
    network: config.network,
    networkName: legacyNetworkOf(config.network),
    asset: config.asset.address,
    payTo,
    creator: config.registryCreator ?? payTo,
    ...(config.toolPass === undefined ? {} : { toolPass: config.toolPass }),
    ...(config.registry === undefined ? {} : { registry: config.registry }),
    ...(config.commit === undefined ? {} : { commit: config.commit }),
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

/** An address as the world may see it: a facilitator with accounts is named with a user and a password. */
function withoutSecrets(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/, '$1').replace(/[?#].*$/, '')
}

/** The chain for the money's own questions, each bounded by itself. */
function rpcOf(upstreams: UpstreamsHouse, timeoutMs: number): Rpc {
  return (method, params) => upstreams.bind(AbortSignal.timeout(timeoutMs)).chain.request({ method, params })
}

/** Reads the whole registry; undefined where none is configured. */
function registryList({ config, clock }: HouseParts, upstreams: UpstreamsHouse) {
  const { registry: address } = config
  if (address === undefined) return undefined
  return () => {
    const { chain } = upstreams.bind(AbortSignal.timeout(8_000))
    return createToolRegistry({ chain, address, now: () => new Date(clock.now()) }).list()
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
    const { openPostgresStore } = await import('../src/store/postgres.ts')
    try {
      return await openPostgresStore(config.databaseUrl)
    } catch (cause) {
      throw new Error('The ledger cannot be opened at the DATABASE_URL.', { cause })
    }
  }
  const { openSqliteStore } = await import('../src/store/sqlite.ts')
  return openSqliteStore(join(config.dataDir, 'ledger.db'))
}
