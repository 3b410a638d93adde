import { createPublicClient, encodeFunctionData, http, parseAbi, parseUnits } from 'viem'
import pLimit from 'p-limit'

import { serveLoopback, type LoopbackServer } from '../../sandbox/loopback.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { sendSteps } from '../../sandbox/transactions.ts'
import { operator, type Wallet } from '../../sandbox/wallets.ts'
import { parseConfig } from '../../src/platform/config.ts'
import { noFailpoints } from '../../src/platform/failpoint.ts'
import { isLoopbackHost } from '../../src/platform/loopback.ts'
import { silentLog } from '../../src/platform/log.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { refreshAll } from '../../src/server/refresh.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { isPriced } from '../../src/tool/access.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { endpointOf } from '../../src/tool/urls.ts'
import { createPooledFetch } from '../../src/upstream/http/dispatcher.ts'
import { loadTools } from '../../tools/load.ts'
import { freshWallet } from '../../test/money/payer.ts'
import { signTerms } from '../../test/harness/sign-terms.ts'
import { serve } from '../../transports/http/serve.ts'

export type DayOptions = {
  readonly calls: number
  /** How many settlements the first facilitator makes before its credits are used up. */
  readonly dryAfter: number
  /** Where it says so: when it verifies, or, which catches payments on their way, only when it is to settle. */
  readonly saysSoAt: 'verify' | 'settle'
  readonly payers: number
  readonly dataDir: string
}

/** What became of one paid call. */
export type PaidCall = {
  readonly tool: string
  readonly amount: bigint
  readonly status: number
  readonly code: string | undefined
  readonly charged: unknown
  readonly ms: number
  /** How many payments were signed for it: more than one where the server said that the first came to nothing. */
  readonly signed: number
  /** Whether money moved on the chain, when all was over. */
  readonly moved: boolean
  /** Payments that moved money and brought no answer. */
  readonly chargedInVain: number
  /** Whether the answer came, at once or by the same call again. */
  readonly answered: boolean
}

export type Day = {
  readonly paid: readonly PaidCall[]
  /** Tools that asked for no payment, and the status that they answered. */
  readonly notSold: readonly (readonly [slug: string, status: number])[]
  readonly settledBy: readonly [first: number, second: number]
  readonly violations: readonly string[]
  readonly ledger: Readonly<Record<string, number>>
  readonly received: bigint
  readonly health: unknown
  readonly leftTheMachine: readonly string[]
}

const usdcAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])
/** Nothing that is unsettled is left longer than this; an authorization lives at most eleven minutes. */
const settleMs = 60_000

/**
 * A facilitator in front of the sandbox's, which settles so many payments and then says that its credits are used up.
 */
async function serveShop(
  target: string,
  credits: number,
  saysSoAt: DayOptions['saysSoAt'],
): Promise<LoopbackServer & { readonly settled: () => number }> {
  let left = credits
  let reserved = credits
  let settled = 0
  const server = await serveLoopback(async ({ method, path, body }) => {
    if (path === '/verify' && saysSoAt === 'verify') {
      if (reserved <= 0) return { status: 200, body: { isValid: false, invalidReason: 'free_tier_exhausted' } }
      reserved -= 1
    }
    if (path === '/settle') {
      if (left <= 0) {
        const refusal = { success: false, errorReason: 'free_tier_exhausted', transaction: '', network: 'eip155:8453' }
        return { status: 200, body: refusal }
      }
      left -= 1
      settled += 1
    }
    const answer = await fetch(target + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' ? { body } : {}),
    })
    return { status: answer.status, body: await answer.json() }
  })
  return { ...server, settled: () => settled }
}

/** Services that want a key, or that a fresh installation has no address for. */
const withoutKeys = ['BLOCKSCOUT', 'OPENSEA', 'SOURCIFY']

function freshInstallation(sandbox: Sandbox): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(sandbox.env).filter(([name]) => !withoutKeys.some((one) => name === `TOLLGATE_UPSTREAM_${one}_URL`)),
  )
}

/** Lives through the first day of a server with public nodes, a facilitator that runs dry, no explorer and no keys. */
export async function liveFirstDay({ calls, dryAfter, saysSoAt, payers, dataDir }: DayOptions): Promise<Day> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const sandbox = await startSandbox({ publicNodes: true })
    closing.push(sandbox.stop)
    const first = await serveShop(sandbox.facilitatorUrl, dryAfter, saysSoAt)
    closing.push(first.stop)
    const second = await serveShop(sandbox.facilitatorUrl, Infinity, saysSoAt)
    closing.push(second.stop)
    const pooled = createPooledFetch()
    closing.push(pooled.close)
    const left = new Set<string>()
    const config = parseConfig({
      ...freshInstallation(sandbox),
      TOLLGATE_FACILITATOR_URLS: `${first.url},${second.url}`,
      TOLLGATE_PORT: '0',
      TOLLGATE_DATA_DIR: dataDir,
    })
    const tools = await loadTools()
    const store = await openSqliteStore(`${dataDir}/ledger.db`)
    const served = await serve({
      config,
      tools,
      clock: systemClock,
      log: silentLog,
      failpoint: noFailpoints,
      fetch: onThisMachine(pooled.fetch, left),
      store,
      watchesUpstreams: true,
    })
    closing.push(served.stop)
    const { server, baseUrl } = served
    const before = Date.now() - 86_400_000
    for (const at of [before, Date.now()]) {
      await refreshAll({
        tools,
        settings: server.settings,
        upstreams: server.upstreams,
        now: () => new Date(at),
        signal: AbortSignal.timeout(60_000),
      })
    }
    const wallets = await richWallets(sandbox, payers)
    const receivedBefore = await balanceOf(sandbox, sandbox.payTo)
    const { sold, notSold } = await marketOf(tools, baseUrl)
    const limits = wallets.map(() => pLimit(2))
    const asked = await Promise.all(
      Array.from({ length: calls }, (_, index) => {
        const tool = sold[index % sold.length]
        const at = index % wallets.length
        const [wallet, limit] = [wallets[at], limits[at]]
        if (tool === undefined || wallet === undefined || limit === undefined) throw new Error('Nothing is sold.')
        return limit(() => buy(tool, wallet, baseUrl))
      }),
    )
    await settled(store)
    const paid = await Promise.all(asked.map((one) => judged(one, sandbox)))
    const received = (await balanceOf(sandbox, sandbox.payTo)) - receivedBefore
    const { counts, settledAtomic } = await store.payments.totals()
    const health: unknown = await (await fetch(`${baseUrl}/api/agentic/health`)).json()
    return {
      paid,
      notSold,
      settledBy: [first.settled(), second.settled()],
      violations: violationsIn(paid, { received, settledAtomic, counts }),
      ledger: counts,
      received,
      health,
      leftTheMachine: [...left],
    }
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

/** Carries what stays on this machine; the rest of the world is not reached, as from a machine without a network. */
function onThisMachine(carry: typeof globalThis.fetch, left: Set<string>): typeof globalThis.fetch {
  return async (resource, init) => {
    const { hostname, origin } = new URL(resource instanceof Request ? resource.url : resource)
    if (isLoopbackHost(hostname)) return carry(resource, init)
    left.add(origin)
    throw new TypeError('fetch failed', { cause: new Error(`${hostname} is not on this machine.`) })
  }
}

async function richWallets({ chain }: Sandbox, count: number): Promise<readonly Wallet[]> {
  const wallets = Array.from({ length: count }, () => freshWallet())
  await sendSteps(
    chain.rpcUrl,
    wallets.map(({ address }) => ({
      from: operator,
      to: chain.usdc,
      data: encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [address, parseUnits('100', 6)] }),
    })),
  )
  return wallets
}

/** Which tools ask for a payment for their example, and what the others answer. */
async function marketOf(tools: readonly Tool[], baseUrl: string) {
  const asked = await Promise.all(
    tools
      .filter(({ access }) => isPriced(access) && access.mode !== 'tiered')
      .map(async (tool) => [tool, (await post(tool, baseUrl)).status] as const),
  )
  return {
    sold: asked.flatMap(([tool, status]) => (status === 402 ? [tool] : [])),
    notSold: asked.flatMap(([{ slug }, status]) => (status === 402 ? [] : [[slug, status] as const])),
  }
}

function post(tool: Tool, baseUrl: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(endpointOf(tool, baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(tool.examples[0]?.input ?? {}),
  })
}

type Signed = { readonly payer: `0x${string}`; readonly nonce: `0x${string}`; readonly isServed: boolean }
type Bought = Omit<PaidCall, 'moved' | 'signed' | 'chargedInVain'> & { readonly payments: readonly Signed[] }
type Payment = {
  readonly payload: { readonly authorization: { readonly nonce: `0x${string}`; readonly value: string } }
}
type Failure = { readonly error?: { readonly code?: string; readonly charged?: unknown } }

/** Longer than a payment lives: until then it may still be taken, and the same call is made again and again. */
const patienceMs = 150_000

/**
 * Buys one answer as a patient client does: it repeats the very same call while it is told to, and signs anew when
 * asked.
 */
async function buy(tool: Tool, wallet: Wallet, baseUrl: string): Promise<Bought> {
  const started = performance.now()
  const payments: Signed[] = []
  for (;;) {
    const payment = (await signTerms(await (await post(tool, baseUrl)).json(), wallet)) as Payment
    const { nonce, value } = payment.payload.authorization
    const answer = await patiently(() =>
      post(tool, baseUrl, { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }),
    )
    const body = (await answer.json()) as Failure
    const isServed = answer.status === 200
    payments.push({ payer: wallet.address, nonce, isServed })
    // Whoever is asked again has it from the server that the first payment is worth nothing any more.
    if (answer.status === 402 && payments.length < 3) continue
    return {
      tool: tool.slug,
      amount: BigInt(value),
      status: answer.status,
      code: body.error?.code,
      charged: isServed || body.error?.charged,
      ms: performance.now() - started,
      answered: isServed,
      payments,
    }
  }
}

async function patiently(call: () => Promise<Response>): Promise<Response> {
  const until = performance.now() + patienceMs
  for (;;) {
    const answer = await call()
    if (![409, 429, 503].includes(answer.status) || performance.now() > until) return answer
    await answer.body?.cancel()
    await systemClock.sleep(Math.min(Number(answer.headers.get('retry-after') ?? 1), 3) * 1_000)
  }
}

async function judged({ payments, ...call }: Bought, { chain }: Sandbox): Promise<PaidCall> {
  const reader = readerOf(chain.rpcUrl)
  const used = await Promise.all(
    payments.map(async ({ payer, nonce, isServed }) => {
      const args = [payer, nonce] as const
      const question = { address: chain.usdc, abi: usdcAbi, functionName: 'authorizationState', args } as const
      return { isServed, moved: await reader.readContract(question) }
    }),
  )
  return {
    ...call,
    signed: payments.length,
    moved: used.some(({ moved }) => moved),
    chargedInVain: used.filter(({ moved, isServed }) => moved && !isServed).length,
  }
}

function balanceOf({ chain }: Sandbox, owner: `0x${string}`): Promise<bigint> {
  const question = { address: chain.usdc, abi: usdcAbi, functionName: 'balanceOf', args: [owner] } as const
  return readerOf(chain.rpcUrl).readContract(question)
}

function readerOf(rpcUrl: string) {
  return createPublicClient({ transport: http(rpcUrl) })
}

type Store = Awaited<ReturnType<typeof openSqliteStore>>

/** Waits until the ledger knows what became of every payment. */
async function settled(store: Store): Promise<void> {
  const until = Date.now() + settleMs
  for (;;) {
    const { counts } = await store.payments.totals()
    const open = ['CLAIMED', 'SETTLING', 'UNKNOWN'].reduce((sum, state) => sum + (counts[state] ?? 0), 0)
    if (open === 0 || Date.now() > until) return
    await systemClock.sleep(250)
  }
}

type Totals = { readonly received: bigint; readonly settledAtomic: bigint; readonly counts: Day['ledger'] }

/** What must never be: an answer without money, money without an answer, books that differ from the chain. */
function violationsIn(paid: readonly PaidCall[], { received, settledAtomic, counts }: Totals): readonly string[] {
  const sum = paid.reduce((total, { moved, amount }) => (moved ? total + amount : total), 0n)
  const open = ['CLAIMED', 'SETTLING', 'UNKNOWN'].filter((state) => (counts[state] ?? 0) > 0)
  return [
    ...paid.flatMap(({ tool, status, code, moved, answered, charged, chargedInVain }) => {
      const what = `${tool}: ${status} ${code ?? ''}`
      if (chargedInVain > 0) return [`${what}, charged for nothing`]
      if (answered) return moved ? [] : [`${what}, answered without money`]
      return charged === false ? [] : [`${what}, uncharged but not said to be`]
    }),
    ...(received === sum ? [] : [`The wallet received ${received}, the payments moved ${sum}.`]),
    ...(settledAtomic === sum ? [] : [`The ledger says ${settledAtomic}, the payments moved ${sum}.`]),
    ...open.map((state) => `${counts[state]} payments stay ${state}.`),
  ]
}
