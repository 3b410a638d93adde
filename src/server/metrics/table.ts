import { statfs, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { toUsd } from '../../payments/terms.ts'
import { limitNames } from '../../platform/limits.ts'
import { isPriced } from '../../tool/access.ts'
import { unavailableReasonOf } from '../../tool/availability.ts'
import type { Counted } from '../books/tally.ts'
import type { LoopDelay } from '../loop-delay.ts'
import type { PaidServer } from '../paid.ts'

/** One value of a metric, with its labels. */
export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** A metric that is read when somebody asks: nothing of it is kept on the path of a call. */
export type MetricRow = {
  readonly name: string
  readonly help: string
  readonly kind: 'gauge' | 'counter'
  readonly labels: readonly string[]
  readonly read: (facts: MetricFacts) => readonly Sample[] | Promise<readonly Sample[]>
}

export type MetricFacts = {
  readonly server: PaidServer
  readonly loopDelay: LoopDelay
  readonly now: number
  /** Undefined when the server may get traffic. */
  readonly notReady: () => Promise<string | undefined>
  readonly dataDir: string
  /** Whether the ledger is a file in the data folder. */
  readonly hasLedgerFile: boolean
}

/** The limits by rate, and those by what is at once. */
const limitsMet = [...limitNames, 'underWay', 'largeBodies', 'connections', 'denied'] as const

const one = (value: number): readonly Sample[] => [{ labels: {}, value }]
const yes = (is: boolean): number => (is ? 1 : 0)

function countedOf({ server }: MetricFacts, kinds: readonly Counted['kind'][]): readonly Counted[] {
  return [...server.tally.totals()].filter(({ kind }) => kinds.includes(kind))
}

/** Everything that is measured but the durations of calls, which need more than one number each. */
export const metricRows: readonly MetricRow[] = [
  {
    name: 'tollgate_build_info',
    help: 'Always 1; the label names the version.',
    kind: 'gauge',
    labels: ['version'],
    read: ({ server }) => [{ labels: { version: server.describe.version }, value: 1 }],
  },
  {
    name: 'tollgate_ready',
    help: '1 where the server may get traffic.',
    kind: 'gauge',
    labels: [],
    read: async ({ notReady }) => one(yes((await notReady()) === undefined)),
  },
  {
    name: 'tollgate_paused',
    help: '1 while the operator has paused new payments.',
    kind: 'gauge',
    labels: [],
    read: ({ server }) => one(yes(server.isPaused())),
  },
  {
    name: 'tollgate_calls_total',
    help: 'Calls by tool, result (answered or failed) and outcome (the way in, or the code of the failure).',
    kind: 'counter',
    labels: ['tool', 'result', 'outcome'],
    read: (facts) =>
      countedOf(facts, ['call', 'failure']).map(({ kind, tool, label, total }) => ({
        labels: { tool, result: kind === 'call' ? 'answered' : 'failed', outcome: label },
        value: total,
      })),
  },
  {
    name: 'tollgate_challenges_total',
    help: '402s that asked for money, by tool.',
    kind: 'counter',
    labels: ['tool'],
    read: (facts) => countedOf(facts, ['challenge']).map(({ tool, total }) => ({ labels: { tool }, value: total })),
  },
  {
    name: 'tollgate_limits_met_total',
    help: 'Refusals of addresses that met a limit, by limit.',
    kind: 'counter',
    labels: ['limit'],
    // From zero on, because an increase is only seen from one value to the next.
    read: (facts) => {
      const met = new Map(countedOf(facts, ['limit']).map(({ label, total }) => [label, total]))
      return limitsMet.map((limit) => ({ labels: { limit }, value: met.get(limit) ?? 0 }))
    },
  },
  {
    name: 'tollgate_addresses_held_off',
    help: 'Addresses that would be refused now because they used up a limit.',
    kind: 'gauge',
    labels: [],
    read: ({ server }) =>
      one(server.metLimits.list().filter(({ address }) => server.callers.isHeldOff(address)).length),
  },
  {
    name: 'tollgate_payments',
    help: 'Payments by state, of the states that end by themselves, and of those lost.',
    kind: 'gauge',
    labels: ['state'],
    read: async ({ server }) => {
      const { claimed, settling, unknown, lost } = await server.store.payments.open()
      return Object.entries({ claimed, settling, unknown, lost }).map(([state, value]) => ({
        labels: { state },
        value,
      }))
    },
  },
  {
    name: 'tollgate_payment_oldest_unknown_seconds',
    help: 'Age of the oldest payment whose outcome is unknown; 0 where there is none.',
    kind: 'gauge',
    labels: [],
    read: async ({ server, now }) => {
      const { oldestUnknownAt } = await server.store.payments.open()
      return one(oldestUnknownAt === null ? 0 : Math.max(0, (now - oldestUnknownAt) / 1_000))
    },
  },
  {
    name: 'tollgate_payment_moves_total',
    help: 'Moves that payments made in this process, by the move; docs/ledger.md says what each means.',
    kind: 'counter',
    labels: ['move'],
    read: ({ server }) => [...server.moves()].map(([move, value]) => ({ labels: { move }, value })),
  },
  {
    name: 'tollgate_earned_usd_total',
    help: 'Dollars that arrived since this process began, by tool; payments of the wallet that is paid are none.',
    kind: 'counter',
    labels: ['tool'],
    // From zero on, because an increase is only seen from one value to the next.
    read: ({ server }) => {
      const sold = server.offered.filter(({ access }) => isPriced(access)).map(({ slug }) => slug)
      const earned = server.earned()
      return [...new Set([...sold, ...earned.keys()])].map((tool) => ({
        labels: { tool },
        value: Number(toUsd(earned.get(tool) ?? 0n)),
      }))
    },
  },
  {
    name: 'tollgate_webhooks_waiting',
    help: 'Notices of payments that were not delivered yet.',
    kind: 'gauge',
    labels: [],
    read: async ({ server }) => one(await server.store.notices.waiting()),
  },
  {
    name: 'tollgate_tool_open',
    help: '1 where an offered tool can answer, 0 while an outside service that it needs is down.',
    kind: 'gauge',
    labels: ['tool'],
    read: ({ server }) =>
      server.toolList.all
        .filter((tool) => unavailableReasonOf(tool, server.settings) === undefined)
        .map((tool) => ({ labels: { tool: tool.slug }, value: yes(server.offers.outageOf(tool) === undefined) })),
  },
  {
    name: 'tollgate_upstream_up',
    help: '1 where an outside service answers, as far as was seen; 0 where it is down.',
    kind: 'gauge',
    labels: ['upstream'],
    read: ({ server }) =>
      Object.entries(server.upstreams.health()).map(([upstream, { status }]) => ({
        labels: { upstream },
        value: yes(status !== 'down'),
      })),
  },
  {
    name: 'tollgate_facilitator_up',
    help: '1 where a facilitator takes payments.',
    kind: 'gauge',
    labels: ['facilitator'],
    read: ({ server }) =>
      server.facilitator.report().map(({ name, status }) => ({
        labels: { facilitator: name },
        value: yes(status === 'ok'),
      })),
  },
  {
    name: 'tollgate_facilitator_credits_short',
    help: '1 where a facilitator says that its credits run out.',
    kind: 'gauge',
    labels: ['facilitator'],
    read: ({ server }) =>
      server.facilitator.report().map(({ name, isShort, status }) => ({
        labels: { facilitator: name },
        value: yes(isShort || status === 'out-of-credits'),
      })),
  },
  {
    name: 'tollgate_facilitator_credits_remaining',
    help: 'Credits that a facilitator says are left, where it says so.',
    kind: 'gauge',
    labels: ['facilitator'],
    read: ({ server }) =>
      server.facilitator
        .report()
        .flatMap(({ name, credits }) =>
          credits === undefined ? [] : [{ labels: { facilitator: name }, value: credits.remaining }],
        ),
  },
  {
    name: 'tollgate_ledger_writable',
    help: '1 where a write to the ledger survives.',
    kind: 'gauge',
    labels: [],
    read: async ({ server }) => one(yes(await server.intake.ledgerTakesWrites())),
  },
  {
    name: 'tollgate_ledger_disk_free_bytes',
    help: 'Free bytes of the disk that the data folder is on.',
    kind: 'gauge',
    labels: [],
    read: async ({ dataDir }) => {
      const { bavail, bsize } = await statfs(dataDir)
      return one(bavail * bsize)
    },
  },
  {
    name: 'tollgate_ledger_disk_size_bytes',
    help: 'Size of the disk that the data folder is on.',
    kind: 'gauge',
    labels: [],
    read: async ({ dataDir }) => {
      const { blocks, bsize } = await statfs(dataDir)
      return one(blocks * bsize)
    },
  },
  {
    name: 'tollgate_ledger_bytes',
    help: 'Size of the ledger and of its log, where the ledger is a file.',
    kind: 'gauge',
    labels: ['file'],
    read: async ({ dataDir, hasLedgerFile }) =>
      hasLedgerFile
        ? Promise.all(
            ['ledger.db', 'ledger.db-wal'].map(async (file) => ({
              labels: { file },
              value: await sizeOf(join(dataDir, file)),
            })),
          )
        : [],
  },
  {
    name: 'tollgate_event_loop_delay_seconds',
    help: 'How late timers of the main thread were over the last one to two minutes: 99th percentile and most.',
    kind: 'gauge',
    labels: ['quantile'],
    read: ({ loopDelay }) => {
      const { p99Ms, maxMs } = loopDelay.now()
      return [
        { labels: { quantile: '0.99' }, value: p99Ms / 1_000 },
        { labels: { quantile: '1' }, value: maxMs / 1_000 },
      ]
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process holds.',
    kind: 'gauge',
    labels: [],
    read: () => one(process.memoryUsage.rss()),
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'Time that the process computed.',
    kind: 'counter',
    labels: [],
    read: () => {
      const { user, system } = process.cpuUsage()
      return one((user + system) / 1e6)
    },
  },
]

/** A log that is not there at the moment takes no room. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
