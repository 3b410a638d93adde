import { AsyncLocalStorage } from 'node:async_hooks'

import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import * as sdk from '@opentelemetry/sdk-trace'

import { CallError, outcomes } from '../errors.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { packageInfo } from './package-info.ts'
import type { Sampler, Span, SpanOptions, Tracing, TracingConfig } from './tracing.ts'

export type OtlpParts = { readonly config: TracingConfig; readonly clock: Clock; readonly log?: Log }

/** How long a process that ends waits for the receiver. */
const closeMs = 3_000
const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

/**
 * Opens the sending of spans by OTLP. Loaded only where a receiver is configured, because it is a package of its own.
 * It registers nothing that other parts of a process would share, so a program that this server is embedded in keeps
 * its own.
 */
export function openTracing({ config, clock, log }: OtlpParts): Tracing {
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.version': packageInfo.version, ...config.resource }),
    sampler: samplerOf(config.sampler),
    // Words of ours only, but a path of a proxy or a name of a tool may be long.
    spanLimits: { attributeValueLengthLimit: 300 },
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: exporterOf(config, log), scheduledDelayMillis: config.batchMs }),
    ],
  })
  const tracer = provider.getTracer(packageInfo.name, packageInfo.version)
  const contexts = new AsyncLocalStorage<Context>()
  const present = (): Context => contexts.getStore() ?? ROOT_CONTEXT
  return {
    span: async (name, options, work) => {
      const context = options.parent === undefined ? present() : contextOf(options.parent)
      const span = startSpan(tracer, name, options, context)
      try {
        return await contexts.run(trace.setSpan(context, span), () => work(faceOf(span)))
      } catch (error) {
        noteError(span, error)
        throw error
      } finally {
        span.end()
      }
    },
    traceparent: () => traceparentOf(trace.getSpan(present())),
    within: (traceparent, work) => (traceparent === undefined ? work() : contexts.run(contextOf(traceparent), work)),
    close: () => Promise.race([provider.shutdown().catch(() => undefined), clock.sleep(closeMs)]),
  }
}

function startSpan(tracer: Tracer, name: string, { kind, facts = {} }: SpanOptions, context: Context): OtelSpan {
  return tracer.startSpan(name, { kind: kinds[kind], attributes: { ...facts } }, context)
}

function faceOf(span: OtelSpan): Span {
  return {
    note: (facts) => void span.setAttributes({ ...facts }),
    fail: (type) => {
      span.setAttributes({ 'error.type': type })
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
  }
}

/**
 * The words of an error may be a caller's or a service's; its code is ours. What the caller is at fault for is no error
 * here.
 */
function noteError(span: OtelSpan, error: unknown): void {
  const type = error instanceof CallError ? error.code : error instanceof Error ? error.name : 'unknown'
  span.setAttributes({ 'error.type': type })
  const isCallers = error instanceof CallError && outcomes[error.code].http < 500
  if (!isCallers) span.setStatus({ code: SpanStatusCode.ERROR })
}

/** What does not read as a `traceparent` begins a trace of its own, as the recommendation of the W3C wants. */
function contextOf(traceparent: string): Context {
  const parent = parseTraceParent(traceparent)
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

function traceparentOf(span: OtelSpan | undefined): string | undefined {
  const context = span?.spanContext()
  if (context === undefined || !isSpanContextValid(context)) return undefined
  return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`
}

function samplerOf({ kind, ratio, isParentBased }: Sampler): sdk.Sampler {
  const root =
    kind === 'always_on'
      ? new sdk.AlwaysOnSampler()
      : kind === 'always_off'
        ? new sdk.AlwaysOffSampler()
        : new sdk.TraceIdRatioBasedSampler(ratio)
  return isParentBased ? new sdk.ParentBasedSampler({ root }) : root
}

/** Sends, and says in the log when that begins to fail; the rest of the server takes no notice. */
function exporterOf({ url, headers, timeoutMs, protocol }: TracingConfig, log: Log | undefined): sdk.SpanExporter {
  const options = { url, headers, timeoutMillis: timeoutMs }
  const exporter: sdk.SpanExporter =
    protocol === 'http/json' ? new JsonExporter(options) : new ProtobufExporter(options)
  let isFailing = false
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        if (failed && !isFailing) log?.warn('traces.not_sent', { cause: result.error })
        isFailing = failed
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
