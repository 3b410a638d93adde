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
 * Largest challenge in bytes of JSON. It travels twice in base64 headers; above this the two copies break the default
 * header limits of nginx and of Node's own clients.
 */
export const maxChallengeBytes = 1_450

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
}

const paymentIdentifier = {
  info: { required: false },
  schema: {
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
} as const

/**
 * The challenge of one tool. Says as much to catalogues as fits into `maxChallengeBytes`: first the whole input schema,
 * else its bare shape, else no catalogue block; and where the address itself is too long, that of the tool.
 */
export function createChallenge(facts: ChallengeFacts, error: string): PaymentRequired {
  const build = (extensions: Readonly<Record<string, unknown>>, url = facts.url): PaymentRequired => ({
    x402Version: 2,
    error,
    resource: {
      url,
      description: firstSentence(facts.description),
      mimeType: 'application/json',
      serviceName: facts.serviceName.slice(0, 32),
      tags: facts.tags.slice(0, 5).map((tag) => tag.slice(0, 32)),
    },
    accepts: [facts.requirement],
    extensions,
  })
  const pass = facts.pass === undefined ? {} : { 'tool-pass': toolPassOf(facts.requirement.network, facts.pass) }
  const signed =
    facts.signaturesUrl === undefined ? {} : { 'http-message-signatures': signaturesOf(facts.signaturesUrl) }
  const common = { 'payment-identifier': paymentIdentifier, ...pass, ...signed }
  const bareShape = { bazaar: bazaarOf(facts, { type: 'object' }) }
  const candidates = [
    build({ ...common, bazaar: bazaarOf(facts, facts.inputSchema) }),
    build({ ...common, ...bareShape }),
    // Catalogues list what they can call; the schema of an identifier is known to whoever sends one.
    build({ ...common, 'payment-identifier': { info: paymentIdentifier.info }, ...bareShape }),
    build(common),
    // A long question in the address is no reason to hide the price.
    build(common, withoutQuery(facts.url)),
  ]
  const fitting = candidates.find((one) => Buffer.byteLength(JSON.stringify(one)) <= maxChallengeBytes)
  if (fitting === undefined)
    throw new Error(`The challenge of ${facts.url} does not fit into ${maxChallengeBytes} bytes.`)
  return fitting
}

function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?](\s|$)/)
  return (end === -1 ? text : text.slice(0, end + 1)).slice(0, 160)
}

/** How the pass is shown, for clients that hold it (spec/site-catalog §2.2). */
function toolPassOf(network: string, contract: string): unknown {
  return {
    info: {
      challenges: [
        { kind: 'tool-pass-holder', network, contract, header: 'Authorization' },
        { kind: 'tool-pass-identity', network, header: 'payment-signature', maxAmountRequired: '0' },
      ],
    },
    schema: { type: 'object' },
  }
}

/** Says that answers are signed, so that a client may insist on it (x402 extension `http-message-signatures`). */
function signaturesOf(registrationUrl: string): unknown {
  return {
    info: { registrationUrl, signatureSchemes: ['ed25519'], tags: ['web-bot-auth', 'agent-browser-auth'] },
  }
}

function bazaarOf({ method, example }: ChallengeFacts, inputSchema: unknown): unknown {
  if (typeof method === 'object') {
    const { toolName } = method
    return bazaarBlock(
      { type: 'mcp', toolName, transport: 'streamable-http', inputSchema, example },
      { type: { const: 'mcp' }, toolName: { const: toolName }, inputSchema: { type: 'object' } },
    )
  }
  return method === 'POST'
    ? bazaarBlock(
        { type: 'http', method, bodyType: 'json', body: example },
        { type: { const: 'http' }, method: { const: method }, bodyType: { const: 'json' }, body: inputSchema },
      )
    : bazaarBlock(
        { type: 'http', method, queryParams: example },
        { type: { const: 'http' }, method: { const: method }, queryParams: inputSchema },
        ['type', 'method'],
      )
}

function bazaarBlock(
  input: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = Object.keys(properties),
): unknown {
  return {
    info: { input },
    schema: {
      type: 'object',
      properties: { input: { type: 'object', properties, required } },
      required: ['input'],
    },
  }
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
  readonly transaction: string
  readonly network: string
  readonly payer?: string
}

/** A call that needs a payment, or a better one. Only ever thrown where no transfer can be on its way. */
export class PaymentRequiredError extends CallError {
  readonly challenge: PaymentRequired
  readonly refused: RefusedSettlement | undefined

  constructor(challenge: PaymentRequired, refused?: RefusedSettlement) {
    // Nothing is wrong in the program, so nobody looks for the place; finding it would cost more than all of the answer.
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

/** A payment that does not do, and why: an x402 reason code. The caller of the ledger adds the challenge. */
export class PaymentRejection extends Error {
  readonly reason: string
  /** Whether the payment had reached the settling stage. */
  readonly settling: boolean
  readonly payer: string | undefined

  constructor(reason: string, options: { readonly settling?: boolean; readonly payer?: string } = {}) {
    super(reason)
    this.name = 'PaymentRejection'
    this.reason = reason
    this.settling = options.settling ?? false
    this.payer = options.payer
  }
}
