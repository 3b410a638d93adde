import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Tracing } from '../../src/platform/tracing.ts'
import { endpointPathOf, paths } from '../../src/tool/urls.ts'
import type { Tool } from '../../src/tool/tool.ts'
import { headerOf } from './headers.ts'
import { payPath } from './pay-route.ts'
import type { Handler } from './app.ts'

/**
 * A request that is one span, part of the caller's trace where it named one. Its query and its address are not said.
 */
export function traceHandler(handle: Handler, tracing: Tracing, tools: readonly Tool[]): Handler {
  const known = new Set<string>([...Object.values(paths), ...tools.map(endpointPathOf)])
  return (request, response) => {
    const method = request.method ?? ''
    const route = routeOf(request.url ?? '/', known)
    const facts = { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) }
    const name = route === undefined ? method : `${method} ${route}`
    const parent = headerOf(request, 'traceparent')
    void tracing.span(name, { kind: 'server', facts, parent }, async (span) => {
      await answered(request, response, handle)
      // Without a status the caller was gone before the answer.
      if (!response.headersSent) return
      span.note({ 'http.response.status_code': response.statusCode })
      if (response.statusCode >= 500) span.fail(String(response.statusCode))
    })
  }
}

function answered(request: IncomingMessage, response: ServerResponse, handle: Handler): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve)
    handle(request, response)
  })
}

/** Paths that end in a name of one payment. */
const numbered = [paths.payments, paths.draws, payPath]

/** A path by one of few names: unknown paths have none, and those of all payments share one. */
function routeOf(url: string, known: ReadonlySet<string>): string | undefined {
  const [path = ''] = url.split('?')
  if (known.has(path)) return path
  const parent = numbered.find((one) => path.startsWith(`${one}/`))
  return parent === undefined ? undefined : `${parent}/:id`
}
