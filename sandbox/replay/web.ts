import type { LoopbackAnswer } from '../loopback.ts'
import type { ReplayContext, ReplayRequest, Site } from './replay.ts'

type Json = Readonly<Record<string, unknown>>

type Shop = {
  readonly host: string
  /** What the endpoint asks for; undefined where it asks for nothing. */
  readonly envelope?: Json
  readonly hasSurfaces?: boolean
  readonly rateLimit?: boolean
  /** Answers 200 with the same page to every path but the endpoint. */
  readonly catchAll?: boolean
}

/** Path of the endpoint that every shop sells. */
export const shopPath = '/v1/tide-report'

/** Invented shops that sell one call each, one for every state an audit can find a shop in. */
const shops: readonly Shop[] = [
  { host: 'healthy.shop.example', envelope: envelopeOf('healthy.shop.example'), rateLimit: true },
  {
    host: 'leaking.shop.example',
    envelope: { ...envelopeOf('leaking.shop.example'), resource: undefined, extensions: {} },
  },
  {
    host: 'hidden.shop.example',
    envelope: { ...envelopeOf('hidden.shop.example'), extensions: {} },
    hasSurfaces: false,
  },
  { host: 'dear.shop.example', envelope: envelopeOf('dear.shop.example', { amount: '2500000' }), rateLimit: true },
  { host: 'broken.shop.example', envelope: envelopeOf('broken.shop.example', { amount: '0.01' }) },
  { host: 'free.shop.example' },
  {
    host: 'catch-all.shop.example',
    envelope: envelopeOf('catch-all.shop.example'),
    hasSurfaces: false,
    catchAll: true,
  },
]

/** A facilitator that settles on Base; it finds the wallet of whoever asks empty. */
const facilitator: Site = {
  host: 'facilitator.payai.network',
  answer: ({ path }) => {
    const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }]
    if (path === '/supported') return { status: 200, body: { kinds, extensions: [], signers: {}, sandbox: true } }
    if (path !== '/verify') return undefined
    return { status: 200, body: { isValid: false, invalidReason: 'insufficient_funds', sandbox: true } }
  },
}

/**
 * A priced endpoint that is really documented, at https://docs.coingecko.com/ai-integration/x402, with terms of our
 * own.
 */
const documented: Site = {
  host: 'pro-api.coingecko.com',
  answer: ({ method, path }) => {
    if (path !== '/api/v3/x402/simple/price') return undefined
    if (method !== 'GET') return { status: 404, body: { error: 'Not Found' } }
    const queryParams = { vs_currencies: 'usd', ids: 'bitcoin' }
    const input = { type: 'http', method: 'GET', queryParams }
    const host = 'pro-api.coingecko.com'
    const envelope = {
      ...envelopeOf(host),
      sandbox: true,
      resource: {
        url: `https://${host}${path}`,
        description: 'Prices of coins by their ids.',
        mimeType: 'application/json',
      },
      extensions: {
        bazaar: { info: { input }, schema: bazaarSchemaOf('GET', 'queryParams', Object.keys(queryParams)) },
      },
    }
    return { status: 402, headers: { 'payment-required': encoded(envelope) }, body: envelope }
  },
}

/** The shops, a facilitator and a documented endpoint as sites of the public web. */
export const shopSites: readonly Site[] = [
  ...shops.map((shop): Site => ({ host: shop.host, answer: (request, context) => answerOf(shop, request, context) })),
  facilitator,
  documented,
]

function answerOf(shop: Shop, { method, path }: ReplayRequest, { now }: ReplayContext): LoopbackAnswer | undefined {
  if (path === shopPath) {
    if (shop.envelope === undefined) return { status: 200, body: { tide: 'high', at: now.toISOString() } }
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: { error: 'Use POST.' } }
    return {
      status: 402,
      headers: {
        'payment-required': encoded(shop.envelope),
        ...(shop.rateLimit === true
          ? { 'ratelimit-policy': '"default";q=60;w=60', ratelimit: '"default";r=59;t=60' }
          : {}),
      },
      body: shop.envelope,
    }
  }
  if (shop.catchAll === true) return { status: 200, body: cardOf(shop.host) }
  return shop.hasSurfaces === false ? undefined : surfaceOf(shop, path)
}

function surfaceOf({ host }: Shop, path: string): LoopbackAnswer | undefined {
  const surfaces: Readonly<Record<string, unknown>> = {
    '/.well-known/agent-card.json': cardOf(host),
    '/.well-known/x402': { version: 1, resources: [`https://${host}${shopPath}`] },
    '/openapi.json': openApiOf(host),
  }
  return Object.hasOwn(surfaces, path) ? { status: 200, body: surfaces[path] } : undefined
}

function envelopeOf(host: string, option: Json = {}): Json {
  const input = { type: 'http', method: 'POST', bodyType: 'json', body: { harbour: 'Port Amber' } }
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: {
      url: `https://${host}${shopPath}`,
      description: 'The next tides of a harbour.',
      mimeType: 'application/json',
    },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: '10000',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payTo: '0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a',
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2', facilitator: 'https://facilitator.payai.network' },
        ...option,
      },
    ],
    extensions: {
      bazaar: {
        info: { input },
        schema: bazaarSchemaOf('POST', 'body', ['harbour']),
      },
    },
  }
}

function bazaarSchemaOf(method: string, place: 'body' | 'queryParams', names: readonly string[]): Json {
  const asked = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { const: 'http' },
          method: { enum: [method] },
          bodyType: { enum: ['json'] },
          [place]: asked,
        },
        required: ['type', 'method', place],
      },
    },
    required: ['input'],
  }
}

function encoded(envelope: Json): string {
  return Buffer.from(JSON.stringify(envelope)).toString('base64')
}

function cardOf(host: string): Json {
  return {
    name: 'Tide reports',
    description: 'The next tides of a harbour, per call.',
    version: '1.0.0',
    url: `https://${host}/`,
    skills: [{ id: 'tide-report', name: 'Tide report', description: 'The next tides of a harbour.', tags: ['tides'] }],
  }
}

function openApiOf(host: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tide reports',
      version: '1.0.0',
      contact: { email: 'harbour@shop.example' },
      'x-guidance': 'Name a harbour; the answer has its next tides.',
    },
    servers: [{ url: `https://${host}` }],
    paths: {
      [shopPath]: {
        post: {
          'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount: '0.01' }, protocols: [{ x402: {} }] },
          requestBody: {
            content: {
              'application/json': { schema: { type: 'object', properties: { harbour: { type: 'string' } } } },
            },
          },
          responses: {
            200: { description: 'The tides.', content: { 'application/json': { schema: { type: 'object' } } } },
            402: { description: 'Payment required.' },
          },
        },
      },
    },
  }
}
