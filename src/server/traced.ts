import type { Admit } from '../access/grant.ts'
import type { Call } from '../call/call.ts'
import type { RunTool } from '../call/run-tool.ts'
import type { Facilitators } from '../payments/facilitator/facilitators.ts'
import type { Tracing } from '../platform/tracing.ts'

/** The parts of a call with a span around each; without a receiver they are what they were. */
export type Traced = {
  readonly call: (call: Call) => Call
  readonly admit: (admit: Admit) => Admit
  readonly runTool: (run: RunTool) => RunTool
  readonly facilitators: (facilitators: Facilitators) => Facilitators
}

const untraced: Traced = {
  call: (call) => call,
  admit: (admit) => admit,
  runTool: (run) => run,
  facilitators: (facilitators) => facilitators,
}

/**
 * A span says which tool, which payment by its id, and how it ended; never who pays, what was asked or what was signed.
 */
export function tracedBy(tracing: Tracing | undefined): Traced {
  if (tracing === undefined) return untraced
  return {
    call: (call) => (request) => {
      const facts = { 'tollgate.tool': request.tool.slug, 'tollgate.request_id': request.requestId }
      return tracing.span(`call ${request.tool.slug}`, { kind: 'internal', facts }, async (span) => {
        const result = await call(request)
        span.note({ 'tollgate.entry': result.entry, 'tollgate.replayed': result.replayed })
        if (result.paymentId !== undefined) span.note({ 'tollgate.payment_id': result.paymentId })
        return result
      })
    },
    admit: (admit) => (request) =>
      tracing.span('admit', { kind: 'internal' }, async (span) => {
        const grant = await admit(request)
        span.note({ 'tollgate.entry': grant.entry })
        return { ...grant, settle: (body) => tracing.span('settle', { kind: 'internal' }, () => grant.settle(body)) }
      }),
    runTool: (run) => (asked) =>
      tracing.span(`run ${asked.tool.slug}`, { kind: 'internal', facts: { 'tollgate.tool': asked.tool.slug } }, () =>
        run({ ...asked, traceparent: tracing.traceparent() }),
      ),
    facilitators: (facilitators) => tracedFacilitators(facilitators, tracing),
  }
}

function tracedFacilitators(facilitators: Facilitators, tracing: Tracing): Facilitators {
  return {
    ...facilitators,
    verify: (body, options) =>
      tracing.span('facilitator verify', { kind: 'client' }, async (span) => {
        const answer = await facilitators.verify(body, options)
        span.note({ 'tollgate.answer': answer.kind })
        if (answer.kind === 'valid') span.note({ 'tollgate.facilitator': answer.facilitator })
        if (answer.kind === 'unreachable') span.fail(answer.kind)
        return answer
      }),
    settle: (body, name) =>
      tracing.span('facilitator settle', { kind: 'client' }, async (span) => {
        const answer = await facilitators.settle(body, name)
        span.note({ 'tollgate.answer': answer.kind, ...(name === null ? {} : { 'tollgate.facilitator': name }) })
        if (answer.kind === 'unknown') span.fail(answer.kind)
        return answer
      }),
  }
}
