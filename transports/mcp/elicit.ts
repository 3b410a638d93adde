import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  isCallToolResult,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server'

import { isRecord } from '../../src/platform/record.ts'
import { isCallable } from '../../src/call/call.ts'
import type { PayPage, PayPages } from '../../src/server/pay-pages.ts'
import { isPriced, usdOf } from '../../src/tool/access.ts'
import type { Tool, ToolSettings } from '../../src/tool/tool.ts'
import { appsMark, showsApps } from './apps.ts'
import { capabilitiesOf } from './capabilities.ts'

/** Begins the session id of a client that can open a page for its user. The server keeps nothing under that id. */
const prefix = 'elicit-'

/**
 * The session id for a client of the revisions up to 2025-11-25, which states its capabilities only once. The id holds
 * those capabilities and random digits; the server does not keep it. A page that was made for a call belongs to the
 * session that asked. Undefined for clients that can neither open a page for their user nor show one.
 */
export function sessionFor(message: unknown): string | undefined {
  if (!isRecord(message) || message['method'] !== 'initialize' || !isRecord(message['params'])) return undefined
  const { capabilities } = message['params']
  const marks = `${canOpenPages(capabilities) ? prefix : ''}${showsApps(capabilities) ? appsMark : ''}`
  return marks === '' ? undefined : `${marks}${randomBytes(16).toString('hex')}`
}

function canOpenPages(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined
  return isRecord(elicitation) && isRecord(elicitation['url'])
}

export type ElicitRequest = {
  readonly tool: Tool
  readonly input: unknown
  readonly meta: Readonly<Record<string, unknown>>
  readonly caller: { readonly headerOf: (name: string) => string | undefined }
  readonly request: {
    readonly signal: AbortSignal
    readonly envelope?: unknown
    readonly requestState: () => unknown
  }
  /** Makes the call with some `_meta`; gives its result as JSON. */
  readonly ask: (meta: Readonly<Record<string, unknown>>) => Promise<string>
}

/**
 * Sends a client's user to a page to pay, or gives what was paid for there; undefined where the call goes the usual
 * way.
 */
export type Elicit = (request: ElicitRequest) => Promise<CallToolResult | InputRequiredResult | undefined>

export type ElicitParts = {
  readonly payPages: PayPages
  readonly baseUrl: string
  readonly settings: ToolSettings
}

/**
 * How long a call that was asked again waits for its payment; people need longer, and are then sent there once more.
 */
const waitMs = 20_000
const everyMs = 400

const credentials = ['payment-signature', 'x-payment', 'authorization', 'sign-in-with-x']
const previews = ['tollgate/dryRun', 'tollgate/example', 'tollgate/session', 'tool-pass/siwe']

export function createElicit({ payPages, baseUrl, settings }: ElicitParts): Elicit {
  /** The page once it is paid, or as it is when the time is up. */
  const paid = async (page: PayPage, signal: AbortSignal): Promise<PayPage | undefined> => {
    for (let waited = 0; ; waited += everyMs) {
      const now = await payPages.find(page.id)
      if (now?.payment !== undefined || now === undefined || waited >= waitMs || signal.aborted) return now
      await sleep(everyMs)
    }
  }

  return async ({ tool, input, meta, caller, request, ask }) => {
    const asker = askerOf(caller.headerOf, request)
    if (asker === undefined || !isPriced(tool.access) || brings(meta, caller.headerOf)) return undefined
    const known = await payPages.askedBy(asker.secret, tool, input)
    const page = known === undefined ? undefined : await paid(known, request.signal)
    if (page?.payment !== undefined) {
      const { header, key } = page.payment
      const result = resultOf(await ask({ ...meta, 'x402/payment': header, 'x402/idempotency-key': key }))
      // A newer client repeats a call with what it was told, and so gets its answer again; an older one repeats it
      // bare.
      if (result.isError !== true && !asker.isNamed) await payPages.deliver(page.id)
      if (!isPaymentRequest(result)) return result
      await payPages.refuse(page.id)
    }
    const text = await ask(meta)
    const result = resultOf(text)
    if (!isPaymentRequest(result)) return result
    // Without an input, only the price was asked, unless the tool needs none; any other input has been read by now.
    if (isEmpty(input) && !isCallable(tool, input, settings)) return result
    const opened = await payPages.open(asker.secret, tool, input)
    if (opened === undefined) return result
    const url = `${baseUrl}/pay/${opened.id}`
    const message = `This call of ${tool.name} costs $${usdOf(tool.access)} in USDC. Open the page to pay with your wallet; the call is then answered.`
    if (!asker.isNamed) throw new UrlElicitationRequiredError([{ mode: 'url', elicitationId: opened.id, url, message }])
    return inputRequired({
      inputRequests: { payment: inputRequired.elicitUrl({ url, message }) },
      requestState: asker.secret,
    })
  }
}

type Asker = {
  /** What only this caller knows. */
  readonly secret: string
  /** Whether the caller repeats it with the call itself. */
  readonly isNamed: boolean
}

/** Who asks, if it can be sent to a page: by its session, or by the state that it was given to repeat. */
function askerOf(headerOf: (name: string) => string | undefined, request: ElicitRequest['request']): Asker | undefined {
  const session = headerOf('mcp-session-id')
  if (session?.startsWith(prefix) === true) return { secret: session.slice(0, 128), isNamed: false }
  const { envelope } = request
  if (!isRecord(envelope) || !canOpenPages(capabilitiesOf(envelope))) return undefined
  const state = request.requestState()
  const secret = typeof state === 'string' && /^state-[0-9a-f]{32}$/.test(state) ? state : undefined
  return { secret: secret ?? `state-${randomBytes(16).toString('hex')}`, isNamed: true }
}

/** Whether a call brings what opens it, or asks for something else than the answer. */
function brings(meta: Readonly<Record<string, unknown>>, headerOf: (name: string) => string | undefined): boolean {
  return (
    meta['x402/payment'] !== undefined ||
    meta['x402.payment'] !== undefined ||
    previews.some((name) => meta[name] !== undefined) ||
    credentials.some((name) => headerOf(name) !== undefined)
  )
}

function isEmpty(input: unknown): boolean {
  return !isRecord(input) || Object.keys(input).length === 0
}

/** @throws where the text is no result of a call. */
function resultOf(text: string): CallToolResult {
  const result: unknown = JSON.parse(text)
  if (!isCallToolResult(result)) throw new Error('The result of a call is not what MCP allows.')
  return result
}

function isPaymentRequest({ isError, structuredContent }: CallToolResult): boolean {
  return isError === true && isRecord(structuredContent) && Array.isArray(structuredContent['accepts'])
}
