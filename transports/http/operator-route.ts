import type { IncomingMessage, ServerResponse } from 'node:http'

import { readSiweHeader } from '../../src/access/siwe.ts'
import { CallError, InvalidInputError } from '../../src/errors.ts'
import { accountOf } from '../../src/payments/ledger/entries.ts'
import { toUsd } from '../../src/payments/terms.ts'
import type { Config } from '../../src/platform/config.ts'
import { isLoopbackHost } from '../../src/platform/loopback.ts'
import { grantOf } from '../../src/server/books/credits.ts'
import type { PaidServer } from '../../src/server/paid.ts'
import { operatorPage } from '../../web/operator-page.ts'
import type { PlayWallet } from '../../web/page-data.ts'
import { sendJson } from './answers.ts'
import { readJsonBody } from './body.ts'
import { quotasOf, settingsInForce } from './in-force.ts'
import { headerOf } from './headers.ts'
import { showsToken } from './operator-token.ts'
import { sendPrivatePage } from './pages.ts'

export type OperatorRouteParts = {
  readonly server: Pick<
    PaidServer,
    'ledger' | 'store' | 'checkSiwe' | 'describe' | 'askBooks' | 'offered' | 'facilitator'
  >
  readonly config: Config
  readonly now: () => number
  readonly playWallets: readonly PlayWallet[]
  /** How the server and what it needs are now. */
  readonly health: () => Promise<unknown>
}

/** What the operator sees and does: on this machine only, and only by the wallet that is paid. */
export type OperatorRoute = (request: IncomingMessage, response: ServerResponse, what: string) => Promise<void>

export const operatorPath = '/operator'

const monthMs = 30 * 86_400_000
const mostBytes = 4_096

export function createOperatorRoute({ server, config, now, playWallets, health }: OperatorRouteParts): OperatorRoute {
  const { payTo, baseUrl } = server.describe
  /** No page of another server may read what is here. */
  const own = { 'access-control-allow-origin': baseUrl }

  /** @throws CallError 404 for who is elsewhere, so that the page is not even seen. */
  const refuseStrangers = (request: IncomingMessage): void => {
    const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    // What was forwarded comes from somewhere else, whoever forwarded it.
    const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip'].some(
      (name) => request.headers[name] !== undefined,
    )
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    if (isLoopbackHost(address) && !isForwarded && isLoopbackHost(host)) return
    throw new CallError('unknown_route', `There is nothing at ${operatorPath}.`)
  }

  /**
   * @throws CallError 401 or 403 unless the owner of the receiving wallet signed in, or the operator's token is shown.
   */
  const authorize = async (request: IncomingMessage): Promise<void> => {
    const authorization = headerOf(request, 'authorization')
    const { operatorToken } = config
    if (authorization !== undefined && /^Bearer /i.test(authorization)) {
      if (operatorToken !== undefined && showsToken(request, operatorToken)) return
      throw new CallError('forbidden', 'This is not the token of the operator.', {
        nextStep: 'It is in TOLLGATE_OPERATOR_TOKEN; the wallet that is paid may sign in as well.',
      })
    }
    if (authorization === undefined || !/^SIWE /i.test(authorization)) {
      throw new CallError('proof_required', 'Sign in with the wallet that is paid.', {
        nextStep: `Sign a message with ${payTo}.`,
      })
    }
    const { address } = await server.checkSiwe(readSiweHeader(authorization))
    if (address.toLowerCase() === payTo.toLowerCase()) return
    throw new CallError('forbidden', 'This is for the owner of the wallet that is paid.', {
      nextStep: `Sign in with ${payTo}.`,
    })
  }

  const overview = async (): Promise<unknown> => {
    const read: unknown = JSON.parse(await server.askBooks({ kind: 'overview', since: now() - monthMs }))
    if (typeof read !== 'object' || read === null) throw new CallError('unavailable', 'There is no ledger yet.')
    return {
      ...read,
      services: await health(),
      quotas: quotasOf(config, server),
      settings: settingsInForce(config, server.describe),
    }
  }

  /** Writes down what the operator decided about a payment. @throws CallError where the payment is not of that kind. */
  const enter = async (kind: 'credit' | 'refunded', asked: Asked): Promise<string> => {
    const row = /^[0-9a-f]{64}$/.test(asked.payment) ? await server.ledger.find(asked.payment) : undefined
    if (row === undefined) throw new InvalidInputError('/payment', 'There is no such payment.')
    if (row.state !== 'SETTLED' && row.state !== 'CONFIRMED') {
      throw new InvalidInputError('/payment', `Its money did not arrive, or may still: it is ${row.state}.`)
    }
    const common = { account: accountOf(row), amount: BigInt(row.amount), paymentId: row.id, now: now() }
    const grant = grantOf({ ...common, name: row.id, reason: asked.reason || 'refund' })
    if (kind === 'credit') {
      if (asked.reason === '') throw new InvalidInputError('/reason', 'Say why; the payer is shown it.')
      const written = await server.store.accounts.enter(grant)
      return written === 'known' ? 'It was credited before.' : `$${toUsd(common.amount)} are the payer’s to spend here.`
    }
    if (!/^0x[0-9a-f]{64}$/i.test(asked.transaction)) {
      throw new InvalidInputError('/transaction', 'Give the hash of the transfer that sent the money back.')
    }
    // Owed and paid in one go: the books then say both, and the same payment is neither credited nor refunded again.
    await server.store.accounts.enter({ ...grant, reason: 'sent back' })
    const written = await server.store.accounts.enter({
      ...common,
      id: `refund:${row.id}`,
      kind: 'forfeit',
      reason: asked.transaction.toLowerCase(),
    })
    if (written === 'too-small') throw new InvalidInputError('/payment', 'It was credited before, and that was spent.')
    return written === 'known'
      ? 'It was marked as sent back before.'
      : `$${toUsd(common.amount)} are marked as sent back.`
  }

  const chainSays = async (payment: string): Promise<string> => {
    const outcome = /^[0-9a-f]{64}$/.test(payment) ? await server.ledger.onChain(payment) : undefined
    if (outcome === undefined) throw new InvalidInputError('/payment', 'There is no such payment.')
    switch (outcome.kind) {
      case 'paid':
        return `The chain says: it was paid, in transaction ${outcome.transaction}.`
      case 'unused':
        return outcome.dead
          ? 'The chain says: it was not paid, and can be no longer.'
          : 'The chain says: it is not paid, and may still be.'
      case 'void':
        return 'The chain says: it was not paid; what was signed was cancelled or used for something else.'
      case 'unreadable':
        return 'The chain cannot be read at the moment. Ask again.'
    }
  }

  const act = async (request: IncomingMessage, what: string): Promise<string> => {
    const { value } = await readJsonBody(request, { maxBytes: mostBytes, readLarge: undefined, onLarge: () => {} })
    if (what === 'recheck') {
      const { payment } = readAsked(value)
      if (payment === '') {
        await server.ledger.sweep()
        return 'The chain was asked about every payment that is due.'
      }
      await server.ledger.recheck(payment)
      return chainSays(payment)
    }
    if (what === 'credit' || what === 'refunded') return enter(what, readAsked(value))
    throw new CallError('unknown_route', 'There is no such action.')
  }

  return async (request, response, what) => {
    refuseStrangers(request)
    if (what === '') {
      sendPrivatePage(response, 200, operatorPage(server.describe, playWallets, config.operatorToken !== undefined))
      return
    }
    await authorize(request)
    if (what === 'data' && request.method === 'GET') sendJson(response, 200, await overview(), own)
    else if (request.method === 'POST') sendJson(response, 200, { done: await act(request, what) }, own)
    else
      throw new CallError('method_not_allowed', 'Read data with GET, act with POST.', {
        headers: { allow: 'GET, POST' },
      })
  }
}

type Asked = { readonly payment: string; readonly reason: string; readonly transaction: string }

function readAsked(value: unknown): Asked {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const text = (name: string): string => {
    const found: unknown = members.find(([known]) => known === name)?.[1]
    return typeof found === 'string' ? found.trim().slice(0, 300) : ''
  }
  return { payment: text('payment'), reason: text('reason'), transaction: text('transaction') }
}
