import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { toolPlaces } from '../../tools/load.ts'
import { type FaultyFacilitator, serveFaultyFacilitator, simulatedBackend } from './faulty-facilitator.ts'
import { type FaultyRpc, serveFaultyRpc } from './faulty-rpc.ts'
import { type Answer, callTool, payTo, richWallet } from './test-server.ts'
import { type Accepts, freshKey, pay, type SignedPayment } from './payer.ts'
import { createSimulator, type Simulator, systemTime } from './simulator.ts'
import type { Wallet } from '../../sandbox/wallets.ts'
import { ledgerFolder } from '../harness/opening.ts'

/** The tool that these servers sell: its answer rests on the chain alone. */
export const sold = 'base-gas-tracker'

const slugs = (await toolPlaces()).map(({ slug }) => slug)

/** Setting for a server that sells one tool: it starts in two thirds of the time. */
export const alone = (slug: string) =>
  ({ TOLLGATE_DISABLED_TOOLS: slugs.filter((other) => other !== slug).join(',') }) as const

export type Purchase = {
  readonly wallet: Wallet
  readonly payment: SignedPayment
  readonly headers: Readonly<Record<string, string>>
  readonly answer: Answer
}

const balancePath = '/api/agentic/balance'

/** Pays a dollar ahead. @returns what a call that is drawn from it carries. */
export async function topUp({ chain }: Pick<Surroundings, 'chain'>, url: string): Promise<{ authorization: string }> {
  const terms = (await (await fetch(url + balancePath, { method: 'POST' })).json()) as { accepts: readonly Accepts[] }
  const [accepts] = terms.accepts
  if (accepts === undefined) throw new Error('No terms.')
  const { header } = await pay(richWallet({ chain }), accepts)
  const paid = await fetch(url + balancePath, { method: 'POST', headers: { 'payment-signature': header } })
  const body = (await paid.json()) as { session?: { token: string } }
  if (body.session === undefined) throw new Error(JSON.stringify(body))
  return { authorization: `Bearer ${body.session.token}` }
}

/**
 * What servers that are processes of their own need around them: a chain, a facilitator, and a place for their files.
 */
export type Surroundings = {
  readonly chain: Simulator
  readonly facilitator: FaultyFacilitator
  readonly rpc: FaultyRpc
  readonly folder: string
  /** For a server whose files lie in a folder of that name. */
  readonly envOf: (name: string) => Record<string, string>
  /** The terms of a server, asked for once: a client may have them from before, when nobody else is given them. */
  readonly acceptsOf: (url: string) => Promise<Accepts>
  readonly buy: (url: string, key?: string) => Promise<Purchase>
  readonly close: () => Promise<void>
}

export async function startSurroundings(): Promise<Surroundings> {
  const chain = createSimulator(systemTime)
  const facilitator = await serveFaultyFacilitator(await simulatedBackend(chain))
  let asked = 0
  const rpc = await serveFaultyRpc((method, params) => {
    if (method !== 'eth_feeHistory') return chain.handle(method, params)
    // Enough of a chain for the tool that is sold; each answer differs from the one before.
    asked += 1
    const fee = `0x${(6_000_000 + asked).toString(16)}`
    return { oldestBlock: '0x1', baseFeePerGas: [fee, fee], gasUsedRatio: [0.1], reward: [['0x1', '0x1', '0x1']] }
  })
  const folder = await ledgerFolder('tollgate-money-')
  const terms = new Map<string, Accepts>()
  const acceptsOf = async (url: string): Promise<Accepts> => {
    const known = terms.get(url)
    if (known !== undefined) return known
    const answer = await fetch(`${url}/api/agentic/tools/${sold}`, { method: 'POST' })
    const { accepts } = (await answer.json()) as { accepts: readonly Accepts[] }
    const [first] = accepts
    if (first === undefined) throw new Error('No terms.')
    terms.set(url, first)
    return first
  }
  return {
    chain,
    facilitator,
    rpc,
    folder,
    acceptsOf,
    envOf: (name) => ({
      ...alone(sold),
      TOLLGATE_PAY_TO: payTo,
      TOLLGATE_FACILITATOR_URL: facilitator.url,
      TOLLGATE_BASE_RPC_URLS: rpc.url,
      // There are no outside services here, and the real ones are none of a test's business.
      TOLLGATE_CHECK_SECONDS: '0',
      TOLLGATE_DATA_DIR: join(folder, name),
    }),
    buy: async (url, key = freshKey()) => {
      const wallet = richWallet({ chain })
      const payment = await pay(wallet, await acceptsOf(url))
      const headers = { 'payment-signature': payment.header, 'idempotency-key': key }
      return { wallet, payment, headers, answer: await callTool(url, sold, { blocks: 1 }, headers) }
    },
    close: async () => {
      await facilitator.close()
      await rpc.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
