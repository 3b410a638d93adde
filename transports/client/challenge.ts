import { isDeepStrictEqual } from 'node:util'

import * as v from 'valibot'

import { parsedJson } from '../../src/platform/json.ts'
import { read } from '../../src/platform/read.ts'
import { networkOf } from './assets.ts'
import { NotPaidError } from './errors.ts'

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/))
const amount = v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,29})$/))
const seconds = v.pipe(v.number(), v.minValue(1), v.maxValue(86_400))

const offerV2 = v.looseObject({
  scheme: v.literal('exact'),
  network: v.pipe(v.string(), v.maxLength(64)),
  amount,
  asset: address,
  payTo: address,
  maxTimeoutSeconds: seconds,
  extra: v.looseObject({ name: v.pipe(v.string(), v.maxLength(128)), version: v.pipe(v.string(), v.maxLength(32)) }),
})
const offerV1 = v.looseObject({
  scheme: v.literal('exact'),
  network: v.pipe(v.string(), v.maxLength(64)),
  maxAmountRequired: amount,
  asset: address,
  payTo: address,
  maxTimeoutSeconds: seconds,
  resource: v.optional(v.pipe(v.string(), v.maxLength(2_048))),
  extra: v.looseObject({ name: v.pipe(v.string(), v.maxLength(128)), version: v.pipe(v.string(), v.maxLength(32)) }),
})
const paymentRequired = v.looseObject({
  x402Version: v.union([v.literal(1), v.literal(2)]),
  resource: v.optional(v.looseObject({ url: v.pipe(v.string(), v.maxLength(4_096)) })),
  // Terms of other schemes have other fields; they are not for us.
  accepts: v.pipe(v.array(v.unknown()), v.maxLength(64)),
  extensions: v.optional(v.record(v.string(), v.unknown())),
})

/** One way to pay that a server offers. */
export type Offer = {
  readonly network: string
  readonly amount: bigint
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly domain: { readonly name: string; readonly version: string }
  /** The entry as the server wrote it, which a payment repeats. */
  readonly entry: Readonly<Record<string, unknown>>
}

/** What a server asks before it answers. */
export type Challenge = {
  readonly version: 1 | 2
  /** What it says is paid for; repeated in the payment. */
  readonly resource: Readonly<Record<string, unknown>> | undefined
  readonly resourceUrl: string | undefined
  readonly offers: readonly Offer[]
  /** How many entries were offered, those of other schemes included. */
  readonly entries: number
  readonly extensions: Readonly<Record<string, unknown>>
}

/** The challenge of a value, or undefined where it is not one. */
export function readChallenge(value: unknown): Challenge | undefined {
  const parsed = read(paymentRequired, value)
  if (parsed === undefined) return undefined
  const { x402Version: version, resource, accepts, extensions } = parsed
  const offers = accepts.flatMap((entry) => (version === 2 ? readV2(entry) : readV1(entry)))
  return {
    version,
    resource,
    resourceUrl: resource?.url ?? textOf(offers[0]?.entry['resource']),
    offers,
    entries: accepts.length,
    extensions: extensions ?? {},
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function readV2(entry: unknown): readonly Offer[] {
  const data = read(offerV2, entry)
  if (data === undefined) return []
  return [{ ...data, amount: BigInt(data.amount), domain: data.extra, entry: data }]
}

function readV1(entry: unknown): readonly Offer[] {
  const data = read(offerV1, entry)
  if (data === undefined) return []
  const { network, maxAmountRequired } = data
  return [{ ...data, network: networkOf(network), amount: BigInt(maxAmountRequired), domain: data.extra, entry: data }]
}

/**
 * The terms of a 402: those of its header, or of its body where an older server writes them only there. Where both say
 * something they must say the same, because what lies between may have changed one of them. @throws NotPaidError
 */
export function challengeOfAnswer(headers: Headers, body: Uint8Array): Challenge {
  const header = headers.get('payment-required')
  const inBody = parsedJson(Buffer.from(body).toString('utf8'))
  const inHeader = header === null ? undefined : parsedJson(Buffer.from(header, 'base64').toString('utf8'))
  const challenge = readChallenge(header === null ? inBody : inHeader)
  if (challenge === undefined) throw new NotPaidError('terms', 'the server names no terms that can be read (x402)')
  const other = header === null ? undefined : read(paymentRequired, inBody)
  if (other?.x402Version === challenge.version && !isDeepStrictEqual(inHeader, inBody)) {
    throw new NotPaidError('terms', 'the terms in the header are not those in the body')
  }
  return challenge
}
