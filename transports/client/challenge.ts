import { isDeepStrictEqual } from 'node:util'

import * as z from 'zod/mini'

import { networkOf } from './assets.ts'
import { NotPaidError } from './errors.ts'

const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const amount = z.string().check(z.regex(/^(0|[1-9]\d{0,29})$/))
const seconds = z.number().check(z.minimum(1), z.maximum(86_400))

const offerV2 = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string().check(z.maxLength(64)),
  amount,
  asset: address,
  payTo: address,
  maxTimeoutSeconds: seconds,
  extra: z.looseObject({ name: z.string().check(z.maxLength(128)), version: z.string().check(z.maxLength(32)) }),
})
const offerV1 = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string().check(z.maxLength(64)),
  maxAmountRequired: amount,
  asset: address,
  payTo: address,
  maxTimeoutSeconds: seconds,
  resource: z.optional(z.string().check(z.maxLength(2_048))),
  extra: z.looseObject({ name: z.string().check(z.maxLength(128)), version: z.string().check(z.maxLength(32)) }),
})
const envelope = z.looseObject({
  x402Version: z.union([z.literal(1), z.literal(2)]),
  resource: z.optional(z.looseObject({ url: z.string().check(z.maxLength(4_096)) })),
  // Terms of other schemes have other fields; they are not for us.
  accepts: z.array(z.unknown()).check(z.maxLength(64)),
  extensions: z.optional(z.record(z.string(), z.unknown())),
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
  const parsed = envelope.safeParse(value)
  if (!parsed.success) return undefined
  const { x402Version: version, resource, accepts, extensions } = parsed.data
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
  const { data } = offerV2.safeParse(entry)
  if (data === undefined) return []
  return [{ ...data, amount: BigInt(data.amount), domain: data.extra, entry: data }]
}

function readV1(entry: unknown): readonly Offer[] {
  const { data } = offerV1.safeParse(entry)
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
  const inBody = parseJson(Buffer.from(body).toString('utf8'))
  const inHeader = header === null ? undefined : parseJson(Buffer.from(header, 'base64').toString('utf8'))
  const challenge = readChallenge(header === null ? inBody : inHeader)
  if (challenge === undefined) throw new NotPaidError('terms', 'the server names no terms that can be read (x402)')
  const other = header === null ? undefined : envelope.safeParse(inBody).data
  if (other?.x402Version === challenge.version && !isDeepStrictEqual(inHeader, inBody)) {
    throw new NotPaidError('terms', 'the terms in the header are not those in the body')
  }
  return challenge
}

/** JSON, or undefined where it is not one: what is no JSON fits no schema either. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
