import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { createSignatureCheck } from '../../src/payments/eip3009/signature.ts'
import { type Loopback, serveLoopback } from '../harness/loopback.ts'
import type { SimulatedAuthorization, Simulator } from './simulator.ts'

/** What a facilitator can do wrong. `down` and `slow` are about the connection, the rest about the answer. */
export const facilitatorFaults = [
  'none',
  'down',
  'slow',
  'reset',
  'drop-after-broadcast',
  'status-500',
  'status-429',
  'garbage',
  'wrong-payer',
  'wrong-network',
  'refuse',
  'lie-success',
  'lie-failure',
  'duplicate',
  'settlement-pending',
] as const

export type FacilitatorFault = (typeof facilitatorFaults)[number]

type Answer = { readonly status: number; readonly body: unknown }

/** The honest facilitator behind the faults. */
export type FacilitatorBackend = {
  readonly verify: (body: string) => Promise<Answer>
  readonly settle: (body: string) => Promise<Answer>
  /** Broadcasts and does not wait; `settle` where it is not given. */
  readonly broadcast?: (body: string) => Promise<unknown>
}

export type FacilitatorCall = {
  readonly route: 'verify' | 'settle'
  readonly nonce: string
  readonly fault: FacilitatorFault
}

export type FaultyFacilitator = {
  /** What it sees of connections. */
  readonly wire: Loopback
  readonly url: string
  /** Every call that arrived, in order. */
  readonly calls: () => readonly FacilitatorCall[]
  readonly settlesOf: (nonce: string) => number
  /** The next calls of the route meet these faults, one each; afterwards all is well. */
  readonly script: (route: 'verify' | 'settle', faults: readonly FacilitatorFault[]) => void
  /** Every call of the route asks this, while no script is left; `none` unless set. */
  readonly choose: (route: 'verify' | 'settle', chooser: (nonce: string) => FacilitatorFault) => void
  /** How long `slow` waits before it answers; ten minutes unless set, which is never for a server with a deadline. */
  readonly slowness: (ms: number) => void
  readonly close: () => Promise<void>
}

/** A facilitator on loopback that fails on demand. */
export async function serveFaultyFacilitator(backend: FacilitatorBackend): Promise<FaultyFacilitator> {
  const calls: FacilitatorCall[] = []
  const scripts: Record<'verify' | 'settle', FacilitatorFault[]> = { verify: [], settle: [] }
  const choosers: Record<'verify' | 'settle', (nonce: string) => FacilitatorFault> = {
    verify: () => 'none',
    settle: () => 'none',
  }
  const waiting = new Set<NodeJS.Timeout>()
  let slowMs = 600_000

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request)
    if (request.url === '/supported') {
      send(response, 200, { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] })
      return
    }
    const route = request.url === '/settle' ? 'settle' : 'verify'
    const nonce = nonceOf(body)
    const fault = scripts[route].shift() ?? choosers[route](nonce)
    calls.push({ route, nonce, fault })
    switch (fault) {
      case 'down':
      case 'reset':
        request.socket.destroy()
        return
      case 'status-500':
        send(response, 500, { error: 'internal' })
        return
      case 'status-429':
        send(response, 429, { error: 'slow down' })
        return
      case 'garbage':
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('<html>maintenance</html>')
        return
      case 'slow':
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, slowMs)
          waiting.add(timer)
        })
        break
      case 'lie-success':
        send(response, 200, {
          success: true,
          isValid: true,
          transaction: `0x${randomBytes(32).toString('hex')}`,
          network: 'eip155:8453',
          payer: authorizationOf(body).from,
        })
        return
      case 'refuse':
      case 'lie-failure':
        if (route === 'settle' && fault === 'lie-failure') await (backend.broadcast ?? backend.settle)(body)
        send(response, 200, {
          success: false,
          isValid: false,
          errorReason: 'insufficient_funds',
          invalidReason: 'insufficient_funds',
          transaction: '',
          network: 'eip155:8453',
        })
        return
      case 'duplicate':
        if (route === 'settle') await backend.settle(body)
        break
      case 'none':
      case 'drop-after-broadcast':
      case 'wrong-payer':
      case 'wrong-network':
      case 'settlement-pending':
    }
    const honest = await (route === 'settle' ? backend.settle(body) : backend.verify(body))
    if (fault === 'drop-after-broadcast') request.socket.destroy()
    else if (fault === 'wrong-payer')
      send(response, honest.status, { ...toRecord(honest.body), payer: '0x000000000000000000000000000000000000dEaD' })
    else if (fault === 'wrong-network')
      send(response, honest.status, { ...toRecord(honest.body), network: 'eip155:137' })
    else if (fault === 'settlement-pending')
      send(response, 200, { ...toRecord(honest.body), success: false, errorReason: 'settlement_pending' })
    else send(response, honest.status, honest.body)
  }

  const server: Loopback = await serveLoopback((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })

  return {
    wire: server,
    url: server.url,
    calls: () => calls,
    settlesOf: (nonce) => calls.filter((call) => call.route === 'settle' && call.nonce === nonce.toLowerCase()).length,
    script: (route, faults) => {
      scripts[route] = [...faults]
    },
    choose: (route, chooser) => {
      choosers[route] = chooser
    },
    slowness: (ms) => {
      slowMs = ms
    },
    close: async () => {
      for (const timer of waiting) clearTimeout(timer)
      await server.close()
    },
  }
}

/** An honest facilitator for ordinary accounts that settles on a simulated chain, and waits for the block. */
export async function simulatedBackend(chain: Simulator): Promise<FacilitatorBackend> {
  const checkSignature = await createSignatureCheck({
    network: `eip155:${chain.chainId}`,
    chainId: chain.chainId,
    asset: chain.asset,
    assetName: 'USD Coin',
    assetVersion: '2',
    payTo: '',
  })
  const refusalOf = async (body: string): Promise<string | undefined> => {
    const { authorization, signature } = payloadOf(body)
    const verdict = await checkSignature(authorization, signature)
    return verdict === 'valid' ? chain.refusalOf(authorization) : 'invalid_exact_evm_signature'
  }
  return {
    verify: async (body) => {
      const refusal = await refusalOf(body)
      const payer = authorizationOf(body).from
      return {
        status: 200,
        body: refusal === undefined ? { isValid: true, payer } : { isValid: false, invalidReason: refusal, payer },
      }
    },
    settle: async (body) => {
      const authorization = authorizationOf(body)
      const refusal = await refusalOf(body)
      const common = { network: 'eip155:8453', payer: authorization.from }
      if (refusal !== undefined) {
        return { status: 200, body: { ...common, success: false, errorReason: refusal, transaction: '' } }
      }
      const transaction = chain.submit(authorization)
      const waits = chain.isDelayed() ? 200 : 0
      for (let wait = 0; wait < waits && !chain.isMined(transaction); wait += 1) await sleep(50)
      // A facilitator that waits for the block looks at what is in it.
      const isOpen = waits > 0 && !chain.isMined(transaction)
      if (isOpen || chain.isReverted(transaction)) {
        const errorReason = isOpen ? 'settlement_pending' : 'invalid_transaction_state'
        return { status: 200, body: { ...common, success: false, errorReason, transaction } }
      }
      return { status: 200, body: { ...common, success: true, transaction, amount: authorization.value } }
    },
    broadcast: async (body) => {
      if ((await refusalOf(body)) === undefined) chain.submit(authorizationOf(body))
    },
  }
}

/** Passes calls on to a facilitator elsewhere. */
export function forwardedBackend(url: string): FacilitatorBackend {
  const forward = async (path: string, body: string): Promise<Answer> => {
    const answer = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return { status: answer.status, body: await answer.json() }
  }
  return { verify: (body) => forward('/verify', body), settle: (body) => forward('/settle', body) }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

type Payload = { readonly authorization: SimulatedAuthorization; readonly signature: string }

function payloadOf(body: string): Payload {
  const { paymentPayload } = JSON.parse(body) as { paymentPayload: { payload: Payload } }
  return paymentPayload.payload
}

function authorizationOf(body: string): SimulatedAuthorization {
  return payloadOf(body).authorization
}

function nonceOf(body: string): string {
  try {
    return authorizationOf(body).nonce.toLowerCase()
  } catch {
    // What cannot be read is counted under no name.
    return ''
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
