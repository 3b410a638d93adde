import { z } from 'zod'

import { serveLoopback } from './loopback.ts'

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes: z.array(attribute),
  status: z.object({ code: z.int() }),
})
const message = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
})

export type ReceivedSpan = z.output<typeof span>

/** A receiver of OTLP over HTTP: keeps what it is sent, and reads what is JSON as the protocol's JSON has it. */
export async function startTraceReceiver() {
  const bodies: { readonly path: string; readonly type: string; readonly key: string; readonly body: Buffer }[] = []
  const server = await serveLoopback((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [type, key] = [request.headers['content-type'] ?? '', String(request.headers['x-key'] ?? '')]
      bodies.push({ path: request.url ?? '', type, key, body: Buffer.concat(chunks) })
      response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? '{}' : '')
    })
  })
  const messages = () => bodies.map(({ body }) => message.parse(JSON.parse(body.toString('utf8'))))
  return {
    url: server.url,
    bodies,
    spans: (): readonly ReceivedSpan[] =>
      messages().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    services: (): readonly unknown[] =>
      messages().flatMap(({ resourceSpans }) =>
        resourceSpans.map(
          ({ resource }) => resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue'],
        ),
      ),
    close: server.close,
  }
}
