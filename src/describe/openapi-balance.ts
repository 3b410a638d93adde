import { paths } from '../tool/urls.ts'
import { prepaidLimits } from './prepaid.ts'

const money = {
  type: 'object',
  properties: {
    usd: { type: 'string', description: 'Dollars as a decimal string.' },
    atomic: { type: 'string', pattern: '^-?[0-9]+$', description: 'The same in atomic units of the asset.' },
  },
  required: ['usd', 'atomic'],
} as const

const draw = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    tool: { type: 'string' },
    state: { enum: ['reserved', 'taken'] },
    usd: { type: 'string' },
    atomic: { type: 'string' },
    paidWith: { enum: ['prepaid', 'credit'] },
    url: { type: 'string', format: 'uri' },
    at: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'tool', 'state', 'usd', 'atomic', 'paidWith', 'url', 'at'],
} as const

const session = {
  type: 'object',
  properties: {
    token: { type: 'string', description: 'Spends the balance of the wallet that it is bound to; keep it secret.' },
    expiresAt: { type: 'string', format: 'date-time' },
    hours: { type: 'number' },
  },
  required: ['token', 'expiresAt'],
} as const

/** A payer's own money, as the description of the API has it. */
export const balanceSchemas = {
  Balance: {
    type: 'object',
    description: 'What a payer has here: free to be drawn, owed, set aside for calls that run, and taken for answers.',
    properties: {
      payer: { type: 'string' },
      network: { type: 'string' },
      asset: { type: 'string' },
      balance: money,
      credit: money,
      reserved: money,
      taken: money,
      entries: { type: 'array', items: { type: 'object' }, description: 'What changed the sums, newest first.' },
      draws: { type: 'array', items: draw, description: 'The newest calls that were drawn.' },
      session,
    },
    required: ['payer', 'network', 'asset', 'balance', 'credit', 'reserved', 'taken', 'entries', 'draws'],
  },
  Draw: { ...draw, description: 'A call that was drawn, with its answer while that is kept.' },
  Session: session,
} as const

const refusals = {
  400: { $ref: '#/components/responses/InvalidRequest' },
  401: { $ref: '#/components/responses/ProofRequired' },
  503: { $ref: '#/components/responses/Unavailable' },
} as const

function answering(description: string, schema: keyof typeof balanceSchemas) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  } as const
}

/** The operations of a balance. @param from turns a path of the server into one of the description. */
export function balancePathsOf(from: (path: string) => string, payment: readonly unknown[]) {
  return {
    [from(paths.balance)]: {
      get: {
        operationId: 'getBalance',
        summary: 'What a payer has here.',
        description: 'For the wallet only: with a session token, or a sign-in (EIP-4361) whose URI is this address.',
        security: [{ payer: [] }],
        responses: { 200: answering('The balance.', 'Balance'), ...refusals },
      },
      post: {
        operationId: 'topUpBalance',
        summary: 'Pays ahead for many calls with one payment.',
        description: `Takes $${prepaidLimits.minUsd} to $${prepaidLimits.maxUsd} by x402, and gives a session token that spends it.`,
        parameters: payment,
        requestBody: {
          required: false,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { usd: { type: 'string', default: prepaidLimits.usualUsd } },
                additionalProperties: false,
              },
            },
          },
        },
        security: [],
        responses: {
          200: {
            ...answering('The balance after it.', 'Balance'),
            headers: { 'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' } },
          },
          400: refusals[400],
          402: { $ref: '#/components/responses/PaymentRequired' },
          409: { $ref: '#/components/responses/PaymentConflict' },
          503: refusals[503],
        },
      },
    },
    [from(paths.sessions)]: {
      post: {
        operationId: 'openSession',
        summary: 'A token that spends a balance, for a signature.',
        security: [{ payer: [] }],
        responses: { 200: answering('The token.', 'Session'), ...refusals },
      },
      delete: {
        operationId: 'endSessions',
        summary: 'Ends every session token of a wallet.',
        description: 'For whoever holds one of them, or the wallet. Those that are opened afterwards spend again.',
        security: [{ payer: [] }],
        responses: {
          200: {
            description: 'None of the tokens given out before spends any more, on any node.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { payer: { type: 'string' }, ended: { const: true } },
                  required: ['payer', 'ended'],
                },
              },
            },
          },
          ...refusals,
        },
      },
    },
    [from(`${paths.draws}/{id}`)]: {
      get: {
        operationId: 'getDraw',
        summary: 'A call that was drawn from a balance, and its answer.',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } }],
        security: [{ payer: [] }],
        responses: {
          200: answering('The call.', 'Draw'),
          ...refusals,
          404: { $ref: '#/components/responses/UnknownPayment' },
        },
      },
    },
  }
}
