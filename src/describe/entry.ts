import { challengesOf } from '../payments/challenges.ts'
import { maxTimeoutSeconds, priceOf } from '../payments/terms.ts'
import { accessModes, isPriced, opensWithPass, usdOf } from '../tool/access.ts'
import type { SiteTool } from '../tool/tools.ts'
import { endpointOf, manifestUrlOf } from '../tool/urls.ts'
import type { DescribeConfig } from './config.ts'
import { inputSchemaOf, outputSchemaOf } from './schemas.ts'

/** Longest life of a signed authorization of amount zero, which proves who the caller is. */
const proofSeconds = 900

/** Longest life of a signed sign-in message. */
const signInSeconds = 3_600

/** One site tool as the catalog lists it. `toolId` is its id in the registry, null where it has none yet. */
export function entryOf(tool: SiteTool, config: DescribeConfig, toolId: bigint | undefined) {
  const { access, methods, preferredMethod } = tool
  const call = callOf(tool, config)
  const challenges = challengesOf(tool, resourceOf(tool, call.endpoint), { ...config, toolPass: config.toolPass })
  const passCapable = opensWithPass(access)
  return {
    slug: tool.slug,
    name: tool.name,
    description: tool.description,
    endpoint: call.endpoint,
    methods,
    preferredMethod,
    call,
    firstUse: {
      unauthenticatedStatus: accessModes[access.mode].unauthenticatedStatus,
      call,
      challenge: challenges[0] ?? null,
      challenges,
    },
    manifest: manifestUrlOf(tool, config.baseUrl),
    inputs: inputSchemaOf(tool),
    outputs: outputSchemaOf(tool),
    pricing: isPriced(access)
      ? [{ amount: access.usd, asset: 'USDC', recipient: config.payTo, protocol: 'x402' } as const]
      : [],
    access: {
      mode: access.mode,
      freeTier: freeTierOf(tool),
      x402: isPriced(access) ? paymentOf(tool, config) : null,
      identityProof: passCapable && config.toolPass !== undefined ? identityProofOf(config) : null,
      toolPass: passCapable ? toolPassOf(config) : null,
    },
    onChain: { registry: config.registry ?? null, chainId: chainIdOf(config), toolId: numberOrNull(toolId) },
    tags: tool.tags,
    version: tool.version,
    latencySlaMs: tool.latencySlaMs,
    freshness: tool.freshness,
  } as const
}

/** Number of the chain that payments and the registry are on. */
function chainIdOf({ network }: Pick<DescribeConfig, 'network'>): number {
  return Number(network.slice(network.indexOf(':') + 1))
}

function callOf(tool: SiteTool, { baseUrl }: DescribeConfig) {
  const common = { endpoint: endpointOf(tool, baseUrl), example: tool.examples[0]?.input ?? {} } as const
  return tool.preferredMethod === 'GET'
    ? ({ method: 'GET', inputLocation: 'query', ...common } as const)
    : ({ method: 'POST', inputLocation: 'json', contentType: 'application/json', ...common } as const)
}

function exampleOf({ examples }: SiteTool): object {
  const input: unknown = examples[0]?.input
  return typeof input === 'object' && input !== null ? input : {}
}

/** The exact address of the example call: that of a GET has its inputs in the query, and is what is paid for. */
function resourceOf(tool: SiteTool, endpoint: string): string {
  if (tool.preferredMethod !== 'GET') return endpoint
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(exampleOf(tool))) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const one of values) {
      query.append(name, typeof one === 'string' ? one : JSON.stringify(one))
    }
  }
  return query.size === 0 ? endpoint : `${endpoint}?${query.toString()}`
}

function freeTierOf({ access }: SiteTool) {
  if (access.mode === 'tiered') return { status: 200, note: access.freeTierNote } as const
  return access.mode === 'free' ? ({ status: 200, note: 'The whole answer is free.' } as const) : null
}

function paymentOf(tool: SiteTool, config: DescribeConfig) {
  return {
    network: config.network,
    asset: 'USDC',
    contract: config.asset,
    amount: usdOf(tool.access),
    maxAmountRequired: priceOf(tool).toString(),
    payTo: config.payTo,
    header: 'payment-signature',
    legacyHeader: 'x-payment',
    maxTimeoutSeconds,
  } as const
}

/**
 * How a wallet proves itself without paying: a signed transfer of amount zero, which is checked and never sent on.
 */
export function identityProofOf(config: DescribeConfig) {
  return {
    network: config.network,
    asset: 'USDC',
    contract: config.asset,
    maxAmountRequired: '0',
    payTo: config.payTo,
    header: 'payment-signature',
    legacyHeader: 'x-payment',
    maxValiditySeconds: proofSeconds,
  } as const
}

/** How the holder of the access pass shows it; null where there is no pass. */
export function toolPassOf(config: DescribeConfig) {
  if (config.toolPass === undefined) return null
  return {
    network: config.network,
    chainId: chainIdOf(config),
    contract: config.toolPass,
    standard: 'ERC-721',
    header: 'Authorization',
    format: 'SIWE <base64url(message)>.<0xsignature>',
    domain: new URL(config.baseUrl).host,
    uri: config.baseUrl,
    maxValiditySeconds: signInSeconds,
  } as const
}

function numberOrNull(toolId: bigint | undefined): number | null {
  return toolId === undefined ? null : Number(toolId)
}
