import type { FacilitatorReport } from '../payments/facilitator/facilitators.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { watchLoopDelay } from './loop-delay.ts'
import type { PaidServer } from './paid.ts'

export type HealthParts = {
  readonly server: PaidServer
  readonly clock: Clock
  readonly log: Log
  readonly sandbox: boolean
}

export type Health = {
  /** The state of the server, asked of nobody but itself. */
  readonly health: () => Promise<unknown>
  /** Undefined when the server may get traffic, else the reason why not. */
  readonly notReady: () => Promise<string | undefined>
  /** From now on the server takes no new traffic. */
  readonly startStopping: () => void
}

/** Whether the ledger takes writes is found out by a flushed write, and anybody may ask. */
const writableForMs = 1_000

/** What the server says of itself at its health and readiness addresses. */
export function createHealth({ server, clock, log, sandbox }: HealthParts): Health {
  const startedAt = clock.now()
  const loopDelay = watchLoopDelay(clock)
  let stopping = false
  const ledgerTakesWrites = rememberedFor(writableForMs, clock, async () => {
    try {
      await server.store.check()
      return true
    } catch (cause) {
      log.error('ledger.not_writable', { cause })
      return false
    }
  })
  return {
    health: async () => {
      const unknown = await server.store.payments.unknown()
      const upstreams = server.upstreams.health()
      const down = Object.values(upstreams).some((one) => one.status === 'down')
      const facilitator = server.facilitator.status()
      const facilitators = server.facilitator.report().map(facilitatorHealth)
      const isImpaired = facilitator === 'down' || facilitators.some((one) => one.status !== 'ok')
      return {
        status: stopping ? 'down' : isImpaired || down ? 'degraded' : 'ok',
        version: server.describe.version,
        ...(sandbox ? { sandbox: true } : {}),
        uptimeSeconds: Math.floor((clock.now() - startedAt) / 1_000),
        tools: server.toolList.all.length,
        ...(server.isPaused() ? { paused: true } : {}),
        facilitator: { status: facilitator, list: facilitators },
        ledger: { status: 'ok', unknown },
        eventLoop: loopDelay.now(),
        upstreams,
      }
    },
    notReady: async () => {
      if (stopping) return 'The server is stopping.'
      if (server.isPaused()) return 'The operator has paused new payments.'
      if (server.facilitator.status() === 'down') return 'No payment facilitator takes payments.'
      return (await ledgerTakesWrites()) ? undefined : 'The ledger cannot be written.'
    },
    startStopping: () => {
      stopping = true
      loopDelay.stop()
    },
  }
}

/** One facilitator as anybody may see it. */
function facilitatorHealth(report: FacilitatorReport) {
  const { name, status, retryAt, credits, isShort, support } = report
  return {
    name,
    status,
    supported: support.kind,
    ...(status === 'ok' || retryAt === undefined ? {} : { retryAt: new Date(retryAt).toISOString() }),
    ...(credits === undefined ? {} : { credits: { ...credits, short: isShort } }),
  } as const
}

/** Caches an expensive check: it is made again only when its answer is old, and who asks meanwhile waits for the same one. */
function rememberedFor<T>(ms: number, clock: Clock, check: () => Promise<T>): () => Promise<T> {
  let known: { readonly until: number; readonly answer: Promise<T> } | undefined
  return () => {
    if (known === undefined || known.until <= clock.now()) known = { until: clock.now() + ms, answer: check() }
    return known.answer
  }
}
