import { isSpecType, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'

import type { Call } from '../../src/call/call.ts'
import type { McpTool } from '../../src/describe/mcp-tools.ts'
import { structuredContentOf } from '../../src/describe/schemas.ts'
import { CallError, errorBody, toCallError } from '../../src/errors.ts'
import { type PaymentRequired, PaymentRequiredError, toV1 } from '../../src/payments/envelope.ts'
import { paymentText } from '../../src/payments/proof.ts'
import type { Registry } from '../../src/tool/registry.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { packageInfo } from '../package-info.ts'

/** What an MCP server is made of, whichever way it is reached. */
export type McpFace = {
  readonly registry: Registry
  /** The tools as they are listed here. */
  readonly listed: readonly McpTool[]
  readonly call: Call
  readonly instructions: string
  readonly newRequestId: () => string
  /** Caller's address; empty over stdio. */
  readonly ip: string
}

const namespace = packageInfo.mcpName.slice(0, packageInfo.mcpName.indexOf('/'))
const listFor = { ttlMs: 300_000, cacheScope: 'public' } as const

/**
 * An MCP server over the one path of a call. The SDK's low-level server, because the call validates by itself, with the
 * same messages over every transport, and because the list is made once and not per request.
 */
// oxlint-disable-next-line typescript/no-deprecated
export function createMcpServer(face: McpFace): Server {
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server(
    { name: packageInfo.name, title: packageInfo.serverName, version: packageInfo.version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: face.instructions,
      cacheHints: { 'tools/list': listFor, 'server/discover': listFor },
    },
  )
  const names = new Set(face.listed.map((tool) => tool.name))

  const list: unknown = { tools: face.listed }
  server.setRequestHandler('tools/list', () => {
    if (!isSpecType.ListToolsResult(list)) throw new Error('The list of tools is not what MCP allows.')
    return list
  })

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = names.has(params.name) ? face.registry.bySlug(params.name) : undefined
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 64)}`)
    }
    const requestId = face.newRequestId()
    try {
      const credentials = credentialsOf(context.mcpReq._meta ?? {}, context.http?.req?.headers)
      const result = await face.call({
        tool,
        input: params.arguments,
        credentials,
        ip: face.ip,
        resourceUrl: `mcp://tool/${tool.slug}`,
        requestId,
        signal: context.mcpReq.signal,
      })
      const text = Buffer.from(result.body).toString('utf8')
      const output: unknown = JSON.parse(text)
      return {
        content: [{ type: 'text', text }],
        structuredContent: structuredContentOf(output),
        _meta: {
          ...(result.receipt === undefined ? {} : { 'x402/payment-response': JSON.parse(result.receipt) }),
          ...untrustedOf(tool),
        },
      }
    } catch (error) {
      return failureOf(error, requestId)
    }
  })
  return server
}

/** Which texts of the answer third parties wrote: a host may want to show them as such. */
function untrustedOf({ untrusted }: Tool): Record<string, unknown> {
  return untrusted === undefined || untrusted.length === 0 ? {} : { [`${namespace}/untrusted`]: untrusted }
}

type Meta = Readonly<Record<string, unknown>>

/** A payment in `_meta` (x402 MCP transport; object or base64) or in the headers of the POST that carries the call. */
function credentialsOf(meta: Meta, headers: Headers | undefined) {
  const inMeta = meta['x402/payment'] ?? undefined
  const inHeader = paymentText({
    paymentSignature: headers?.get('payment-signature') ?? undefined,
    xPayment: headers?.get('x-payment') ?? undefined,
  })
  if (inMeta !== undefined && inHeader !== undefined && inMeta !== inHeader) {
    throw new CallError('ambiguous_payment', 'The call carries a payment in its _meta and another in a header.', {
      nextStep: 'Send one payment. Nothing was charged.',
    })
  }
  const key = meta['x402/idempotency-key']
  if (key !== undefined && typeof key !== 'string') {
    throw new CallError('invalid_credential', 'The idempotency key in _meta must be text.', {
      nextStep: 'Nothing was charged.',
    })
  }
  return { payment: inMeta ?? inHeader, idempotencyKey: key ?? headers?.get('idempotency-key') ?? undefined }
}

/** A failure as a tool result that an agent can read; only a payment request has structured content. */
function failureOf(thrown: unknown, requestId: string) {
  const error = toCallError(thrown)
  if (error instanceof PaymentRequiredError) {
    const { challenge } = error
    return {
      isError: true,
      content: [{ type: 'text' as const, text: JSON.stringify(challenge) }],
      structuredContent: { ...challenge },
      _meta: {
        'x402/error': bothVersions(challenge),
        ...(error.refused === undefined ? {} : { 'x402/payment-response': { ...error.refused } }),
      },
    }
  }
  return { isError: true, content: [{ type: 'text' as const, text: JSON.stringify(errorBody(error, requestId)) }] }
}

/** Older paying clients look here, and some of them only at version 1 terms; each takes the entry it knows. */
function bothVersions(challenge: PaymentRequired): Record<string, unknown> {
  return { ...challenge, accepts: [...challenge.accepts, ...toV1(challenge).accepts] }
}
