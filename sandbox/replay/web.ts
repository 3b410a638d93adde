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

/** The shops as sites of the public web. */
export const shopSites: readonly Site[] = shops.map((shop) => ({
  host: shop.host,
  answer: (request, context) => answerOf(shop, request, context),
}))

function answerOf(shop: Shop, { method, path }: ReplayRequest, { now }: ReplayContext): LoopbackAnswer | undefined {
  if (path === shopPath) {
    if (shop.envelope === undefined) return { status: 200, body: { tide: 'high', at: now.toISOString() } }
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: { error: 'Use POST.' } }
    return {
      status: 402,
      headers: {
        'payment-required': Buffer.from(JSON.stringify(shop.envelope)).toString('base64'),
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
    '/.well-known/402index-verify.txt': `${'5a'.repeat(32)}\n`,
    '/llms.txt': '# Tide reports\nOne paid call: the next tides of a harbour.\n',
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
        payTo: '0x5A5A5a5A5a5A5A5a5A5A5a5a5A5a5a5a5a5A5a5A',
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2', facilitator: 'https://facilitator.payai.network' },
        ...option,
      },
    ],
    extensions: {
      bazaar: {
        info: { input },
        schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: {
            input: {
              type: 'object',
              properties: {
                type: { type: 'string', const: 'http' },
                method: { type: 'string', enum: ['POST'] },
                bodyType: { type: 'string', enum: ['json'] },
                body: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
              },
              required: ['type', 'method', 'bodyType', 'body'],
            },
          },
          required: ['input'],
        },
      },
    },
  }
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
    info: { title: 'Tide reports', version: '1.0.0' },
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
          responses: { 200: { description: 'The tides.' }, 402: { description: 'Payment required.' } },
        },
      },
    },
  }
}
