import { BlockList, isIP } from 'node:net'

import { LRUCache } from 'lru-cache'

import { CallError } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Limit, LimitName, LimitTable } from '../platform/limits.ts'
import { callerKey } from './quota.ts'

/** A network counts as one caller too, with room for so many addresses of it. */
const networks = [
  { bits: 64, times: 1 },
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const

/** More addresses than this at one time are taken for new ones; a bucket is a few numbers. */
const maxBuckets = 200_000

type Bucket = { tokens: number; at: number }

export type Limits = {
  /** @throws CallError `too_many_calls` where the address has used up one of these. Takes nothing. */
  readonly require: (address: string, ...names: readonly LimitName[]) => void
  /** Takes from a bucket; it may go below zero, and then the next request is refused for as long as that takes to fill. */
  readonly spend: (address: string, name: LimitName, amount?: number) => void
}

/** Limits per address, kept in this process: each node of several counts for itself. */
export function createLimits({ clock, table }: { readonly clock: Clock; readonly table: LimitTable }): Limits {
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets })

  const bucketOf = (name: LimitName, key: string, times: number): Bucket => {
    const { perSecond, burst } = table[name]
    const now = clock.now()
    const id = `${name} ${key}`
    const bucket = buckets.get(id) ?? { tokens: burst * times, at: now }
    bucket.tokens = Math.min(burst * times, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * perSecond * times)
    bucket.at = now
    buckets.set(id, bucket)
    return bucket
  }

  return {
    require: (address, ...names) => {
      for (const name of names) {
        for (const { key, times } of keysOf(address)) {
          const { tokens } = bucketOf(name, key, times)
          if (tokens < 1) throw tooMany(name, table[name], (1 - tokens) / (table[name].perSecond * times))
        }
      }
    },
    spend: (address, name, amount = 1) => {
      for (const { key, times } of keysOf(address)) {
        const bucket = bucketOf(name, key, times)
        // A debt of one burst at most: who stops is served again within a time that can be told.
        bucket.tokens = Math.max(-table[name].burst * times, bucket.tokens - amount)
      }
    },
  }
}

const words: Readonly<Record<LimitName, string>> = {
  requests: 'requests',
  challenges: 'requests for terms of payment without a payment',
  rejections: 'payments or sign-ins that were refused',
  failures: 'calls that failed or found nothing',
  freeCalls: 'free calls',
  kilobytes: 'answers, by their size',
}

/** RateLimit header fields as in draft-ietf-httpapi-ratelimit-headers. */
function tooMany(name: LimitName, { perSecond, burst }: Limit, waitSeconds: number): CallError {
  const seconds = Math.max(1, Math.ceil(waitSeconds))
  return new CallError('too_many_calls', `Too many ${words[name]} came from this address.`, {
    nextStep: `Wait ${seconds} seconds and ask more slowly.`,
    retryAfterSeconds: seconds,
    headers: {
      'ratelimit-policy': `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
      ratelimit: `"${name}";r=0;t=${seconds}`,
    },
  })
}

/** The keys an address counts under: IPv4 one by one, IPv6 by the networks that one customer may own. */
function keysOf(address: string): readonly { readonly key: string; readonly times: number }[] {
  const own = callerKey(address)
  const prefix = own.endsWith('::/64') ? own.slice(0, -'::/64'.length).split(':') : undefined
  if (prefix === undefined) return [{ key: own, times: 1 }]
  const numbers = prefix.map((word) => Number.parseInt(word, 16))
  return networks.map(({ bits, times }) => ({
    key: `${numbers
      .map((word, index) => word & maskOf(bits - index * 16))
      .map((word) => word.toString(16))
      .join(':')}/${bits}`,
    times,
  }))
}

/** The mask of one 16-bit word of which `bits` belong to the network. */
function maskOf(bits: number): number {
  if (bits >= 16) return 0xffff
  return bits <= 0 ? 0 : 0xffff & ~(0xffff >> bits)
}

/** Addresses of this machine and of private networks: an operator's own, or a proxy that does not say who asks. */
const ownNetworks = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

/** Whether an address is not limited. */
const ownList = createDenyList(ownNetworks)
export const isOwnNetwork = (address: string): boolean => address === '' || ownList(address)

/** Whether an address is on the operator's list of addresses and networks (CIDR) that are not served. */
export function createDenyList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(bits), family)
  }
  return (address) => {
    const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4')
  }
}
