import type { Call } from '../../src/call/call.ts'
import type { ServerParts } from '../../src/server/local.ts'
import type { MetricFacts } from '../../src/server/metrics/table.ts'
import type { PaidServer } from '../../src/server/paid.ts'
import type { OperatorPort } from './operator-port.ts'

/** What is there for the operator alone, where the configuration asks for it. */
export type Operator = {
  /** A call whose time is measured. */
  readonly timed: (call: Call) => Call
  readonly open: () => Promise<void>
  /** Undefined where there is no port. */
  readonly url: () => string | undefined
  readonly close: () => Promise<void>
}

const none: Operator = { timed: (call) => call, open: async () => {}, url: () => undefined, close: async () => {} }

export async function createOperator(
  server: PaidServer,
  { config, clock }: Pick<ServerParts, 'config' | 'clock'>,
  state: () => Pick<MetricFacts, 'loopDelay' | 'notReady' | 'server'>,
): Promise<Operator> {
  const { port: wanted, host, token } = config.operator
  if (wanted === undefined) return none
  const { createMetrics, timedCall } = await import('../../src/server/metrics/metrics.ts')
  const { openOperatorPort } = await import('./operator-port.ts')
  const metrics = await createMetrics(() => ({
    ...state(),
    now: clock.now(),
    dataDir: config.dataDir,
    hasLedgerFile: config.databaseUrl === undefined,
  }))
  let port: OperatorPort | undefined
  return {
    timed: (call) => timedCall(call, metrics.took),
    open: async () => {
      port = await openOperatorPort({ ...server, host, token, metrics, port: wanted })
    },
    url: () => port?.url,
    close: async () => port?.close(),
  }
}
