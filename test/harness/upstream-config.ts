import type { UpstreamsConfig } from '../../src/upstream/upstreams.ts'

/** Clients of the outside world that know no address but those a test gives them. */
export const upstreamConfig = (known: Partial<UpstreamsConfig> = {}): UpstreamsConfig => ({
  baseRpcUrls: [],
  mainnetRpcUrls: [],
  chainId: 8453,
  urls: {},
  keys: {},
  webHosts: {},
  refuseHosts: [],
  userAgent: 'test',
  ...known,
})
