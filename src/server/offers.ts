import type { CallRequest, Call } from '../call/call.ts'
import { CallError, type Charged } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import { accessModes } from '../tool/access.ts'
import type { Outage } from '../tool/availability.ts'
import type { Tool } from '../tool/tool.ts'
import type { Need, ProbeName } from '../upstream/probes.ts'
import type { UpstreamState, UpstreamWatch } from './upstream-watch.ts'

/** Which tools can answer now, as far as their upstreams go. */
export type Offers = {
  /** Undefined where nothing stands in the way of an answer. */
  readonly outageOf: (tool: Tool) => Outage | undefined
}

export type OffersParts = {
  readonly stateOf: UpstreamWatch['stateOf']
  readonly clock: Clock
}

/** A tool is closed while something that it cannot do without has been down for longer than its answers may be old. */
export function createOffers({ stateOf, clock }: OffersParts): Offers {
  return {
    outageOf: (tool) => {
      // Asked by every request, and almost always so: nothing is made for it.
      if (tool.needs?.every((need) => canAnswer(need, stateOf)) !== false) return undefined
      const outages = tool.needs.flatMap((need) => {
        const lacking = lackingOf(need, stateOf)
        if (lacking === undefined) return []
        const { since, hasAnswered } = lacking
        return hasAnswered && clock.now() - since < stalenessMsOf(tool) ? [] : [lacking]
      })
      const [first] = outages
      if (first === undefined) return undefined
      return {
        upstreams: outages.flatMap(({ upstreams }) => upstreams),
        reasons: outages.flatMap(({ reasons }) => reasons),
        since: new Date(Math.min(...outages.map(({ since }) => since))).toISOString(),
        retryAt: new Date(Math.max(...outages.map(({ retryAt }) => retryAt))).toISOString(),
      }
    },
  }
}

type Down = Extract<UpstreamState, { status: 'down' }>

/** Whether any of a need's choices may answer. */
function canAnswer(need: Need, stateOf: OffersParts['stateOf']): boolean {
  return typeof need === 'string'
    ? stateOf(need).status !== 'down'
    : need.some((name) => stateOf(name).status !== 'down')
}

/** What is down of a need; undefined where any of its choices may answer. */
function lackingOf(need: Need, stateOf: OffersParts['stateOf']) {
  const names: readonly ProbeName[] = typeof need === 'string' ? [need] : need
  const down = names.flatMap((name): readonly Down[] => {
    const state = stateOf(name)
    return state.status === 'down' ? [state] : []
  })
  if (down.length < names.length) return undefined
  return {
    upstreams: names,
    reasons: down.map(({ reason }) => reason),
    // Until the last of them failed there was one that answered.
    since: Math.max(...down.map(({ since }) => since)),
    hasAnswered: down.some(({ hasAnswered }) => hasAnswered),
    retryAt: Math.min(...down.map(({ retryAt }) => retryAt)),
  }
}

/** How old an answer of the tool may be, which is how long it can do without asking. */
function stalenessMsOf({ freshness }: Tool): number {
  return freshness.mode === 'cached' ? freshness.ttlSeconds * 1_000 : 0
}

export type RefusalParts = {
  readonly offers: Offers
  readonly clock: Clock
  /** Whether the money of a payment moved. @throws CallError where it is no payment. */
  readonly chargedFor: (payment: unknown) => Promise<Charged>
}

/**
 * Refuses what would be asked money for and cannot be answered, before a price is named. What was paid for is given
 * out.
 */
export function refuseClosed(call: Call, { offers, clock, chargedFor }: RefusalParts): Call {
  const isPaidFor = async (payment: unknown): Promise<boolean> => {
    try {
      return (await chargedFor(payment)) !== false
    } catch {
      // What cannot be read as a payment is said on the path of a call.
      return true
    }
  }
  return async (request) => {
    const outage = isAsking(request) ? offers.outageOf(request.tool) : undefined
    if (outage === undefined) return call(request)
    const { payment } = request.credentials
    if (payment !== undefined && (await isPaidFor(payment))) return call(request)
    throw closed(request.tool, outage, clock.now())
  }
}

/** Whether the answer would cost something: what is free may try its luck. */
function isAsking({ tool, credentials }: CallRequest): boolean {
  const { checks, unauthenticatedStatus } = accessModes[tool.access.mode]
  if (unauthenticatedStatus === 402) return true
  const shown = [credentials.payment, credentials.session, credentials.siwe, credentials.siwx]
  return checks.includes('payment') && shown.some((one) => one !== undefined)
}

function closed(tool: Tool, { upstreams, reasons, since, retryAt }: Outage, now: number): CallError {
  const seconds = Math.max(1, Math.ceil((Date.parse(retryAt) - now) / 1_000))
  const names = upstreams.map((name) => `"${name}"`).join(' and ')
  return new CallError(
    'unavailable',
    `${tool.name} cannot answer now: ${names} ${upstreams.length === 1 ? 'gives' : 'give'} no usable answer since ${since}.`,
    {
      nextStep: `Ask again in ${seconds} seconds; nothing has to be signed before then.`,
      retryAfterSeconds: seconds,
      details: { upstreams, reasons, since, retryAt },
    },
  )
}
