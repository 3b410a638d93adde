import { directoryPath, responseTag } from '../platform/http-signature.ts'
import { toAtomic } from '../payments/terms.ts'
import { accessModes, isPriced, opensWithPass, usdOf } from '../tool/access.ts'
import type { ToolList, SiteTool } from '../tool/tools.ts'
import type { Tool, ToolSettings } from '../tool/tool.ts'
import { endpointOf, manifestUrlOf, paths } from '../tool/urls.ts'
import { type Outage, unavailableReasonOf } from '../tool/availability.ts'
import type { DescribeConfig } from './config.ts'
import { catalogPaths, signaturesPath, summary as serverSummary } from './documents.ts'
import { prepaidOf, refundPolicyOf } from './prepaid.ts'
import { entryOf, identityProofOf, toolPassOf } from './entry.ts'

export type CatalogFacts = {
  readonly config: DescribeConfig
  /** What the operator configured: a tool that misses something is named, but not offered. */
  readonly settings: ToolSettings
  /** Why a tool cannot answer for the moment; undefined where it can. */
  readonly outageOf?: (tool: Tool) => Outage | undefined
  /** Ids in the registry by slug, as far as they were read. */
  readonly toolIds: ReadonlyMap<string, bigint>
  readonly generatedAt: Date
}

/** The catalog of the site tools; `src/describe/catalog.schema.json` is its schema. Every figure is counted here. */
export function catalogOf(toolList: Pick<ToolList, 'site'>, facts: CatalogFacts) {
  const { config, settings, toolIds } = facts
  const { baseUrl } = config
  const offered = toolList.site.filter((tool) => unavailableReasonOf(tool, settings) === undefined)
  const tools = offered.map((tool) => ({
    ...entryOf(tool, config, toolIds.get(tool.slug)),
    state: stateOf(tool, facts),
  }))
  const counts = countsOf(offered, toolIds, config.toolPass !== undefined)
  const stats = { ...counts, priceRange: priceRangeOf(offered) }
  return {
    generatedAt: facts.generatedAt.toISOString(),
    spec: `${baseUrl}${catalogPaths.schema}`,
    site: baseUrl,
    ...(config.sandbox ? { sandbox: true } : {}),
    count: tools.length,
    summary: counts,
    stats,
    catalog: { stats },
    firstUse: firstUseOf(offered, config),
    prepaid: prepaidOf(config),
    refundPolicy: refundPolicyOf(config),
    tools,
    toolsBySlug: Object.fromEntries(tools.map((entry) => [entry.slug, entry])),
    toolsByOnChainId: Object.fromEntries(
      tools.flatMap((entry) => (entry.onChain.toolId === null ? [] : [[String(entry.onChain.toolId), entry] as const])),
    ),
    unavailable: toolList.site.flatMap((tool) => {
      const reason = unavailableReasonOf(tool, settings)
      return reason === undefined ? [] : [{ slug: tool.slug, name: tool.name, reason }]
    }),
  } as const
}

/** Everything this server sells for money, for directories of x402: both families, with addresses and terms. */
export function ecosystemOf(toolList: Pick<ToolList, 'all'>, facts: CatalogFacts) {
  const { config, settings, generatedAt } = facts
  const sold = toolList.all.filter((tool) => isPriced(tool.access) && unavailableReasonOf(tool, settings) === undefined)
  return {
    name: config.serverName,
    description: serverSummary,
    version: config.version,
    generatedAt: generatedAt.toISOString(),
    ...(config.sandbox ? { sandbox: true } : {}),
    site: config.baseUrl,
    catalog: `${config.baseUrl}${catalogPaths.page}`,
    openapi: `${config.baseUrl}${paths.rootOpenapi}`,
    support: config.supportUrl,
    x402Versions: [2, 1],
    network: config.network,
    asset: { symbol: 'USDC', contract: config.asset, decimals: 6 },
    payTo: config.payTo,
    facilitator: facilitatorOf(config),
    count: sold.length,
    resources: sold.map((tool) => ({
      slug: tool.slug,
      name: tool.name,
      description: tool.description,
      resource: endpointOf(tool, config.baseUrl),
      method: tool.family === 'site' ? tool.preferredMethod : 'POST',
      scheme: 'exact',
      priceUsd: usdOf(tool.access),
      amount: toAtomic(usdOf(tool.access)).toString(),
      access: tool.access.mode,
      tags: tool.tags,
      state: stateOf(tool, facts),
    })),
  } as const
}

/** Whether the tool answers now. A closed one asks for no payment; its 503 says when to come back. */
function stateOf(tool: Tool, { outageOf }: CatalogFacts) {
  const outage = outageOf?.(tool)
  if (outage === undefined) return { status: 'open' } as const
  return { status: 'closed', upstreams: outage.upstreams, since: outage.since } as const
}

/**
 * `paid`, `pass`, `paidOrPass`, `tiered` and `free` are the modes and add up to `total`; the others count what can be
 * done: pay, show a pass and nothing else, show a pass at all, find the tool in the registry.
 */
function countsOf(tools: readonly SiteTool[], toolIds: ReadonlyMap<string, bigint>, hasPass: boolean) {
  const counted = (counter: (typeof accessModes)[SiteTool['access']['mode']]['counter']): number =>
    tools.filter(({ access }) => accessModes[access.mode].counter === counter).length
  return {
    total: tools.length,
    paid: counted('paid'),
    pass: counted('pass'),
    paidOrPass: counted('paidOrPass'),
    tiered: counted('tiered'),
    free: counted('free'),
    onChain: tools.filter(({ slug }) => toolIds.has(slug)).length,
    x402Priced: tools.filter(({ access }) => isPriced(access)).length,
    passOnly: counted('pass'),
    toolPassEligible: tools.filter(({ access }) => hasPass && opensWithPass(access)).length,
  } as const
}

/** The lowest and the highest price of a call in dollars; null where nothing is sold. */
function priceRangeOf(tools: readonly SiteTool[]) {
  const prices = tools.flatMap(({ access }) => (isPriced(access) ? [access.usd] : []))
  const sorted = prices.toSorted((a, b) => (toAtomic(a) < toAtomic(b) ? -1 : 1))
  const [min, max] = [sorted[0], sorted.at(-1)]
  return min === undefined || max === undefined ? null : ({ min, max } as const)
}

function firstUseOf(tools: readonly SiteTool[], config: DescribeConfig) {
  const { baseUrl, network } = config
  const slugsOf = (mode: SiteTool['access']['mode']): readonly string[] =>
    tools.filter(({ access }) => access.mode === mode).map(({ slug }) => slug)
  return {
    catalog: `${baseUrl}${catalogPaths.page}`,
    x402EcosystemListing: `${baseUrl}${catalogPaths.ecosystem}`,
    manifestPattern: manifestUrlOf({ family: 'site', slug: '<slug>' }, baseUrl),
    endpointPattern: endpointOf({ family: 'site', slug: '<slug>' }, baseUrl),
    paidCall: {
      method: 'POST',
      headers: {
        payment: 'payment-signature',
        legacyPayment: 'x-payment',
        challenge: 'payment-required',
        legacyChallenge: 'x-payment-required',
        version: 'x-402-version',
        receipt: 'payment-response',
        legacyReceipt: 'x-payment-response',
        idempotency: 'idempotency-key',
      },
      network,
      asset: 'USDC',
      contract: config.asset,
      payTo: config.payTo,
      facilitator: facilitatorOf(config),
      responseIntegrity: responseIntegrityOf(config),
    },
    toolPass: toolPassOf(config),
    passOnlyCall: {
      unauthenticatedStatus: 402,
      proofs: ['tool-pass-identity', 'tool-pass-holder'],
      identityProof: identityProofOf(config),
      note: 'No payment opens these tools: prove a wallet that holds the access pass.',
      tools: slugsOf('pass'),
    },
    tieredCall: {
      unauthenticatedStatus: 200,
      note: 'Without a credential the answer has _tier "free" and says under _upgrade what more there is; a payment or the access pass adds it.',
      tools: slugsOf('tiered'),
    },
    lookup: { bySlug: 'toolsBySlug.<slug>', byOnChainToolId: 'toolsByOnChainId.<toolId>' },
    source: {
      repository: config.repository,
      implementation: 'tools/site/<slug>/tool.ts',
      version: config.version,
      commit: config.commit ?? null,
    },
  } as const
}

function responseIntegrityOf({ baseUrl, signingKeyId }: DescribeConfig) {
  if (signingKeyId === undefined) {
    return {
      signed: false,
      note: 'Answers carry no HTTP message signature; the receipt names the settling transaction.',
    } as const
  }
  return {
    signed: true,
    standard: 'RFC 9421',
    algorithm: 'ed25519',
    keyId: signingKeyId,
    directory: `${baseUrl}${directoryPath}`,
    registrationUrl: `${baseUrl}${signaturesPath}`,
    extension: 'http-message-signatures',
    tag: responseTag,
    covered: {
      challenge: ['@status', 'content-digest', 'content-type', 'payment-required', ...coveredOfRequest],
      paidAnswer: ['@status', 'content-digest', 'content-type', 'payment-response', ...coveredOfRequest],
    },
    note: 'Advisory: clients that cannot check signatures may ignore them; clients that can refuse answers without a valid one.',
  } as const
}

/** What a signature says about the request that it answers. */
const coveredOfRequest = ['@method;req', '@authority;req', '@path;req', '@query;req'] as const

function facilitatorOf({ facilitatorUrl }: DescribeConfig) {
  return {
    provider: new URL(facilitatorUrl).hostname,
    url: facilitatorUrl,
    verifyPath: '/verify',
    settlePath: '/settle',
    settlement:
      'Verified before the tool runs, settled after it answered and before the answer leaves; failures are free.',
  } as const
}
