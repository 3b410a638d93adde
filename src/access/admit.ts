import { createHash } from 'node:crypto'

import { canonicalize } from 'json-canonicalize'

import { CallError } from '../errors.ts'
import { createChallenge, type PaymentRequired, PaymentRejection, PaymentRequiredError } from '../payments/envelope.ts'
import type { Admission, Ledger } from '../payments/ledger.ts'
import { idempotencyKeyOf, paymentIdentifierOf, readProof } from '../payments/proof.ts'
import { type PaymentTerms, priceOf, requirementOf } from '../payments/terms.ts'
import type { Access, Tool } from '../tool/tool.ts'
import { type Admit, type Ask, budgetOf, type Grant } from './grant.ts'
import type { Quota } from './quota.ts'

/** A door answers a grant, `null` where the caller did not try it, or throws where it was tried in vain. */
type Door = (ask: Ask) => Promise<Grant | null>

type DoorName = 'free' | 'pass' | 'payment'

/** Which doors a tool has, in the order they are tried: a credential that costs nothing goes before money. */
const doorsOf: Record<Access['mode'], readonly DoorName[]> = {
  free: ['free'],
  paid: ['payment'],
  'paid-or-pass': ['pass', 'payment'],
  pass: ['pass'],
  tiered: ['pass', 'payment', 'free'],
}

export type AdmitParts = {
  readonly terms: PaymentTerms
  readonly ledger: Ledger
  readonly quota: Quota
  readonly serviceName: string
  /** JSON Schema of a tool's input, for the challenge. */
  readonly inputSchemaOf: (tool: Tool) => unknown
}

export type Gate = {
  readonly admit: Admit
  /** The 402 of a tool at an address. */
  readonly challengeOf: (tool: Tool, resourceUrl: string, error: string) => PaymentRequired
}

/** Nobody ever gets in free by a credential that was not looked at: a mode whose doors are all closed is a challenge. */
export function createGate(parts: AdmitParts): Gate {
  const { terms, ledger, quota } = parts

  const challengeOf = (tool: Tool, resourceUrl: string, error: string): PaymentRequired =>
    createChallenge(
      {
        url: resourceUrl,
        description: tool.description,
        tags: tool.tags,
        serviceName: parts.serviceName,
        requirement: requirementOf(terms, tool),
        example: tool.examples[0]?.input ?? {},
        inputSchema: parts.inputSchemaOf(tool),
        method: tool.family === 'site' ? tool.preferredMethod : 'POST',
      },
      error,
    )

  const payment: Door = async (ask) => {
    const { tool, credentials } = ask
    if (credentials.payment === undefined) return null
    const proof = readProof(credentials.payment)
    const requirement = requirementOf(terms, tool)
    try {
      const admission = await ledger.admit({
        tool: tool.slug,
        requirement,
        proof,
        opHash: operationHash(tool, ask.input),
        idempotencyKey: idempotencyKeyOf([credentials.idempotencyKey, paymentIdentifierOf(proof)]),
        wantedMs: budgetOf(tool),
        resource: { url: ask.resourceUrl, description: tool.name },
      })
      return paidGrant(ask, admission)
    } catch (error) {
      throw translate(ask, error)
    }
  }

  const paidGrant = (ask: Ask, admission: Admission): Grant => {
    if (admission.kind === 'replay') {
      return {
        entry: 'payment',
        budgetMs: 0,
        headers: {},
        answer: admission.answer,
        settle: async () => admission.answer,
        abandon: async () => {},
      }
    }
    return {
      entry: 'payment',
      budgetMs: admission.budgetMs,
      headers: {},
      settle: async (body) => {
        try {
          return await admission.settle(body)
        } catch (error) {
          throw translate(ask, error)
        }
      },
      abandon: (reason) => admission.abandon(reason),
    }
  }

  /** A rejected payment becomes a new challenge that says why. */
  const translate = (ask: Ask, error: unknown): unknown => {
    if (!(error instanceof PaymentRejection)) return error
    return new PaymentRequiredError(challengeOf(ask.tool, ask.resourceUrl, error.reason), {
      success: false,
      errorReason: error.reason,
      transaction: '',
      network: terms.network,
      ...(error.payer === undefined ? {} : { payer: error.payer }),
    })
  }

  const free: Door = async ({ tool, ip }) => {
    const limit = tool.access.mode === 'free' ? tool.access.quotaPerDay : undefined
    const ticket = limit === undefined ? undefined : await quota(tool.slug, ip, limit)
    return {
      entry: 'free',
      budgetMs: budgetOf(tool),
      headers: ticket?.headers ?? {},
      settle: async () => undefined,
      abandon: async (_reason, ours) => {
        if (ours) await ticket?.giveBack()
      },
    }
  }

  const doors: Record<DoorName, Door> = { free, payment, pass: async () => null }

  return {
    challengeOf,
    admit: async (ask) => {
      for (const name of doorsOf[ask.tool.access.mode]) {
        const grant = await doors[name](ask)
        if (grant !== null) return grant
      }
      throw new PaymentRequiredError(challengeOf(ask.tool, ask.resourceUrl, 'Payment required'))
    },
  }
}

/**
 * What a payment is for: the tool, its version and price, and the validated arguments with their defaults (RFC 8785).
 * The transport is not part of it, so a call paid over HTTP can be recovered over MCP.
 */
export function operationHash(tool: Tool, input: unknown): string {
  const operation = { v: 1, tool: tool.slug, version: tool.version, price: priceOf(tool).toString(), args: input }
  try {
    return createHash('sha256').update(canonicalize(operation)).digest('hex')
  } catch (cause) {
    throw new CallError('invalid_input', 'The input holds text that is not well-formed Unicode.', { cause })
  }
}
