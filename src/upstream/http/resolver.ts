import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

/** How long a name may take in all; who asks waits for the connection after it. */
const deadlineMs = 2_500

type Options = {
  /** Servers to ask, as `address:port`; the machine's own unless given. */
  readonly servers?: readonly string[]
  readonly deadlineMs?: number
}

/**
 * A look-up for names that strangers give. The system's own (`getaddrinfo`) runs in the few threads that every other
 * connection of this process needs too, and has no deadline: a handful of names whose servers never answer would stop
 * them all. This one asks the name servers itself, without a thread, and gives up in time.
 */
export function createResolverLookup(options: Options = {}): LookupFunction {
  const addressesOf = callbackify((hostname: string) => resolve(hostname, options))
  return (hostname, { all }, callback) => {
    addressesOf(hostname, (error, found) => {
      if (error !== null) callback(error, '')
      else if (all === true) callback(null, [...found])
      else callback(null, found[0].address, found[0].family)
    })
  }
}

type Address = { readonly address: string; readonly family: number }

async function resolve(
  hostname: string,
  { servers, deadlineMs: limitMs = deadlineMs }: Options,
): Promise<readonly [Address, ...Address[]]> {
  // No name server knows this one, and the rule for addresses must see what it stands for (RFC 6761).
  if (/(?:^|\.)localhost\.?$/i.test(hostname)) return [{ address: '127.0.0.1', family: 4 }]
  // One for each name, so that giving up on one name does not cancel the others.
  const resolver = new Resolver({ timeout: limitMs, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  // In real time, also where a test holds the clock still: a resolver that hangs must not hang the call.
  const timer = setTimeout(() => resolver.cancel(), limitMs)
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  clearTimeout(timer)
  const [first, ...others] = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (first === undefined) throw notFound(hostname, four)
  return [first, ...others]
}

/** The error that a failed look-up of the system gives, so that whoever reads it knows one kind only. */
function notFound(hostname: string, outcome: PromiseSettledResult<unknown>): NodeJS.ErrnoException {
  const cause: unknown = outcome.status === 'rejected' ? outcome.reason : undefined
  const told = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const code = told === 'ENOTFOUND' || told === 'ENODATA' ? 'ENOTFOUND' : 'EAI_AGAIN'
  return Object.assign(new Error(`${code}: ${hostname}`, { cause }), { code })
}
