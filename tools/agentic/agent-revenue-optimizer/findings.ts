import { type Envelope, type Option, preferredOf } from './envelope.ts'
import type { Probe, Surface } from './probe.ts'
import { referencePrices, referenceSentence } from './reference-prices.ts'
import { quoted, shown } from './text.ts'

export const levers = [
  'envelope-fix',
  'schema-clarity',
  'discoverability',
  'pricing',
  'tier-add',
  'bundling',
  'rate-limit',
  'facilitator-switch',
] as const

type Lever = (typeof levers)[number]

type Recommendation = {
  readonly lever: Lever
  readonly confidence: 'low' | 'medium' | 'high'
  readonly impact_usd_per_month: number
  readonly evidence: string
  readonly action: string
}

type Verdict = 'healthy' | 'leaking-revenue' | 'discoverability-blocked' | 'mispriced' | 'broken-envelope'

/** Everything an audit saw, read. */
export type Observed = Probe & {
  /** The envelope a client reads: the header's, else the body's. */
  readonly envelope: Envelope | undefined
  /** The body's own envelope, where it says something else than the header's. */
  readonly isBodyDifferent: boolean
  readonly facilitatorUrl: string | null
  /** Names of the headers that tell a limit. */
  readonly rateLimitHeaders: readonly string[]
}

type Finding = {
  readonly lever: Lever
  readonly confidence: Recommendation['confidence']
  /** Part of the assumed revenue that the fault may cost. 1 is an observation, every other value a judgement. */
  readonly share: number
  /** Dollars a month that do not follow from a share of today's revenue. */
  readonly extraUsd?: number
  /** The envelope can be paid, but not by everybody. */
  readonly isLeak?: boolean
  /** Nothing is wrong; it is said only to fill a short list. */
  readonly isRemark?: boolean
  readonly evidence: string
  readonly action: string
}

const mostItems = 7
const leastItems = 3

/** The option that the current state describes: the one a client takes, else the first one that is there to read. */
export function describedOf({ envelope }: Observed): Option | undefined {
  return envelope && (preferredOf(envelope) ?? envelope.options[0])
}

/** The first verdict that holds, worst first. */
export function verdictOf(observed: Observed): Verdict {
  if (!isPayable(observed)) return 'broken-envelope'
  if (observed.target.refusedFirst !== undefined || !isFindable(observed)) return 'discoverability-blocked'
  const price = priceOf(observed)
  if (price !== undefined && (price >= referencePrices.usd.p95 || price <= referencePrices.usd.p5)) return 'mispriced'
  return findingsOf(observed, 0).some(({ isLeak }) => isLeak === true) ? 'leaking-revenue' : 'healthy'
}

/** Three to seven recommendations, dearest first, and what they may bring together. */
export function adviceOf(
  observed: Observed,
  monthlyCalls: number,
): { readonly recommendations: readonly Recommendation[]; readonly liftUsd: number } {
  const revenue = monthlyCalls * (priceOf(observed) ?? 0)
  const impactOf = ({ share, extraUsd = 0 }: Finding) => capped(revenue * share + extraUsd, revenue + extraUsd)
  const all = findingsOf(observed, monthlyCalls).sort(
    (one, other) => impactOf(other) - impactOf(one) || levers.indexOf(one.lever) - levers.indexOf(other.lever),
  )
  // What only confirms that something is well is said where there is little else to say.
  const remarks = all.filter(({ isRemark }) => isRemark === true)
  const left = remarks.slice(0, Math.max(0, leastItems - (all.length - remarks.length)))
  const kept = all.filter((finding) => finding.isRemark !== true || left.includes(finding)).slice(0, mostItems)
  const extra = kept.reduce((sum, { extraUsd = 0 }) => sum + extraUsd, 0)
  const untouched = kept.reduce((rest, { share }) => rest * (1 - share), 1)
  return {
    recommendations: kept.map((finding) => ({
      lever: finding.lever,
      confidence: finding.confidence,
      impact_usd_per_month: impactOf(finding),
      evidence: shown(finding.evidence + assumptionOf(finding, observed, monthlyCalls), 512),
      action: finding.action,
    })),
    liftUsd: capped(revenue * (1 - untouched) + extra, revenue + extra),
  }
}

/** Whether at least one client could pay. */
function isPayable({ target, envelope }: Observed): boolean {
  return target.answer.status === 402 && envelope !== undefined && preferredOf(envelope) !== undefined
}

function isFindable({ envelope, surfaces }: Observed): boolean {
  const { agentCard, legacyCard, wellKnown, openapi } = surfaces
  return envelope?.bazaar === 'valid' || [agentCard, legacyCard, wellKnown, openapi].some(({ isPresent }) => isPresent)
}

function priceOf(observed: Observed): number | undefined {
  const price = describedOf(observed)?.priceUsd
  return typeof price === 'string' ? Number(price) : undefined
}

/** Says of every dollar what it rests on; an impact of nothing rests on nothing. */
function assumptionOf({ share, extraUsd }: Finding, observed: Observed, monthlyCalls: number): string {
  if (extraUsd !== undefined) return ''
  const price = describedOf(observed)?.priceUsd
  if (share === 0) return ''
  if (price === null || price === undefined) return ' The price is unreadable, so the impact is 0.'
  const part = share === 1 ? 'all' : `${share * 100} %, a judgement,`
  return ` Impact by assumption: ${part} of ${monthlyCalls} assumed calls at ${price} USD.`
}

function findingsOf(observed: Observed, monthlyCalls: number): Finding[] {
  return [
    ...(isPayable(observed) ? envelopeFindings(observed) : brokenFindings(observed)),
    ...schemaFindings(observed),
    ...discoveryFindings(observed),
    ...courtesyFindings(observed),
    pricingFinding(observed, monthlyCalls),
    ...offerFindings(observed),
    ...hostFindings(observed),
  ]
}

function brokenFindings(observed: Observed): Finding[] {
  const { target, envelope } = observed
  const broken = { lever: 'envelope-fix', confidence: 'high', share: 1 } as const
  if (target.answer.status !== 402) {
    return [
      {
        ...broken,
        evidence: `${target.method} without payment was answered with status ${target.answer.status} instead of 402.`,
        action: 'Answer an unpaid GET or POST with 402 and a payment envelope before anything else.',
      },
    ]
  }
  if (envelope === undefined) {
    return [
      {
        ...broken,
        evidence: `${target.method} was answered with 402, but neither the PAYMENT-REQUIRED header nor the body holds a readable envelope; the body begins ${quoted(target.answer.text.slice(0, 60))}.`,
        action: 'Send the envelope as base64 JSON in the PAYMENT-REQUIRED header and as JSON in the body.',
      },
    ]
  }
  const version = `x402Version is ${quoted(envelope.json['x402Version'])}`
  const faults = envelope.options.flatMap((option) => option.faults)
  const seen =
    envelope.options.length === 0 ? `accepts is ${quoted(envelope.json['accepts'])}` : faults.slice(0, 4).join('; ')
  return [
    {
      ...broken,
      evidence: `No option can be paid: ${version}; ${seen}.`,
      action:
        'Offer at least one option with scheme, mainnet network, whole atomic amount, asset, payTo, timeout and extra.',
    },
  ]
}

function envelopeFindings({ envelope, target, isBodyDifferent }: Observed): Finding[] {
  if (envelope === undefined) return []
  const leak = { lever: 'envelope-fix', confidence: 'low', isLeak: true } as const
  const bad = envelope.options.flatMap((option) => option.faults.slice(0, 1))
  const isFirstBad = envelope.options[0]?.faults.length !== 0
  const mixed = envelope.options.filter(({ hasForeignAmount }) => hasForeignAmount)
  const hasHeader = target.carried.hasHeader && target.carried.header !== undefined
  const findings: (Finding | false)[] = [
    envelope.version === 1 && {
      ...leak,
      share: 0.05,
      evidence: 'x402Version is 1: clients that only speak version 2 cannot read the envelope.',
      action:
        'Answer with a version 2 envelope in the PAYMENT-REQUIRED header; keep the version 1 body for old clients.',
    },
    envelope.version === 2 &&
      !hasHeader && {
        ...leak,
        share: 0.1,
        evidence: `The PAYMENT-REQUIRED header is ${target.carried.hasHeader ? 'not base64 JSON' : 'absent'}; version 2 clients read nothing else.`,
        action: 'Send the envelope as standard base64 JSON in the PAYMENT-REQUIRED header.',
      },
    !envelope.hasResource && {
      ...leak,
      share: 0.1,
      evidence: `The envelope of version ${envelope.version} names no resource address: resource is ${quoted(envelope.json['resource'])}.`,
      action: 'Name the endpoint in resource.url, with a description and a mimeType.',
    },
    isBodyDifferent && {
      ...leak,
      share: 0.1,
      evidence: `Header and body carry different envelopes: accepts is ${quoted(target.carried.header?.['accepts'])} in the header and ${quoted(target.carried.body?.['accepts'])} in the body.`,
      action: 'Build the header and the body from the same envelope.',
    },
    bad.length > 0 && {
      ...leak,
      share: isFirstBad ? 0.1 : 0,
      evidence: `${bad.length} of ${envelope.acceptsCount} options cannot be paid: ${bad.slice(0, 2).join('; ')}${isFirstBad ? '; simple clients take the first one' : ''}.`,
      action: 'Correct or remove the options that no client can pay; strict clients refuse the whole list over one.',
    },
    mixed.length > 0 && {
      ...leak,
      share: 0,
      evidence: `${mixed.map(({ index }) => `accepts[${index}]`).join(', ')} of x402Version ${envelope.version} has its amount in the field of the other version.`,
      action: 'Use amount in version 2 and maxAmountRequired in version 1.',
    },
  ]
  return findings.filter((finding) => finding !== false)
}

function schemaFindings({ envelope, documented, surfaces, target }: Observed): Finding[] {
  if (envelope === undefined) return []
  const leak = { lever: 'schema-clarity', confidence: 'low', share: 0.03, isLeak: true } as const
  const bazaar = {
    absent: envelope.version === 1 ? 'has no outputSchema.input' : 'has no extensions.bazaar',
    'no-input': 'has extensions.bazaar without info.input',
    'no-schema':
      envelope.version === 1
        ? 'has an outputSchema.input that is not discoverable'
        : 'has an input example without a schema',
    'fails-own-schema': 'has an extensions.bazaar.info that fails its own schema',
  } as const
  const missing = [envelope.hasDescription ? undefined : 'description', envelope.hasMimeType ? undefined : 'mimeType']
  const absent = missing.filter((name) => name !== undefined)
  const findings: (Finding | false)[] = [
    envelope.bazaar !== 'valid' && {
      ...leak,
      evidence: `The envelope of version ${envelope.version} ${bazaar[envelope.bazaar]}; agents cannot tell what to send.`,
      action: 'Declare the bazaar extension with info.input and a schema that the info satisfies.',
    },
    envelope.hasResource &&
      absent.length > 0 && {
        ...leak,
        evidence: `The resource has no ${absent.join(' and no ')}: resource is ${quoted(envelope.json['resource'])}.`,
        action: 'Say in resource.description what the call returns, and its mimeType.',
      },
    documented !== undefined &&
      !documented.isPriced && {
        ...leak,
        evidence: `GET ${surfaces.openapi.path} was answered with 200, but documents neither a 402 nor x-payment-info for ${target.method} ${quoted(new URL(target.answer.finalUrl).pathname)}.`,
        action: 'Document the 402 and the price (x-payment-info) of this path in /openapi.json.',
      },
  ]
  return findings.filter((finding) => finding !== false)
}

function discoveryFindings(observed: Observed): Finding[] {
  const { surfaces, target } = observed
  const places = [surfaces.agentCard, surfaces.wellKnown, surfaces.openapi]
  const missing = places.filter(
    (surface) => !surface.isPresent && !(surface === surfaces.agentCard && surfaces.legacyCard.isPresent),
  )
  const findings: Finding[] = []
  if (target.refusedFirst !== undefined) {
    findings.push({
      lever: 'discoverability',
      confidence: 'low',
      share: 0.05,
      evidence: `POST {} without payment was answered with ${target.refusedFirst.status} before any 402: crawlers that send no valid input never see the price.`,
      action: 'Ask for payment first where there is no input to check: answer an empty unpaid request with 402.',
    })
  }
  if (missing.length > 0) {
    const isBlocked = !isFindable(observed)
    findings.push({
      lever: 'discoverability',
      confidence: 'low',
      share: isBlocked ? 0.05 : 0.02,
      evidence: `${isBlocked ? 'Nothing lets a crawler find the endpoint' : 'Some crawlers look in vain'}: ${missing.map(seenAt).join('; ')}.`,
      action: 'Publish /.well-known/agent-card.json, /.well-known/x402 and an /openapi.json that lists this path.',
    })
  }
  return findings
}

/** Files that some indexes and agents read; an endpoint is found without them. */
function courtesyFindings({ surfaces: { indexFile, llms } }: Observed): Finding[] {
  const missing = [indexFile, llms].filter(({ isPresent }) => !isPresent)
  if (missing.length === 0) return []
  return [
    {
      lever: 'discoverability',
      confidence: 'low',
      share: 0,
      isRemark: true,
      evidence: `Files that some indexes read are not there: ${missing.map(seenAt).join('; ')}.`,
      action: 'Publish /llms.txt for agents and, to claim the host on 402 Index, its verification file.',
    },
  ]
}

function seenAt({ path, seen }: Surface): string {
  return `GET ${path} gave ${seen}`
}

function pricingFinding(observed: Observed, monthlyCalls: number): Finding {
  const price = priceOf(observed)
  const text = describedOf(observed)?.priceUsd ?? 'null'
  const { usd, commonUsd } = referencePrices
  const pricing = { lever: 'pricing', confidence: 'low', share: 0 } as const
  if (price === undefined) {
    return {
      ...pricing,
      evidence: `price_usd is null: the price is unreadable in dollars. ${referenceSentence}`,
      action: 'Price the call in USDC, so that agents with a budget in dollars can compare it.',
    }
  }
  if (price < usd.p25) {
    return {
      ...pricing,
      extraUsd: monthlyCalls * (commonUsd - price) * 0.5,
      evidence: `price_usd is ${text}. ${referenceSentence} Impact by assumption: half of ${monthlyCalls} assumed calls stay at ${commonUsd} USD.`,
      action: `Try ${commonUsd} USD for a month and compare paid calls, not only revenue.`,
    }
  }
  if (price >= usd.p95) {
    return {
      ...pricing,
      evidence: `price_usd is ${text}. ${referenceSentence} Demand at a lower price was not measured, so no impact is claimed.`,
      action: 'Add a cheaper option or sample and measure whether first payers come through it.',
    }
  }
  return {
    ...pricing,
    isRemark: true,
    evidence: `price_usd is ${text}, inside the usual range. ${referenceSentence}`,
    action: 'Keep the price; change it only together with a count of payers before and after.',
  }
}

function offerFindings({ envelope, documented }: Observed): Finding[] {
  const findings: Finding[] = []
  if (envelope !== undefined && envelope.acceptsCount < 2) {
    findings.push({
      lever: 'tier-add',
      confidence: 'low',
      share: 0,
      evidence: `accepts holds ${envelope.acceptsCount} option${envelope.acceptsCount === 1 ? '' : 's'}; there is no second network or cheaper sample to start with.`,
      action: 'Offer a second option: another network, or a cheaper sample of the same answer.',
    })
  }
  if (documented !== undefined && documented.cheapPaths > 1) {
    findings.push({
      lever: 'bundling',
      confidence: 'low',
      share: 0,
      evidence: `GET /openapi.json documents ${documented.cheapPaths} paths priced below 0.005 USD; each call pays its own settlement.`,
      action: 'Offer one call that answers several of the cheap questions together.',
    })
  }
  return findings
}

/** Facilitators whose catalogue lists what they have settled once. */
const cataloguing: ReadonlySet<string> = new Set(['api.cdp.coinbase.com', 'facilitator.payai.network', 'x402.org'])

function hostFindings({ rateLimitHeaders, facilitatorUrl, target }: Observed): Finding[] {
  const hasRateLimitHeaders = rateLimitHeaders.length > 0
  const isCataloguing = facilitatorUrl !== null && cataloguing.has(new URL(facilitatorUrl).hostname)
  return [
    {
      lever: 'rate-limit',
      confidence: 'low',
      share: 0,
      isRemark: hasRateLimitHeaders,
      evidence: `The answer to ${target.method} (status ${target.answer.status}) ${hasRateLimitHeaders ? `carries ${quoted(rateLimitHeaders.join(', '))}` : 'has no RateLimit, X-RateLimit or Retry-After header'}.`,
      action: hasRateLimitHeaders
        ? 'Keep the headers true: agents pace themselves by them.'
        : 'Send RateLimit and RateLimit-Policy headers, so that agents pace themselves instead of giving up.',
    },
    {
      lever: 'facilitator-switch',
      confidence: 'low',
      share: 0,
      isRemark: isCataloguing,
      evidence: `facilitator_url is ${quoted(facilitatorUrl)}; whether a catalogue lists the endpoint was not looked up.`,
      action: isCataloguing
        ? 'Settle one call through it and check that its catalogue lists the endpoint.'
        : 'Settle at least one call through a facilitator with a catalogue; that is what lists an endpoint.',
    },
  ]
}

/** Whole cents, and never more than what the assumed calls could earn. */
function capped(usd: number, mostUsd: number): number {
  return Math.max(0, Math.min(Math.round(usd * 100) / 100, mostUsd))
}
