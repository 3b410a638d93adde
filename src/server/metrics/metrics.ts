import type { OpenMetricsContentType } from 'prom-client'

import type { Call } from '../../call/call.ts'
import { PaymentRequiredError } from '../../payments/x402/required.ts'
import { type MetricFacts, type MetricRow, metricRows } from './table.ts'

/** What Prometheus reads. */
export type Metrics = {
  readonly contentType: string
  /** All of it, as text (OpenMetrics). */
  readonly text: () => Promise<string>
  /** Notes how long a call took. */
  readonly took: (tool: string, seconds: number) => void
}

/**
 * Bounds in seconds. From half of the slowest tool's target to three times it they are close enough together to tell a
 * 95th percentile to about a quarter.
 */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 20, 30]

export async function createMetrics(facts: () => MetricFacts): Promise<Metrics> {
  // Only a server with a port for it loads this.
  // By its default export: the only one that a CommonJS package keeps when it is bundled.
  const { default: prometheus } = await import('prom-client')
  const { Counter, Gauge, Histogram, Registry } = prometheus
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  for (const row of metricRows) {
    const { help, labels } = row
    // OpenMetrics adds the suffix of a counter to the name of its family.
    const shared = { help, labelNames: [...labels], registers: [] }
    if (row.kind === 'counter') {
      const name = row.name.replace(/_total$/, '')
      const counter = new Counter({
        ...shared,
        name,
        async collect() {
          const samples = await samplesOf(row, facts())
          this.reset()
          for (const sample of samples) this.inc(sample.labels, sample.value)
        },
      })
      registry.registerMetric(counter)
    } else {
      const gauge = new Gauge({
        ...shared,
        name: row.name,
        async collect() {
          const samples = await samplesOf(row, facts())
          this.reset()
          for (const sample of samples) this.set(sample.labels, sample.value)
        },
      })
      registry.registerMetric(gauge)
    }
  }
  const durations = new Histogram({
    name: 'tollgate_call_duration_seconds',
    help: 'How long answered and failed calls took, by tool; 402s that ask for money are none.',
    labelNames: ['tool'],
    buckets,
    registers: [registry],
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    took: (tool, seconds) => durations.observe({ tool }, seconds),
  }
}

/** What cannot be read just now is left out; the rest is still told. */
async function samplesOf(row: MetricRow, facts: MetricFacts): ReturnType<typeof readRow> {
  try {
    return await readRow(row, facts)
  } catch {
    return []
  }
}

async function readRow(row: MetricRow, facts: MetricFacts) {
  return row.read(facts)
}

/** A call whose time is noted, unless it was asked for its price only. */
export function timedCall(call: Call, took: Metrics['took']): Call {
  return async (request) => {
    const startedAt = performance.now()
    const done = (): void => took(request.tool.slug, (performance.now() - startedAt) / 1_000)
    try {
      const result = await call(request)
      done()
      return result
    } catch (error) {
      if (!(error instanceof PaymentRequiredError)) done()
      throw error
    }
  }
}
