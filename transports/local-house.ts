import { join } from 'node:path'

import { admitLocally } from '../src/access/grant.ts'
import { type Call, createCall } from '../src/call/call.ts'
import type { Clock } from '../src/platform/clock.ts'
import { type Config, upstreamNames } from '../src/platform/config.ts'
import type { Hit } from '../src/platform/failpoint.ts'
import type { Log } from '../src/platform/log.ts'
import { inputSchemaOf } from '../src/describe/schemas.ts'
import { usdOf } from '../src/tool/access.ts'
import { createRegistry, type Registry } from '../src/tool/registry.ts'
import type { CatalogEntry, Tool, ToolSettings } from '../src/tool/tool.ts'
import { endpointOf } from '../src/tool/urls.ts'
import type { UpstreamName } from '../src/upstream/services/services.ts'
import { createUpstreams, type UpstreamsHouse } from '../src/upstream/upstreams.ts'
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
  /** The tools that can run with this configuration. */
  readonly offered: readonly Tool[]
  readonly call: Call
  readonly upstreams: UpstreamsHouse
}

/** Builds the house of a user's own process. Kept apart from the one that sells, which takes longer to load. */
export function createLocalHouse(parts: HouseParts): LocalHouse {
  const { config } = parts
  const registry = createRegistry(parts.tools)
  const baseUrl = config.publicUrl ?? 'http://127.0.0.1'
  const upstreams = openUpstreams(parts, [])
  const settings = settingsOf(config, baseUrl)
  const call = createCall({
    ...parts,
    admit: admitLocally,
    upstreams: upstreams.bind,
    settings,
    catalog: () => catalogOf(registry, baseUrl),
    toolOf: registry.bySlug,
  })
  const offered = registry.all.filter((tool) => tool.missing?.(settings) === undefined)
  return { registry, offered, upstreams, call }
}

/** What tools may see of the configuration. */
export function settingsOf(config: Config, baseUrl: string): ToolSettings {
  return {
    publicOrigin: new URL(baseUrl).origin,
    projectTokens: config.projectTokens,
    snapshotDir: join(config.dataDir, 'snapshots'),
    ...(config.native === undefined ? {} : { native: config.native }),
    ...(config.toolPass === undefined ? {} : { toolPass: config.toolPass }),
    ...(config.registry === undefined ? {} : { registry: config.registry }),
    ...(config.certificates === undefined ? {} : { certificates: config.certificates }),
    ...(config.postsFeed === undefined ? {} : { postsFeed: config.postsFeed }),
  }
}

/** Every tool as tools that plan over tools see it. */
export function catalogOf(registry: Registry, baseUrl: string): readonly CatalogEntry[] {
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
    inputSchema: () => inputSchemaOf(tool),
    knowledge: tool.knowledge,
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
  DEFILLAMA: 'defillama',
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

/**
 * @param refuseHosts names of this server, which its own tools must not ask.
 * @param namedOrigin where the user of this process told it to look, even on this machine.
 */
export function openUpstreams(
  { config, clock, fetch }: HouseParts,
  refuseHosts: readonly string[],
  namedOrigin?: string,
): UpstreamsHouse {
  const urls: Partial<Record<UpstreamName, string>> = {}
  for (const name of upstreamNames) {
    const url = config.upstreamUrls[name]
    if (url !== undefined) urls[serviceOf[name]] = url
  }
  if (config.postsFeed !== undefined) urls.posts = config.postsFeed
  if (config.model !== undefined) urls.model = config.model.url
  return createUpstreams({
    config: {
      baseRpcUrls: config.baseRpcUrls,
      mainnetRpcUrls: config.mainnetRpcUrls,
      chainId: config.chainId,
      urls,
      keys: config.keys,
      webHosts: config.webHosts,
      refuseHosts,
      namedOrigin,
      ...(config.model === undefined ? {} : { modelName: config.model.name }),
      userAgent: `${packageInfo.name}/${packageInfo.version} (+${packageInfo.repository})`,
    },
    fetch,
    clock,
  })
}
