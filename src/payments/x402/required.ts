import { CallError } from '../../errors.ts'
import { legacyNetworkOf, type Requirement } from '../terms.ts'

/** x402 v2 `PaymentRequired`: the body of a 402, and in base64 its payment-required header. */
export type PaymentRequired = {
  readonly x402Version: 2
  readonly error: string
  readonly resource: {
    readonly url: string
    readonly description: string
    readonly mimeType: 'application/json'
    readonly serviceName?: string
    readonly tags?: readonly string[]
  }
  readonly accepts: readonly Requirement[]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** What x402 v1 clients read, from the body. */
export type PaymentRequiredV1 = {
  readonly x402Version: 1
  readonly error: string
  readonly accepts: readonly {
    readonly scheme: 'exact'
    readonly network: string
    readonly maxAmountRequired: string
    readonly resource: string
    readonly description: string
    readonly mimeType: string
    readonly payTo: string
    readonly maxTimeoutSeconds: number
    readonly asset: string
    readonly extra: { readonly name: string; readonly version: string }
  }[]
}

/**
 * Largest block of response headers of a 402 in bytes. nginx as it is installed reads a response's headers into one
 * page of memory, 4,096 bytes, and answers 502 where they are longer.
 */
export const maxHeaderBlockBytes = 3_900

/** What a signed 402 has in headers besides the two copies of the challenge; a test measures it. */
const otherHeadersBytes = 945

/** The receipt of a refused payment: two headers with a base64 text each. */
const refusalHeadersBytes = 2 * 345

/** Largest challenge in bytes of JSON: it travels twice as base64, which makes four bytes of three. */
export const maxChallengeBytes = bytesFor(maxHeaderBlockBytes - otherHeadersBytes)
const maxRefusalBytes = bytesFor(maxHeaderBlockBytes - otherHeadersBytes - refusalHeadersBytes)
/** Over MCP a challenge is part of the body, which nothing in between cuts short. */
const maxMcpChallengeBytes = 8_192

function bytesFor(headerBytes: number): number {
  return Math.floor(headerBytes / 2 / 4) * 3
}

export type ChallengeFacts = {
  readonly url: string
  readonly description: string
  readonly tags: readonly string[]
  readonly serviceName: string
  readonly requirement: Requirement
  /** Example input and its JSON Schema, for catalogues that read the `bazaar` extension. */
  readonly example: unknown
  readonly inputSchema: unknown
  /** How the tool is called at the address; over MCP by its name. */
  readonly method: 'GET' | 'POST' | { readonly toolName: string }
  /** Contract of the pass that opens the tool as well. */
  readonly pass?: string | undefined
  /** Page about the signatures of this server; undefined where it does not sign. */
  readonly signaturesUrl?: string | undefined
  /** Where a balance can be paid ahead that calls are drawn from; undefined where they cannot be. */
  readonly prepaidUrl?: string | undefined
}

const paymentIdentifier = {
  info: { required: false },
  schema: {
    type: 'object',
    properties: { id: { type: 'string', pattern: '^[a-zA-Z0-9_-]{16,128}$' } },
  },
} as const

/** How much a challenge says beyond what is needed to pay. */
type Fullness = {
  /** Longest description in characters. */
  readonly description: number
  /** Whether the service and the tags are named. */
  readonly labels: boolean
  /** For catalogues: the example with the whole schema of the input, the example alone, or nothing. */
  readonly bazaar: 'schema' | 'example' | 'none'
  /** Whether the pass is named where money opens the tool too, and whether signatures are announced. */
  readonly pass: boolean
  readonly signatures: boolean
  /** Whether the balance is named. */
  readonly prepaid: boolean
}

const everything = {
  description: 160,
  labels: true,
  bazaar: 'schema',
  pass: true,
  signatures: true,
  prepaid: false,
} as const
const noLabels = { ...everything, labels: false }

/** What is left out first where there is no room: words that stand in the manifest too, then what catalogues read. */
const fullnesses: readonly Fullness[] = [
  { ...everything, prepaid: true },
  everything,
  { ...everything, bazaar: 'example', prepaid: true },
  { ...everything, bazaar: 'example' },
  { ...noLabels, description: 120, bazaar: 'example' },
  { ...noLabels, description: 48, bazaar: 'example' },
  { ...noLabels, description: 24, bazaar: 'example' },
  { ...everything, bazaar: 'none' },
  { ...noLabels, description: 120, bazaar: 'none' },
  { ...noLabels, description: 48, bazaar: 'none' },
  { ...noLabels, description: 24, bazaar: 'none' },
  { ...noLabels, description: 48, bazaar: 'none', signatures: false },
  { ...noLabels, description: 48, bazaar: 'none', signatures: false, pass: false },
]

/** The challenge of one tool. It says as much as fits into the headers, and always all that is needed to pay. */
export function createChallenge(facts: ChallengeFacts, error: string, refusesPayment = false): PaymentRequired {
  const most =
    typeof facts.method === 'object' ? maxMcpChallengeBytes : refusesPayment ? maxRefusalBytes : maxChallengeBytes
  // A long question in the address is no reason to hide the price.
  for (const url of [facts.url, withoutQuery(facts.url)]) {
    for (const fullness of fullnesses) {
      const challenge = challengeWith(fullness, { ...facts, url }, error)
      if (Buffer.byteLength(JSON.stringify(challenge)) <= most) return challenge
    }
  }
  throw new Error(`The challenge of ${facts.url} does not fit into ${most} bytes.`)
}

function challengeWith(fullness: Fullness, facts: ChallengeFacts, error: string): PaymentRequired {
  const { network, maxAmountRequired } = facts.requirement
  // Where nothing but the pass opens the tool, the ways to show it are all that a challenge is for.
  const announcesPass = facts.pass !== undefined && (fullness.pass || maxAmountRequired !== undefined)
  return {
    x402Version: 2,
    error,
    resource: {
      url: facts.url,
      description: shortened(facts.description, fullness.description),
      mimeType: 'application/json',
      ...(fullness.labels
        ? { serviceName: facts.serviceName.slice(0, 32), tags: facts.tags.slice(0, 5).map((tag) => tag.slice(0, 32)) }
        : {}),
    },
    accepts: [facts.requirement],
    extensions: {
      'payment-identifier': paymentIdentifier,
      ...(facts.prepaidUrl === undefined || !fullness.prepaid ? {} : { prepaid: { info: { url: facts.prepaidUrl } } }),
      ...(announcesPass ? { 'tool-pass': toolPassOf(network, facts.pass) } : {}),
      ...(facts.signaturesUrl === undefined || !fullness.signatures
        ? {}
        : { 'http-message-signatures': signaturesOf(facts.signaturesUrl) }),
      ...(fullness.bazaar === 'none' ? {} : { bazaar: bazaarOf(facts, fullness.bazaar === 'schema') }),
    },
  }
}

function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** The first sentence, cut behind a word where it is too long. */
function shortened(text: string, most: number): string {
  const end = text.search(/[.!?](\s|$)/)
  const sentence = end === -1 ? text : text.slice(0, end + 1)
  if (sentence.length <= most) return sentence
  const cut = sentence.slice(0, most)
  const space = cut.lastIndexOf(' ')
  return `${(space > most / 2 ? cut.slice(0, space) : cut.slice(0, most - 1)).replace(/[\s,;:]+$/, '')}…`
}

/** How the pass is shown, for clients that hold it (spec/site-catalog §2.2). */
function toolPassOf(network: string, contract: string | undefined): unknown {
  return {
    info: {
      challenges: [
        { kind: 'tool-pass-holder', network, contract, header: 'Authorization' },
        { kind: 'tool-pass-identity', network, header: 'payment-signature', maxAmountRequired: '0' },
      ],
    },
  }
}

/** Says that answers are signed, so that a client may insist on it (x402 extension `http-message-signatures`). */
function signaturesOf(registrationUrl: string): unknown {
  return {
    info: { registrationUrl, signatureSchemes: ['ed25519'], tags: ['web-bot-auth', 'agent-browser-auth'] },
  }
}

/**
 * What catalogues list (x402 extension `bazaar`): how the tool is called, with an example and, where asked for, its
 * schema.
 */
function bazaarOf({ method, example, inputSchema }: ChallengeFacts, withSchema: boolean): unknown {
  const [input, properties] = bazaarInputOf(method, example, inputSchema)
  const inputShape = withSchema ? { type: 'object', properties, required: ['type'] } : { type: 'object' }
  return {
    info: { input },
    schema: { type: 'object', properties: { input: inputShape }, required: ['input'] },
  }
}

function bazaarInputOf(method: ChallengeFacts['method'], example: unknown, inputSchema: unknown) {
  if (typeof method === 'object') {
    const { toolName } = method
    return [
      { type: 'mcp', toolName, transport: 'streamable-http', inputSchema, example },
      { type: { const: 'mcp' }, toolName: { const: toolName }, inputSchema: { type: 'object' } },
    ] as const
  }
  return method === 'POST'
    ? ([
        { type: 'http', method, bodyType: 'json', body: example },
        { type: { const: 'http' }, method: { const: method }, body: inputSchema },
      ] as const)
    : ([
        { type: 'http', method, queryParams: example },
        { type: { const: 'http' }, method: { const: method }, queryParams: inputSchema },
      ] as const)
}

/** The same terms for a client that speaks v1. */
export function toV1(challenge: PaymentRequired): PaymentRequiredV1 {
  return {
    x402Version: 1,
    error: challenge.error,
    accepts: challenge.accepts.map((one) => ({
      scheme: one.scheme,
      network: legacyNetworkOf(one.network),
      maxAmountRequired: one.amount,
      resource: challenge.resource.url,
      description: challenge.resource.description,
      mimeType: challenge.resource.mimeType,
      payTo: one.payTo,
      maxTimeoutSeconds: one.maxTimeoutSeconds,
      asset: one.asset,
      extra: one.extra,
    })),
  }
}

/** Standard padded base64 of the JSON, as x402 headers carry it. */
export function toHeader(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
}

/** The settle response of a payment that was refused, for the payment-response header of its 402. */
export type RefusedSettlement = {
  readonly success: false
  readonly errorReason: string
  /** What the code leaves open, such as which limit was passed. */
  readonly errorMessage?: string
  readonly transaction: string
  readonly network: string
  readonly payer?: string
}

/** A call that needs a payment, or a better one. Only ever thrown where no transfer can be on its way. */
export class PaymentRequiredError extends CallError {
  readonly challenge: PaymentRequired
  readonly refused: RefusedSettlement | undefined

  constructor(challenge: PaymentRequired, refused?: RefusedSettlement) {
    // Nothing is wrong in the program, so nobody looks for the place; finding it would cost more than all of the
    // answer.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super('payment_required', challenge.error, {
      nextStep: 'Sign one of the listed payment options and send the call again with it.',
      ...(refused === undefined ? {} : { details: { reason: refused.errorReason } }),
    })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'PaymentRequiredError'
    this.challenge = challenge
    this.refused = refused
  }
}

/** A rejected payment, and why: an x402 reason code. The caller of the ledger adds the challenge. */
export class PaymentRejection extends Error {
  readonly reason: string
  /** Whether the payment had reached the settling stage. */
  readonly settling: boolean
  readonly payer: string | undefined
  /** What the code leaves open, such as which limit was passed. */
  readonly detail: string | undefined
  /** Whether the very same payment might be taken at another moment, or by another node on the same ledger. */
  readonly isPassing: boolean

  constructor(
    reason: string,
    options: {
      readonly settling?: boolean
      readonly payer?: string
      readonly detail?: string
      readonly isPassing?: boolean
    } = {},
  ) {
    super(reason)
    this.detail = options.detail
    this.name = 'PaymentRejection'
    this.reason = reason
    this.settling = options.settling ?? false
    this.payer = options.payer
    this.isPassing = options.isPassing ?? false
  }

  /** The same where it is certain that nobody can take the payment any more. */
  forGood(): PaymentRejection {
    const { reason, settling, payer, detail } = this
    return new PaymentRejection(reason, {
      settling,
      ...(payer === undefined ? {} : { payer }),
      ...(detail === undefined ? {} : { detail }),
    })
  }
}
