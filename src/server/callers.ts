import type { Caller, Limits } from '../access/limits.ts'
import type { Call, CallRequest } from '../call/call.ts'
import { CallError, outcomes } from '../errors.ts'
import { freeCallsOf } from '../tool/access.ts'
import { PaymentRequiredError } from '../payments/x402/required.ts'

/** Requests under way, those of them with a large body, and open connections; of one address and in all. */
const usual = {
  requests: 64,
  allRequests: 2_000,
  largeBodies: 8,
  allLargeBodies: 256,
  connections: 256,
  allConnections: 10_000,
} as const

/**
 * Counts what each client address uses and decides whether it may go on: the one place where limits are kept, for HTTP
 * and MCP alike. Addresses of this machine and of private networks are not limited.
 */
export type Callers = {
  /**
   * Lets a request in; the function that it returns is called at the end with the sum of bytes received and sent.
   * Undefined where nothing is counted. @throws CallError
   */
  readonly enter: (
    address: string,
    asked: { readonly showsCredential: boolean },
  ) => ((bytes: number) => void) | undefined
  /**
   * The body of a request turned out to be large; the function that it returns is called once the request is over.
   * Undefined where nothing is counted. @throws CallError
   */
  readonly carry: (address: string) => (() => void) | undefined
  /** Lets a connection in; the function that it gives is called when it closes. Undefined where there are too many. */
  readonly connect: (address: string) => (() => void) | undefined
  /** Connections that may be open in all. */
  readonly mostConnections: number
  /** Counts that payment terms were shown without a call being made. */
  readonly quoted: (address: string) => void
  /** Runs work that is no call, and counts a refused credential. @throws what `work` throws, and CallError */
  readonly attempt: <T>(address: string, work: () => Promise<T>) => Promise<T>
  /** The same call, which counts how it ends: prices shown, refusals, free failures. */
  readonly limited: (call: Call) => Call
  /** Gives an address all of its limits anew. */
  readonly lift: (address: string) => void
  /** Whether an address would be refused now for something that it used up. */
  readonly isHeldOff: (address: string) => boolean
}

export type CallersParts = {
  readonly limits: Limits
  readonly most?: Partial<Record<keyof typeof usual, number>>
  /** Called whenever somebody is asked to pay. */
  readonly onQuoted?: () => void
  /** Told of each refusal that is no token bucket's: of what is at once, and of addresses that are not served. */
  readonly onMet?: (limit: string, address: string) => void
}

export function createCallers({ limits, ...parts }: CallersParts): Callers {
  const most = { ...usual, ...parts.most }
  const connections = createCount()
  let underWay = 0
  let carried = 0

  const countFailure = (caller: Caller, error: unknown): void => {
    const limit = limitOf(error)
    if (limit === 'challenges') parts.onQuoted?.()
    if (limit !== undefined) caller.spend(limit)
  }

  return {
    enter: (address, { showsCredential }) => {
      const caller = limits.of(address)
      if (caller.isDenied) {
        parts.onMet?.('denied', address)
        throw notServed()
      }
      if (caller.isOwn) return undefined
      if (showsCredential) caller.require('requests', 'kilobytes')
      else caller.require('requests', 'kilobytes', 'challenges')
      caller.spend('requests')
      if (caller.underWay >= most.requests || underWay >= most.allRequests) {
        parts.onMet?.('underWay', address)
        throw tooManyAtOnce(most.requests)
      }
      caller.underWay += 1
      underWay += 1
      return (bytes) => {
        caller.underWay -= 1
        underWay -= 1
        caller.spend('kilobytes', bytes / 1_000)
      }
    },
    carry: (address) => {
      const caller = limits.of(address)
      if (caller.isOwn) return undefined
      if (caller.carried >= most.largeBodies || carried >= most.allLargeBodies) {
        parts.onMet?.('largeBodies', address)
        throw tooManyAtOnce(most.largeBodies)
      }
      caller.carried += 1
      carried += 1
      return () => {
        caller.carried -= 1
        carried -= 1
      }
    },
    connect: (address) => {
      if (limits.of(address).isOwn) return () => {}
      if (connections.of(address) >= most.connections) {
        parts.onMet?.('connections', address)
        return undefined
      }
      connections.add(address)
      return () => connections.remove(address)
    },
    mostConnections: most.allConnections,
    lift: limits.lift,
    isHeldOff: limits.isHeldOff,
    quoted: (address) => {
      limits.of(address).spend('challenges')
      parts.onQuoted?.()
    },
    attempt: async (address, work) => {
      const caller = limits.of(address)
      caller.require('rejections')
      try {
        return await work()
      } catch (error) {
        countFailure(caller, error)
        throw error
      }
    },
    limited: (call) => async (request) => {
      const caller = limits.of(request.ip)
      caller.require('rejections', 'failures')
      const { payment, session } = request.credentials
      if (payment === undefined && session === undefined) caller.require('challenges')
      if (isFree(request)) caller.require('freeCalls')
      try {
        const result = await call(request)
        if (result.entry === 'free') caller.spend('freeCalls')
        // Who pays may ask for terms as often as that takes.
        if (result.entry === 'payment') caller.spend('challenges', -1)
        return result
      } catch (error) {
        countFailure(caller, error)
        throw error
      }
    },
  }
}

/** Codes of a refusal of what the caller showed, whatever it was. */
const rejections: ReadonlySet<string> = new Set([
  'invalid_payment',
  'ambiguous_payment',
  'invalid_credential',
  'proof_rejected',
  'payment_bound',
  'payment_used',
  'unknown_payment',
])

/** Codes of runs that were free for the caller, but not for the services that were asked. */
const failures: ReadonlySet<string> = new Set(['not_found', 'over_budget'])

function isFree({ tool, credentials }: CallRequest): boolean {
  if (tool.access.mode === 'free' || tool.access.mode === 'tiered') return true
  const { payment, session } = credentials
  return payment === undefined && session === undefined && freeCallsOf(tool.access) !== undefined
}

function limitOf(error: unknown): 'challenges' | 'rejections' | 'failures' | undefined {
  if (error instanceof PaymentRequiredError) return error.refused === undefined ? 'challenges' : 'rejections'
  if (!(error instanceof CallError)) return 'failures'
  if (rejections.has(error.code)) return 'rejections'
  return failures.has(error.code) || outcomes[error.code].http === 500 ? 'failures' : undefined
}

function notServed(): CallError {
  return new CallError('forbidden', 'This server does not serve your address.', { nextStep: 'Ask its operator.' })
}

function tooManyAtOnce(most: number): CallError {
  return new CallError('too_many_calls', 'Too many requests are under way.', {
    nextStep: 'Wait for the answers of those that were sent.',
    retryAfterSeconds: 1,
    headers: {
      'ratelimit-policy': `"underway";q=${most}`,
      ratelimit: '"underway";r=0;t=1',
    },
  })
}

/** Counts things that come and go, by a key; a key with nothing is forgotten. */
function createCount() {
  const counts = new Map<string, number>()
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add: (key: string): void => {
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    remove: (key: string): void => {
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    },
  }
}
